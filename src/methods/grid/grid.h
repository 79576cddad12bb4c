/* Eulerian fluid on a staggered grid: shared by the files of the method `grid`. */
#ifndef PUDDLE_METHODS_GRID_GRID_H
#define PUDDLE_METHODS_GRID_GRID_H

#include "mac/advect.h"
#include "mac/reaction.h"
#include "methods/sources.h"
#include "sim/world.h"

enum {
    GRID_RESOLUTION,
    GRID_SOLVER,
    GRID_ITERATIONS,
    GRID_OVER_RELAXATION,
    GRID_TOLERANCE,
    GRID_ADVECTION,
    GRID_DENSITY,
    GRID_VISCOSITY,
    GRID_VORTICITY,
    GRID_BUOYANCY,
    GRID_AMBIENT,
    GRID_PARAMETERS
};
enum { GRID_LINEAR, GRID_MACCORMACK };

extern const pd_parameter grid_parameters[GRID_PARAMETERS];

/* Sums over the cells for the numbers of a view. */
typedef struct grid_sums {
    uint64_t version; /* of the world; 0: none yet */
    double circulation, square, greatest,
        cells; /* of the curl, of the squared speed, the greatest of these, open cells */
    pd_mac_sums faces;
} grid_sums;

typedef struct grid_state {
    pd_mac *mac;
    /* Of the x and the y velocity; NULL while there is no viscosity. */
    pd_poisson *diffusion[2];
    uint8_t *beside[2]; /* grid_levels.h */
    float diffused; /* grid_diffusion.inverse of which the equations have the coefficients; 0: the walls have moved */
    /* Results of the transport, arrays that change places with those of mac and of the dyes. */
    float *next[2 * PD_MOST_TRANSPORTED];
    float *work;                  /* one more array: curl, coverage */
    float *source;                /* 1/s: the divergence that was asked for in the last projection */
    bool sourced;                 /* it was not 0 everywhere */
    int dye_count;                /* one dye for each material */
    float *dye[PD_MAX_MATERIALS]; /* amount in each cell, 0 .. 1 */
    bool present[PD_MAX_MATERIALS];
    double amount[PD_MAX_MATERIALS]; /* of each dye, in cells: grid_measure_dyes */
    double *sums;                    /* two for each row */
    double pressure;                 /* Pa for a unit of the solver's q */
    pd_poisson_report report;        /* of the last projection */
    grid_sums summed;
} grid_state;

/* Rows to a chunk of parallel work on whole rows of cells. */
int grid_grain(const grid_state *state);
/* No motion, no dyes. */
void grid_clear(grid_state *state);
/* grid_dyes.c: the dyes from the scene's regions, or from particles that another method moved, and the velocities from
 * the same. */
void grid_fill_from_regions(pd_world *world, grid_state *state);
void grid_fill_from_particles(pd_world *world, grid_state *state);
/* Moves the dyes along the velocities. In a closed container the amount of each stays what it was when it was measured,
 * before the walls of this substep. */
void grid_measure_dyes(pd_world *world, grid_state *state);
/* The same after an edit of the walls, without moving. */
void grid_keep_dyes(pd_world *world, grid_state *state);
void grid_move_dyes(pd_world *world, grid_state *state, float dt);
/* Dye that emitters bring and drains take away, that the tool paints, and that changes into another (scene key
 * `changes`). */
void grid_source_dyes(pd_world *world, grid_state *state, float dt);
/* Adds an amount of a dye to a cell, in which the other dyes make room for it. */
void grid_add_dye(grid_state *state, int material, size_t cell, float amount);

/* grid_cells.c: velocities and dyes from the scene's cells, true: as they are, false: interpolated between these; and as they
 * are now, as pd_method.cells. */
bool grid_fill_from_cells(pd_world *world, grid_state *state);
pd_result grid_tell_cells(const pd_world *world, const void *memory, pd_cells *cells, pd_error *error);

/* grid_paint.c: the tool's dye along its stroke in this substep, with the tracers that go with it. */
void grid_paint(pd_world *world, grid_state *state, float dt);
/* Takes the dyes along that stroke away; their tracers are the world's part (sim/tools/pour.c). */
void grid_erase(const pd_world *world, grid_state *state);

/* grid_forces.c */
void grid_apply_forces(pd_world *world, grid_state *state, float dt);

/* Gives the walls the impulse of the pressure, with that of the fluid's weight, in this substep. */
void grid_push_walls(pd_world *world, const grid_state *state, float dt);

/* grid_viscosity.c */
/* Diffusion of momentum, implicit: (1 - dt viscosity laplacian) u = u before. Walls as the container's slip says. */
void grid_diffuse(pd_world *world, grid_state *state, float dt);
/* Allocates what grid_diffuse needs. Errors: OUT_OF_MEMORY. */
pd_result grid_allocate_diffusion(grid_state *state, pd_error *error);
void grid_free_diffusion(grid_state *state);

/* grid_fields.c: what the views show. */
enum {
    GRID_FIELD_SMOKE,
    GRID_FIELD_PRESSURE,
    GRID_FIELD_SPEED,
    GRID_FIELD_VORTICITY,
    GRID_FIELD_DIVERGENCE,
    GRID_FIELD_X,
    GRID_FIELD_Y,
    GRID_FIELD_SOLID,
    GRID_FIELDS
};
enum {
    GRID_NUMBER_DIVERGENCE,
    GRID_NUMBER_CIRCULATION,
    GRID_NUMBER_RMS_SPEED,
    GRID_NUMBER_MAX_SPEED,
    GRID_NUMBER_ENERGY,
    GRID_NUMBER_MOMENTUM_X,
    GRID_NUMBER_MOMENTUM_Y,
    GRID_NUMBER_ITERATIONS,
    GRID_NUMBERS
};
/* The pressure at rest under gravity, 0 where it is least in the container, Pa. */
float grid_hydrostatic(const pd_world *world, pd_vec2 p);
extern const pd_field_info grid_fields[GRID_FIELDS];
extern const pd_number_info grid_numbers[GRID_NUMBERS];
void grid_compute_field(const pd_world *world, void *memory, int index, pd_field *field);
double grid_compute_number(const pd_world *world, void *memory, int index);

#endif
