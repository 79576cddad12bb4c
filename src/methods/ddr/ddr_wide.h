/* Data and functions of the inner loops of double density relaxation, compiled once for each SIMD level. */
#ifndef PUDDLE_METHODS_DDR_DDR_WIDE_H
#define PUDDLE_METHODS_DDR_DDR_WIDE_H

#include "methods/ddr/ddr_lists.h"
#include "sim/walls/walls.h"

#include <math.h>

/* Data of one sweep over pairs, shared by all rows or batches. */
struct ddr_sweep {
    const pd_neighbours *neighbours;
    const pd_particles *particles;
    int count;
    ddr_lists *lists; /* NULL: the sweep runs over rows */
    float *x, *y, *vx, *vy, *density;
    float *material;               /* by particle: index of its material, as the bit pattern of an int */
    const uint8_t *material_index; /* by particle: index of its material, as an integer */
    const uint32_t *id;
    const uint32_t *wall; /* by particle: its index in wall_weight; 0: no wall is near */
    pd_wall_weight *wall_weight;
    bool backwards; /* the sweep of this substep runs from the last particle to the first */
    int colour;     /* colour of the rows (row % PD_COLOURS), or of the batches */
    float h, inverse_h;
    float dt;
    float stiffness, near_stiffness; /* stiffnesses times dt^2, m */
    float rest_density;
    float farthest;  /* m: limit of the displacement of one pair */
    float quadratic; /* quadratic viscosity times dt */
    bool viscous;    /* any viscosity is above 0 */
    bool materials;  /* pairs of materials differ: use the tables below; otherwise their [0][0] */
    /* By the materials of the particle and of its neighbour. */
    float share[PD_MAX_MATERIALS][PD_MAX_MATERIALS]; /* fraction of a pair's displacement applied to the particle */
    float other_share[PD_MAX_MATERIALS][PD_MAX_MATERIALS]; /* fraction applied to the neighbour */
    float viscosity[PD_MAX_MATERIALS][PD_MAX_MATERIALS];   /* linear viscosity times dt */
    float repulsion[PD_MAX_MATERIALS][PD_MAX_MATERIALS];   /* additional pressure of a pair, times dt^2 */
    float strongest_repulsion;                             /* greatest absolute value of `repulsion` */
    ddr_record property[PD_MAX_MATERIALS];                 /* by material: value of ddr_lists.property */
};

/* Loop bodies without lists. relax_rows: relaxes the rows [begin, end) of the sweep's colour; its context is a
 * ddr_sweep. */
typedef struct ddr_kernels {
    pd_loop_body *relax_rows;
} ddr_kernels;

extern const ddr_kernels ddr_kernels_baseline, ddr_kernels_avx2, ddr_kernels_avx512;

/* Loop bodies with lists; their context is a ddr_sweep.
 * find: makes the lists of the groups [begin/16, end/16).
 * relax: relaxes the batches [begin, end) of the sweep's colour. */
typedef struct ddr_list_kernels {
    pd_loop_body *find, *relax;
} ddr_list_kernels;

extern const ddr_list_kernels ddr_list_kernels_baseline, ddr_list_kernels_avx2, ddr_list_kernels_avx512;

/* Computes the displacement (x, y) of a particle by its walls, m. Walls act like the mirror image of the fluid. The
 * particle gets half of each pair's displacement, once for its own pressure and once for the equal pressure of the
 * image. Integrated over the hidden part of the kernels, both together give the factors (density + 1)/2 and (near
 * density + 1)/3. */
static inline void ddr_push_off_walls(const ddr_sweep *s, pd_wall_weight *w, float pressure, float near_pressure,
                                      float density, float near_density, float *x, float *y) {
    w->far_push = -0.25f * pressure * (density + 1);
    w->near_push = -(1.0f / 6) * near_pressure * (near_density + 1);
    pd_walls_compute_displacement(w, x, y);
    float length2 = *x * *x + *y * *y;
    if (!(length2 > s->farthest * s->farthest)) return;
    float part = s->farthest / sqrtf(length2);
    w->far_push *= part;
    w->near_push *= part;
    pd_walls_compute_displacement(w, x, y);
}

#endif
