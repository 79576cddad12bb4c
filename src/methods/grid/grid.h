/* State and functions shared by the files of the method `grid`, an Eulerian fluid on a staggered grid. */
#ifndef PUDDLE_METHODS_GRID_GRID_H
#define PUDDLE_METHODS_GRID_GRID_H

#include "mac/advect.h"
#include "mac/mac.h"
#include "mac/reaction.h"
#include "methods/sources.h"
#include "sim/world.h"

/* Loops of the grid fluid, compiled for each SIMD level (grid_wide.c). */

/* Arguments of the loops that diffuse one component of the velocity. The arrays closed_neighbours and those of
 * `equation` have the layout equation->layout. The arrays `open` and `velocity` have the layout `layout`. */
typedef struct grid_diffusion {
    const pd_layout *layout; /* layout of the grid */
    pd_poisson *equation;    /* diffusion equation, whose cells are the component's faces */
    const float *open;       /* open fractions of the faces */
    float *velocity;         /* velocities at the faces, m/s */
    /* by open face, bits 0 to 3: the face at the left, right, below, above is closed or outside */
    uint8_t *closed_neighbours;
    float *fastest; /* by row: greatest speed, m/s */
    float inverse;  /* 1/(viscosity dt/cell^2) */
} grid_diffusion;

#define GRID_DECLARE(level)                                                                                            \
    void pd_grid_compute_curl_##level(const pd_mac *mac, float *curl, int begin, int end);                             \
    void pd_grid_compute_confinement_##level(const pd_mac *mac, const float *curl, float strength, float *force_x,     \
                                             float *force_y, int begin, int end);                                      \
    void pd_grid_add_force_##level(pd_mac *mac, const float *force_x, const float *force_y, float factor_x,            \
                                   float factor_y, int begin, int end);                                                \
    void pd_grid_add_dye_weight_##level(const pd_layout *layout, const float *dye, float factor, float *weight,        \
                                        int begin, int end);                                                           \
    void pd_grid_correct_dye_##level(const pd_layout *layout, float *dye, float gain, int begin, int end);             \
    float pd_grid_greatest_magnitude_##level(const float *values, int count);                                          \
    void pd_grid_limit_velocities_##level(pd_mac *mac, float fastest, int begin, int end);                             \
    void pd_grid_set_diffusion_matrix_##level(const grid_diffusion *d, int begin, int end);                            \
    void pd_grid_set_diffusion_rhs_##level(const grid_diffusion *d, int begin, int end);                               \
    void pd_grid_store_diffused_velocities_##level(const grid_diffusion *d, int begin, int end);
GRID_DECLARE(baseline)
GRID_DECLARE(avx2)
GRID_DECLARE(avx512)

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

/* Sums over the open cells, for the numbers of a view. */
typedef struct grid_sums {
    uint64_t version;      /* world->version when the sums were computed; 0: never */
    double curl;           /* sum over the cells of open fraction x curl of the velocity, 1/s */
    double squared_speeds; /* sum over the cells of open fraction x squared speed, m^2/s^2 */
    double cells;          /* sum of the cells' open fractions */
    double greatest;       /* greatest squared speed of a cell, m^2/s^2 */
    pd_mac_sums faces;     /* sums over the faces */
} grid_sums;

