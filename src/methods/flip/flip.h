/* State, loops and functions shared by the files of the method `flip`. */
#ifndef PUDDLE_METHODS_FLIP_FLIP_H
#define PUDDLE_METHODS_FLIP_FLIP_H

#include "mac/mac.h"
#include "methods/particle_fluid/motion.h"

/* Indices in the parameter table. */
enum flip_parameter {
    FLIP_RESOLUTION,
    FLIP_SOLVER,
    FLIP_ITERATIONS,
    FLIP_TRANSFER,
    FLIP_BLEND,
    FLIP_VISCOSITY,
    FLIP_SPREADING,
    FLIP_DAMPING,
    FLIP_PARAMETERS,
};

enum flip_transfer { FLIP_PIC, FLIP_FLIP, FLIP_APIC };

/* Columns that the method adds to the particles. FLIP_RAMP: see sim/particles/ramp.h. FLIP_GRADIENT and the next three:
 * gradient of the velocity at the particle (APIC), 1/s: du/dx, du/dy, dv/dx, dv/dy. */
enum flip_column { FLIP_RAMP, FLIP_GRADIENT, FLIP_COLUMNS = FLIP_GRADIENT + 4 };

/* Run: range of consecutive cells of a row that have particles around. Runs that touch form a body of liquid. The first
 * run of a body stores the sums over the body. */
typedef struct flip_run {
    int row, begin, end; /* the cells [begin, end) of this row */
    int parent; /* index of a run of the same body (union-find); after pd_flip_find_liquid_bodies: the body's first run */
    uint8_t marks; /* bits of flip_state.marks that any cell of the run has; at a body's first run: of the body */
    double mass_x, mass_y;                 /* sums of the masses at the body's vertical and horizontal faces */
    double momentum_x, momentum_y;         /* momentum of the body in pd_flip_find_liquid_bodies */
    double new_momentum_x, new_momentum_y; /* momentum of the body after the projection */
} flip_run;

enum { FLIP_TOUCHED = 1, FLIP_AT_WALL = 2 }; /* bits of flip_state.marks */

/* State of the method. Arrays of the grid have the layout pd_layout. Arrays of pairs have two consecutive floats
 * for each face. */
typedef struct flip_state {
    pd_mac *mac;
    /* Pairs, by face. From the transfer to faces on: momentum and mass of the particles around the face. From
     * make_velocity_pairs on: the face's velocity, m/s, now and before forces and pressure. */
    float *pair_x, *pair_y;
    float *number_x, *number_y;   /* by face: number of particles around, with the weights that their masses get */
    float *old_u, *old_v;         /* by face: velocities before forces and pressure, m/s */
    float *carrier_u, *carrier_v; /* by face: velocities that move the particles, m/s */
    float *inverse_u, *inverse_v; /* by face: 1/(mean mass of the particles around); set only if has_mixed_masses */
    float *open_around;           /* by cell: mean open fraction of the cell and its neighbours (compute_open_areas) */
    double open_area;             /* container's area without obstacles, m^2 */
    float *fill;                  /* by cell: density of the particles in the open area, in units of the rest density */
    float *distance;              /* by cell: distance to the surface, m; negative in the liquid */
    float *pressure;              /* by cell: pressure in units of pressure_unit */
    float pressure_unit;          /* unit of `pressure`, Pa */
    pd_double2 momentum;          /* total momentum at the faces after forces (store_momentum_at_faces) */
    uint8_t *marks; /* by cell: bits FLIP_TOUCHED (particles are around the cell), FLIP_AT_WALL (a wall is beside it) */
    flip_run *runs; /* runs of liquid cells, row by row */
    int run_count, run_capacity; /* number of runs, and number for which memory is allocated */
    int free_run_count;          /* number of runs whose liquid body touches no wall */
    float *rate;                 /* by cell: expansion that spreads the particles, 1/s */
    int particles_outside;       /* number of particles outside of the grid in the last substep */
    int columns, shift;       /* number of the sort's buckets in a row of cells; each bucket is 1 << shift cells wide */
    pd_poisson_report report; /* report of the last projection */
} flip_state;

/* Arguments of the loops over particles and faces (pd_flip_kernels) in one substep. */
typedef struct flip_loop_data {
    const pd_world *world;         /* the world of the method */
    const pd_particles *particles; /* particles of the world */
    flip_state *state;
    float *gradient[4]; /* APIC: the particles' columns FLIP_GRADIENT to FLIP_GRADIENT + 3; other transfers: NULL */
    const int *start;   /* by bucket of the sort: index of its first particle */
    float origin_x, origin_y, cell, inverse_cell; /* lower left corner of the grid, m; side of a cell, m; 1/cell */
    float mass[PD_MAX_MATERIALS];                 /* by material: relative mass of a particle */
    const float *factor;   /* by particle: column FLIP_RAMP; NULL after the end of the rest-density ramp */
    float ramp;            /* remaining part of the rest-density ramp: 1 at its beginning, 0 after its end */
    bool has_mixed_masses; /* the materials' particles have different masses */
    bool pairs_are_counts; /* pair_x, pair_y are true: mass and number of particles; false: momentum and mass */
    float dt;              /* duration of the substep, s */
    float blend;           /* fraction of FLIP in its blend with PIC */
    float fastest;         /* greatest speed of a particle, m/s */
    float spreading;       /* expansion of a cell in units of (fill - 1), 1/s */
    /* Separation: particles closer than `reach`, the spacing at rest, repel one another. */
    float separation;     /* factor on the weighted sum of distances by which a particle moves; 0: no separation */
    float inverse_reach2; /* 1/reach^2, 1/m^2 */
    float most_drift;     /* greatest distance that a particle in the liquid moves farther than at its speed, m */
    float most_shift;     /* greatest shift of a particle by the separation in x and in y, m */
    float particle_area;  /* area of a particle at rest, in units of a cell's area */
    float rest_density;   /* number of particles per area at rest, 1/m^2 */
    int transfer;         /* enum flip_transfer */
    int colour;           /* blocks of rows that transfer_to_faces processes: 0: even blocks, 1: odd blocks */
} flip_loop_data;

