/* Springs between neighbours (Clavet, Beaudoin, Poulin 2005, sections 5.1 and 5.2: algorithms 4 and 6).
 *
 * A spring joins two particles of the same elastic material. The lists of both particles contain the spring, with
 * bitwise the same rest length, since both compute it from the same numbers. Each particle therefore sums its own
 * springs, on any thread, and momentum is conserved. A list belongs to a slot, whose number is a column of the particle
 * and does not change by sorting. Only elastic particles have slots.
 *
 * In double density relaxation and position based fluids springs displace the predicted positions, before densities are
 * relaxed. In SPH and position based fluids the displacements over dt are changes of velocities (particle_traits). */
#ifndef PUDDLE_METHODS_PARTICLE_FLUID_SPRINGS_H
#define PUDDLE_METHODS_PARTICLE_FLUID_SPRINGS_H

#include "sim/world.h"

enum { SPRINGS_PER_PARTICLE = 64 };
#define SPRINGS_NO_SLOT UINT32_MAX
/* Row for a method's table of columns: index of the slot that has the particle's list of springs. */
#define SPRINGS_SLOT_COLUMN                                                                                            \
    { .name = "spring_slot", .width = 4, .sorted = true, .saved = true, .optional = true, .initial = SPRINGS_NO_SLOT }

typedef struct springs {
    int capacity, used;       /* number of allocated slots, of used slots */
    uint32_t *particle;       /* by slot: index of its particle; SPRINGS_NO_SLOT: none */
    uint8_t *assigned;        /* by slot: 1 if the slot belongs to a particle, else 0 */
    uint8_t *spring_count;    /* by slot: number of springs in its list */
    uint8_t *material;        /* by slot: index of its material */
    uint8_t *is_new;          /* by slot: 1 if the slot was assigned in this substep */
    uint8_t *has_room;        /* by slot: 1 if its list has room for all candidates for new springs */
    uint8_t *candidate_count; /* by slot: number of candidates for new springs */
    uint32_t *other_slot;     /* by slot and spring: the slot at the other end */
    float *rest_length;       /* by slot and spring: rest length, m */
    float *x, *y;             /* by slot: position of its particle, m */
    float *move_x, *move_y;   /* by slot: displacement of its particle by springs, m */
} springs;

/* Returns whether an elastic particle has no slot yet, as after its material has become elastic. Its
 * springs can form only after a new cell sort. */
bool pd_springs_need_cell_sort(const pd_world *world);
int pd_springs_count_springs(const springs *springs);

/* Data of the loop that computes the springs' displacements (springs_wide.c). */
typedef struct springs_pull {
    springs *springs;
    const pd_particles *particles;
    const struct particle_step *step;
    float h, inverse_h;                 /* interaction radius, m; 1/h */
    float time_ahead;                   /* springs act between the positions x + time_ahead v, s */
    float displacement_limit;           /* limit of the displacement by one spring, m */
    float least_rest_length;            /* lower limit of rest lengths, m */
    float break_length;                 /* length above which a spring breaks, m */
    float stiffness[PD_MAX_MATERIALS];  /* by material: stiffness times dt^2 */
    float plasticity[PD_MAX_MATERIALS]; /* by material: plasticity times dt, at most 1 */
    /* By material: deformation at which plastic flow begins, in units of the rest length. */
    float yield[PD_MAX_MATERIALS];
} springs_pull;

/* Loop bodies over the slots [begin, end); their context is a springs_pull. */
extern pd_loop_body pd_springs_compute_displacements_baseline, pd_springs_compute_displacements_avx2,
    pd_springs_compute_displacements_avx512;

#endif