typedef struct grid_state {
    pd_mac *mac;                   /* staggered grid: velocities, walls, pressure equation */
    pd_poisson *diffusion[2];      /* diffusion equations of the x and the y velocity; NULL without viscosity */
    uint8_t *closed_neighbours[2]; /* by velocity component: grid_diffusion.closed_neighbours */
    /* cell^2/(viscosity dt) from which the coefficients of `diffusion` were computed. 0: they must be computed
     * again. */
    float matrix_diffusion_inverse;
    /* Arrays for the results of the transport, whose pointers are then swapped with those of the velocities and
     * dyes. */
    float *next[2 * PD_MOST_TRANSPORTED];
    float *work;                     /* working memory of several functions, one float by cell */
    float *source;                   /* divergence set by sources in the last projection, 1/s */
    bool has_sources;                /* `source` has values other than 0 */
    int dye_count;                   /* number of dyes: one for each material */
    float *dye[PD_MAX_MATERIALS];    /* by material: amount of dye in each cell, [0, 1] */
    bool has_dye[PD_MAX_MATERIALS];  /* by material: false: its dye is 0 in all cells */
    double amount[PD_MAX_MATERIALS]; /* by material: sum of its dye over the cells (pd_grid_measure_dye_amounts) */
    double *sums;                    /* by row: two sums, working memory of sum_dye_of_rows */
    double pressure_unit;            /* pressure where the solution mac->poisson->q is 1, Pa */
    pd_poisson_report report;        /* report of the last projection */
    grid_sums summed;                /* sums for the numbers of the view */
} grid_state;

/* Returns the number of rows in a chunk of parallel work. */
int pd_grid_rows_per_chunk(const grid_state *state);
/* Sets dyes and velocities from the scene's regions (pd_grid_set_fields_from_regions) or from the particles of another
 * method (pd_grid_set_fields_from_particles). */
void pd_grid_set_fields_from_regions(pd_world *world, grid_state *state);
void pd_grid_set_fields_from_particles(pd_world *world, grid_state *state);
/* Computes state->amount from the dyes. Call it before the walls of this substep are updated. In a closed container
 * pd_grid_transport_dyes and pd_grid_restore_dye_amounts later scale the dyes back to these amounts. */
void pd_grid_measure_dye_amounts(pd_world *world, grid_state *state);
/* Restores the dye amounts that pd_grid_measure_dye_amounts has stored, after an edit of the walls. */
void pd_grid_restore_dye_amounts(pd_world *world, grid_state *state);
void pd_grid_transport_dyes(pd_world *world, grid_state *state, float dt);
/* Applies sources to the dyes: emitters, drains, the pour tool, and changes of one dye into another (scene key
 * `changes`). */
void pd_grid_apply_dye_sources(pd_world *world, grid_state *state, float dt);

/* Sets velocities and dyes from the scene's cells (grid_dyes.c). Returns false if the values were interpolated. */
bool pd_grid_set_fields_from_scene_cells(pd_world *world, grid_state *state);
/* Writes velocities and dyes to `cells` (pd_method.cells). Errors: OUT_OF_MEMORY. */
pd_result pd_grid_write_fields_to_scene_cells(const pd_world *world, const void *memory, pd_cells *cells,
                                              pd_error *error);

/* Applies forces to the velocities, and limits them (grid_forces.c). */
void pd_grid_apply_forces(pd_world *world, grid_state *state, float dt);

/* Diffuses the velocities implicitly: (1 - dt viscosity laplacian) u = (u before). The container's `slip` says whether
 * walls are free-slip or no-slip. */
void pd_grid_diffuse_velocities(pd_world *world, grid_state *state, float dt);
/* Allocates the memory of pd_grid_diffuse_velocities. Errors: OUT_OF_MEMORY. */
pd_result pd_grid_allocate_diffusion_equations(grid_state *state, pd_error *error);
void pd_grid_free_diffusion_equations(grid_state *state);

/* Fields and numbers of the views (pd_grid_fields.c). */
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
/* Returns the pressure at rest under gravity, Pa. Its least value in the container is 0. */
float pd_grid_hydrostatic_pressure(const pd_world *world, pd_vec2 p);
extern const pd_field_info pd_grid_fields[GRID_FIELDS];
extern const pd_number_info pd_grid_numbers[GRID_NUMBERS];
void pd_grid_compute_field(const pd_world *world, void *memory, int index, pd_field *field);
double pd_grid_compute_view_number(const pd_world *world, void *memory, int index);

#endif