enum {
    FLIP_CELLS_PER_SUBSTEP = 5, /* way of a particle that a substep is meant for, cells; the limit is twice as long */
    FLIP_BLOCK = 8              /* number of rows of cells in a block of transfer_to_faces */
};

/* Loop bodies, whose context is a flip_loop_data. "Rows" are those of an array with ghost rows, 0 to ny + 1. "Rows of
 * cells" are 0 to ny - 1. */
typedef struct pd_flip_kernels {
    pd_loop_body *find_sort_buckets; /* particles: computes the sort bucket of each particle */
    /* blocks of rows of one colour: adds momentum and mass of particles to pair_x, pair_y */
    pd_loop_body *transfer_to_faces;
    /* rows: computes number_x, number_y, inverse_u, inverse_v from pairs of mass and number */
    pd_loop_body *compute_particle_numbers;
    /* rows: computes mac->u, mac->v before forces; if all masses are equal, also number_x, number_y */
    pd_loop_body *compute_velocities;
    pd_loop_body *mark_touched_and_wall_cells; /* rows of cells: computes flip_state.marks */
    pd_loop_body *compute_fill_and_distance;   /* rows of cells: computes fill and distance */
    pd_loop_body *compute_spreading_rates;     /* rows of cells: computes `rate` from `fill` */
    /* rows of cells: computes velocities at faces beside liquid that have no particles around */
    pd_loop_body *fill_velocity_gaps;
    /* rows: sets pair_x, pair_y to the velocities now and before forces and pressure */
    pd_loop_body *make_velocity_pairs;
    pd_loop_body *separate_particles;    /* rows of cells: writes the particles' shifts, m, to old_x and old_y */
    pd_loop_body *transfer_to_particles; /* particles: computes new velocities, then new positions */
} pd_flip_kernels;

extern const pd_flip_kernels pd_flip_kernels_baseline, pd_flip_kernels_avx2, pd_flip_kernels_avx512;

enum {
    FLIP_FIELD_SPEED,
    FLIP_FIELD_DENSITY,
    FLIP_FIELD_PRESSURE,
    FLIP_FIELD_VORTICITY,
    FLIP_FIELD_DIVERGENCE,
    FLIP_FIELD_X,
    FLIP_FIELD_Y,
    FLIP_FIELDS
};
enum { FLIP_NUMBER_DIVERGENCE, FLIP_NUMBER_ITERATIONS, FLIP_NUMBERS };
extern const pd_field_info pd_flip_fields[FLIP_FIELDS];
extern const pd_number_info pd_flip_numbers[FLIP_NUMBERS];
void pd_flip_compute_field(const pd_world *world, void *state, int index, pd_field *field);
double pd_flip_compute_view_number(const pd_world *world, void *state, int index);

/* pd_flip_choose_grid: returns the grid for the scene, the parameters, and without a container the particles' positions.
 * pd_flip_create_mac: creates the staggered grid of this size with its walls. Errors: OUT_OF_MEMORY. */
pd_grid pd_flip_choose_grid(const pd_world *world);
pd_result pd_flip_create_mac(const pd_world *world, pd_mac **mac, pd_error *error);
/* Recomputes the walls of the grid after an edit that replaced the world's boundary. On an error nothing changes.
 * Errors: OUT_OF_MEMORY. */
pd_result pd_flip_replace_walls(const pd_world *world, pd_mac *mac, pd_error *error);
/* Writes warning number `index` about the grid (pd_method.warning). */
bool pd_flip_write_warning(const pd_world *world, const void *state, int index, char *text, size_t size);

/* Diffuses the velocities implicitly. viscosity: m^2/s. */
void pd_flip_diffuse_velocities(flip_state *state, float viscosity, float dt, const pd_poisson_method *method,
                                pd_pool *pool);

/* Finds the bodies of liquid: connected cells with particles around, from the marks. Computes the momentum of bodies
 * that touch no wall, from the masses in pair_x and pair_y and the velocities. */
void pd_flip_find_liquid_bodies(flip_state *state);
/* Damps the velocities in bodies that touch a wall: each component u loses lost_fraction * u/(1 +
 * (u/reference_speed)^2). reference_speed: m/s. */
void pd_flip_damp_bodies_at_walls(flip_state *state, float lost_fraction, float reference_speed);
/* Restores the momentum of bodies that touch no wall: subtracts from u and v (m/s, by face) the mean change of velocity
 * since pd_flip_find_liquid_bodies. */
void pd_flip_restore_momentum_of_free_bodies(flip_state *state, float *u, float *v);

#endif
