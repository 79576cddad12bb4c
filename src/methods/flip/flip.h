/* FLIP: what its files share. */
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

extern const pd_parameter flip_parameters[FLIP_PARAMETERS];

/* Columns of particles. FLIP_GRADIENT and the three after it: the gradient of the velocity at the particle, 1/s: du/dx,
 * du/dy, dv/dx, dv/dy (APIC). */
enum flip_column { FLIP_RAMP, FLIP_GRADIENT, FLIP_COLUMNS = FLIP_GRADIENT + 4 };

/* Consecutive cells of a row with particles around; runs that touch are a body, whose sums are those of its first run. */
typedef struct flip_run {
    int row, begin, end; /* cells begin .. end - 1 */
    int parent;          /* in the end: the body's first run */
    uint8_t marks;       /* of all cells of the body together */
    double mass_x, mass_y, momentum_x, momentum_y, now_x, now_y;
} flip_run;

enum { FLIP_TOUCHED = 1, FLIP_AT_WALL = 2 }; /* marks of cells: particles around; a wall beside */

/* Arrays of the grid have the layout of mac/layout.h. A pair is two floats for each face, next to each other. */
typedef struct flip_state {
    pd_mac *mac;
    /* By face: momentum and mass of the particles around; in to_particles, the velocity and what it was before forces and
     * pressure, m/s. */
    float *pair_x, *pair_y;
    float *number_x, *number_y;   /* by face: particles around, with their weights */
    float *old_u, *old_v;         /* m/s: velocities before forces and pressure */
    float *move_u, *move_v;       /* m/s: what carries the particles */
    float *inverse_u, *inverse_v; /* by face: 1/mean mass of the particles around, where masses differ */
    float *room;                  /* by cell: the open fraction of the cells around, weighted like the particles */
    double open_area;             /* m^2: of the container, less the obstacles */
    float *fill;                  /* by cell: particles per open area, 1: at rest */
    float *distance;              /* m, by cell: to the surface, negative in the liquid */
    float *pressure;              /* by cell, over pressure_unit */
    float pressure_unit;          /* Pa */
    pd_double2 momentum;          /* at the faces after forces: flip_reaction.c */
    uint8_t *marks;               /* by cell */
    flip_run *runs;
    int run_count, run_capacity, free_bodies; /* free_bodies: runs of those */
    float *rate;                              /* 1/s, by cell: expansion that spreads the particles */
    int columns, shift;                       /* buckets of a row of cells in the sort, each 1 << shift cells wide */
    pd_poisson_report report;                 /* of the last projection */
} flip_state;

/* The data of the loops over particles and faces (flip_wide.c). */
typedef struct flip_pass {
    const pd_world *world;
    const pd_particles *particles;
    flip_state *state;
    float *gradient[4]; /* the columns, or NULL */
    const int *start;   /* by bucket: its first particle */
    float origin_x, origin_y, cell, inverse_cell;
    float mass[PD_MAX_MATERIALS];
    const float *factor; /* the column FLIP_RAMP; NULL: the ramp of the rest density is over */
    float ramp;
    bool mixed;    /* materials have different masses */
    bool counting; /* pairs of mass and number, in place of momentum and mass */
    float dt, blend, fastest;
    float spreading;      /* 1/s: expansion for each unit of fill above 1 */
    float separation;     /* in this substep; 0: none */
    float inverse_reach2; /* 1/m^2; particles closer than the reach repel one another */
    float most_shift;     /* m: of the separation, in x and in y */
    float particle_area;  /* in cells: of a particle at rest */
    float rest_density;   /* 1/m^2: the inverse of that */
    int transfer;
    int colour; /* 0, 1: even and odd blocks of rows */
} flip_pass;

enum { FLIP_BLOCK = 8 /* rows of cells */ };

/* Loop bodies; their context is a flip_pass. Rows of an array: 0 .. ny + 1, with the ghost rows. */
typedef struct flip_kernels {
    pd_loop_body *keys;            /* of particles: their buckets, for the sort */
    pd_loop_body *to_faces;        /* of blocks of rows of one colour: adds to pairs of momentum and mass */
    pd_loop_body *numbers;         /* of rows: numbers and inverse masses, from pairs of mass and number */
    pd_loop_body *velocities;      /* of rows: old velocities, from the pairs; and numbers, if all masses are equal */
    pd_loop_body *mark_cells;      /* of rows of cells, from 0 */
    pd_loop_body *fill_cells;      /* of rows of cells: fill and distance */
    pd_loop_body *spreading_rates; /* of rows of cells */
    pd_loop_body *fill_gaps;       /* of rows of cells: velocities of faces beside liquid without particles around */
    pd_loop_body *make_pairs;      /* of rows: pairs of new and old velocities */
    pd_loop_body *separate;        /* of rows of cells: shifts of particles, m, in old_x and old_y */
    pd_loop_body *to_particles;    /* of particles: velocities, then positions */
} flip_kernels;

/* flip_separation_wide.c */
pd_loop_body flip_separate_baseline, flip_separate_avx2, flip_separate_avx512;

extern const flip_kernels flip_kernels_baseline, flip_kernels_avx2, flip_kernels_avx512;

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
extern const pd_field_info flip_fields[FLIP_FIELDS];
extern const pd_number_info flip_numbers[FLIP_NUMBERS];
void flip_compute_field(const pd_world *world, void *state, int index, pd_field *field);
double flip_compute_number(const pd_world *world, void *state, int index);

/* flip_grid.c: the grid that scene and parameters ask for, as it is used, and the staggered grid of it. Errors:
 * OUT_OF_MEMORY. */
pd_grid flip_wanted_grid(const pd_world *world);
pd_result flip_create_mac(const pd_world *world, pd_mac **mac, pd_error *error);
/* The walls of the world's boundary, which is another one now. On an error nothing has changed. Errors: OUT_OF_MEMORY. */
pd_result flip_replace_walls(const pd_world *world, pd_mac *mac, pd_error *error);
/* pd_method.warning */
bool flip_warning(const pd_world *world, const void *state, int index, char *text, size_t size);

/* Records the momentum at the faces, from the pairs. */
void flip_record_momentum(flip_state *state);
/* Gives the walls the impulse that the liquid has lost since then. */
void flip_push_walls(const flip_pass *s);

/* Implicit diffusion of the velocities; viscosity in m^2/s. */
void flip_diffuse(flip_state *state, float viscosity, float dt, const pd_poisson_method *method, pd_pool *pool);

/* Finds the bodies of liquid and, of those that touch no wall, the momentum at the faces as it is to remain; from the
 * pairs, the marks and the velocities of the grid. */
void flip_find_bodies(flip_state *state);
/* Takes this part of the velocities of bodies that touch a wall, and less of those above `speed`, m/s. */
void flip_damp(flip_state *state, float part, float speed);
/* Takes back what u and v (m/s, by face) have since changed of that. */
void flip_keep_momentum(flip_state *state, float *u, float *v);

#endif
