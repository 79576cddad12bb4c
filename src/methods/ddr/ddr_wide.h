/* Data and functions of the inner loops of double density relaxation, compiled once for each SIMD level. */
#ifndef PUDDLE_METHODS_DDR_DDR_WIDE_H
#define PUDDLE_METHODS_DDR_DDR_WIDE_H

#include "methods/ddr/ddr_lists.h"
#include "methods/particle_fluid/particle_fluid.h"

#include <math.h>

/* Data of one sweep over pairs, shared by all rows or batches. */
struct ddr_sweep {
    const pd_world *world;            /* for the rest-density ramp */
    const pd_neighbours *neighbours;  /* cells of the last sort */
    const pd_particles *particles;    /* the world's particles */
    int count;                        /* number of particles */
    ddr_lists *lists;                 /* NULL: the sweep runs over rows */
    float *x, *y, *vx, *vy, *density; /* columns of `particles` */
    float *material; /* by particle: index of its material as the bit pattern of an int, for SIMD lookups */
    const uint8_t *material_index;   /* by particle: index of its material */
    const uint32_t *id;              /* by particle: its id */
    const uint32_t *wall;            /* by particle: index in wall_weight; 0: no wall is near */
    pd_wall_weight *wall_weight;     /* pd_walls.weight */
    bool backwards;                  /* whether this substep's sweep runs from the last particle to the first */
    int colour;                      /* colour that is being relaxed: of rows (row % PD_COLOURS), or of batches */
    float h, inverse_h;              /* interaction radius, m; 1/h */
    float dt;                        /* duration of the substep, s */
    float stiffness, near_stiffness; /* stiffnesses times dt^2, m */
    float rest_density;              /* density at which the pressure is 0: sum of q^2 over the neighbours */
    bool is_ramped;                  /* whether the rest-density ramp has not ended (pd_density_ramp_factor) */
    float near_share;                /* compute_near_share (ddr.c), during the ramp */
    float displacement_limit;        /* limit of the displacement of one pair, m */
    float quadratic_viscosity;       /* parameter `quadratic_viscosity` times dt */
    bool viscous;                    /* whether some viscosity is above 0 */
    bool pairs_differ; /* whether pairs differ in mass, viscosity or attraction; if not, only viscosity[0][0] is used */
    /* Tables whose first index is the material of the particle, and the second index that of its neighbour. */
    float own_fraction[PD_MAX_MATERIALS]
                      [PD_MAX_MATERIALS]; /* fraction of a pair's displacement that the particle gets */
    float other_fraction[PD_MAX_MATERIALS]
                        [PD_MAX_MATERIALS];              /* fraction of this displacement that the neighbour gets */
    float viscosity[PD_MAX_MATERIALS][PD_MAX_MATERIALS]; /* linear viscosity times dt */
    float repulsion[PD_MAX_MATERIALS][PD_MAX_MATERIALS]; /* additional pressure of a pair, times dt^2 */
    float strongest_repulsion;                           /* greatest absolute value of `repulsion` */
    ddr_record property[PD_MAX_MATERIALS];               /* by material: value of ddr_lists.property of its particles */
};

/* Loop body of the sweep over rows, for one SIMD level. Its context is a ddr_sweep. */
typedef struct pd_ddr_kernels {
    pd_loop_body *relax_rows; /* relaxes the rows [begin, end) of the sweep's colour */
} pd_ddr_kernels;

extern const pd_ddr_kernels pd_ddr_kernels_baseline, pd_ddr_kernels_avx2, pd_ddr_kernels_avx512;

/* Loop bodies of the sweep with lists, for one SIMD level. Their context is a ddr_sweep. */
typedef struct pd_ddr_list_kernels {
    pd_loop_body *find;  /* makes the lists of the groups [begin/PD_LANES, end/PD_LANES) */
    pd_loop_body *relax; /* relaxes the batches [begin, end) of the sweep's colour */
} pd_ddr_list_kernels;

extern const pd_ddr_list_kernels pd_ddr_list_kernels_baseline, pd_ddr_list_kernels_avx2, pd_ddr_list_kernels_avx512;

/* Compile-time constants of the loops, which are compiled once for each combination. */
typedef struct loop_kind {
    bool viscous;      /* some viscosity is above 0 */
    bool pairs_differ; /* pairs differ in mass, viscosity or attraction */
} loop_kind;

/* Computes the displacement (*x, *y) of particle i by its walls, m, at most sweep->displacement_limit. Walls count as
 * fluid of the particle's density. The displacement of a pair is P q + Pn q^2, of which a particle gets half. Its integral
 * over the share of the kernel that walls hide is P (density + 1)/2 times the slope of the far kernel, plus
 * Pn (near density + 1)/3 times the slope of the near kernel (pd_wall_weight.hidden). q: 1 - distance/h. pressure,
 * near_pressure: P and Pn, times dt^2. */
static inline void ddr_compute_wall_displacement(const ddr_sweep *sweep, uint32_t i, pd_wall_weight *weight,
                                                 float pressure, float near_pressure, float density, float near_density,
                                                 float *x, float *y) {
    weight->far_push = -0.25f * pressure * (density + 1);
    weight->near_push = -(1.0f / 6) * near_pressure * (near_density + 1);
    const float gain = weight->far_gain / weight->near_gain, sum = (density + 1) / weight->far_gain;
    pd_particle_limit_attraction(sweep->world, sweep->material_index[i], weight, &weight->far_push,
                                 weight->hidden.far_slope, weight->far_slope_of_wall,
                                 0.25f * PARTICLE_NEAR_SHARE * near_pressure * gain * (density + 1),
                                 pd_particle_compute_part_within_fluid(sum));
    pd_walls_compute_displacement(weight, x, y);
    float length2 = *x * *x + *y * *y;
    if (!(length2 > sweep->displacement_limit * sweep->displacement_limit)) return;
    float part = sweep->displacement_limit / sqrtf(length2);
    weight->far_push *= part;
    weight->near_push *= part;
    pd_walls_compute_displacement(weight, x, y);
}

#endif
