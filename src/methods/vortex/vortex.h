/* Vortex particles with buoyancy: declarations shared by the files of the method `vortex`. */
#ifndef PUDDLE_METHODS_VORTEX_VORTEX_H
#define PUDDLE_METHODS_VORTEX_VORTEX_H

#include "mac/reaction.h"
#include "sim/displace.h"
#include "sim/world.h"
#include "vortex/induction.h"

enum {
    VORTEX_CORE,
    VORTEX_SOLVER,
    VORTEX_TOLERANCE,
    VORTEX_AMBIENT_DENSITY,
    VORTEX_AMBIENT,
    VORTEX_BUOYANCY,
    VORTEX_VISCOSITY,
    VORTEX_TRACERS,
    VORTEX_PARAMETERS
};
/* Number of positions in a batch of velocity queries outside the integrator. The tree groups positions by batch, so
 * another size gives other bits. */
enum { VORTEX_CHUNK = 8192 };

/* State of the method. There are two kinds of vortons:
 * - Vortons of the scene file are single vortices. They have no area, never merge, and spread by growing cores.
 * - Field vortons discretise vorticity and density of the fluid. They have an area and a common core radius, and their
 * distance is about a cell. When the flow has strained them too much, remeshing replaces them by vortons at the
 * nodes. */
typedef struct vortex_state {
    int count, capacity;    /* number of vortons, and number for which the arrays have memory */
    uint32_t next_id;       /* id of the next vorton */
    float *x, *y, *vx, *vy; /* by vorton: position, m, and velocity, m/s */
    /* By vorton: position at the beginning of the step, m, for interpolation in views. */
    float *previous_x, *previous_y;
    float *circulation;          /* by vorton: circulation, m^2/s */
    float *core;                 /* by vorton: core radius, m */
    float *area;                 /* by vorton: area, m^2; 0: a vorton of the scene file */
    float *mass;                 /* by vorton: (density - ambient density) x area, 1,000 kg/m */
    uint32_t *id;                /* by vorton: number in order of creation, for views */
    float field_vorton_core;     /* core radius of field vortons, m */
    float core_at_grid_creation; /* value of the parameter vortex.core when the grid was created, m */
    /* Range of density - ambient density over all fluid since the start, ambient fluid (0) included, 1,000 kg/m^3. */
    float least_density_deviation, greatest_density_deviation;
    double core_rotation;    /* rotation of the fastest core since the last remeshing, rad */
    double *pending_area;    /* by emitter: area of emitted fluid for which no vorton was added yet, m^2 */
    uint32_t *emitted_count; /* by emitter: number of emitted vortons */
    float tracer_spacing;    /* spacing of the tracers that add_tracers_to_empty_scene has added, m; 0: none */

    /* Nodes are the centres of the grid's cells. The grid's velocities are the potential flow that obstacles and
     * sources of volume add to the vortons' flow (vortex_walls.c). */
    pd_mac *mac;
    /* Velocities of the walls at the faces, m/s. solve_potential_flow changes the copy in mac. */
    float *wall_u, *wall_v;
    float *kernel_sum_at_rest; /* by node: sum of the kernels of evenly spaced vortons; 0: node in a wall */
    float *density;            /* by node: density - ambient density, 1,000 kg/m^3 */
    float *circulation_gain;   /* by node: circulation that is still to be added to vortons, m^2/s */
    float *kernel_sum;         /* by node: sum over the vortons of kernel, or of kernel x circulation (m^2/s) */
    /* By node: change of the velocity by a tool, m/s. Other functions use these arrays as working memory. */
    float *velocity_change_x, *velocity_change_y;
    float *target_circulation; /* by element of listed_indices: circulation of the node's shear
                                * layer that stops the whole slip at the wall, m^2/s */
    float *source;             /* by cell: volume added per volume and time, 1/s */
    uint8_t *inside;           /* by node: 1 if in the container */
    size_t *listed_indices; /* a list of nodes, or of faces that obstacles cover: vertical ones, then horizontal ones */
    float *node_x, *node_y, *node_u, *node_v; /* by element of listed_indices: position, m, and velocity, m/s */
    int face_count, vertical_count;           /* numbers of listed faces, and of vertical ones among them */
    bool has_sources;                         /* `source` has values other than 0 */
    bool has_potential_flow;                  /* mac->u and mac->v contain a potential flow */
    int *first_in_cell, *vortons_by_cell;     /* vortons sorted by cell (sort_field_vortons_by_cell) */
    float *circulation_change;                /* by vorton: change of the circulation, m^2/s */

    pd_induction *induction;  /* solver of the velocities that vortons induce */
    pd_induction_walls walls; /* container or single disc, which image vortices represent */
    /* Runge-Kutta stages, by point. Points are the vortons, then the tracers.
     * - point_x, point_y: positions in the present stage, m
     * - from_x, from_y: positions at the beginning of the substep, m
     * - rate_x, rate_y: velocities in the present stage, m/s
     * - sum_x, sum_y: weighted sums of the velocities in the stages so far, m/s */
    int point_capacity, particle_capacity; /* numbers of points and of particles for which memory is allocated */
    float *point_x, *point_y, *from_x, *from_y, *sum_x, *sum_y, *rate_x, *rate_y;
    int *point_order, *order;       /* indices of all points, and of the vortons, along a space-filling curve */
    float *samples;                 /* arrays x, y, u, v of the cells of view fields, m and m/s */
    size_t sample_capacity;         /* cells for which `samples` has memory */
    uint64_t sample_version;        /* world->version at which `samples` was computed */
    float *dye_work;                /* work array of vortex_fields.c */
    size_t dye_work_capacity;       /* floats for which dye_work has memory */
    bool has_stepped;               /* true once a step was computed */
    pd_mac_sums fluid_sums;         /* momentum of the fluid, N s/m, and twice its energy, J/m */
    uint64_t fluid_sums_version;    /* world->version at which fluid_sums was computed */
    uint64_t wall_impulses_version; /* world->version at which the walls' impulses were computed */
    float fastest_speed;            /* greatest speed of a vorton or tracer in the last substep, m/s */
    float fastest_rotation;         /* greatest angular velocity of a core in the last substep, rad/s */
} vortex_state;

/* Grows the arrays of vortons. Returns false, without a change, if memory runs out. */
bool pd_vortex_reserve_vortons(vortex_state *state, int capacity);
/* Appends a vorton with velocity 0, or nothing if memory runs out. Other parameters: as the members of vortex_state. */
void pd_vortex_add_vorton(vortex_state *state, pd_vec2 position, float circulation, float core, float area, float mass);
/* Copies all values of vorton `from` to vorton `to`. */
void pd_vortex_copy_vorton(vortex_state *state, int from, int to);
/* Returns a material's density minus the ambient density, 1,000 kg/m^3. */
float pd_vortex_density_deviation(const pd_world *world, int material);
/* Returns a region's density at a point minus the ambient density, 1,000 kg/m^3. */
float pd_vortex_region_density_deviation(const pd_world *world, const pd_region *region, pd_vec2 point);

/* Kernel of a vorton: the 3 x 3 nodes around it, and their weights (quadratic B-spline). */
typedef struct vortex_kernel {
    size_t first;     /* index of the lower left node */
    float x[3], y[3]; /* weights by column and by row */
} vortex_kernel;
/* Computes the kernel of a vorton at (x, y). Returns false outside of the grid. */
bool pd_vortex_find_kernel_nodes(const pd_mac *mac, float x, float y, vortex_kernel *kernel);

/* ---- Functions of vortex_nodes.c ---- */
/* Replaces all vortons by the vortons that the scene lists, and by field vortons with the density and vorticity of the
 * scene's regions. */
void pd_vortex_create_vortons_from_scene(pd_world *world, vortex_state *state);
/* Replaces all vortons by field vortons with the density and velocity of the world's particles. at_start: true if these
 * particles are listed in the scene and the world begins: the scene's vortons are then added too. */
void pd_vortex_create_vortons_from_particles(pd_world *world, vortex_state *state, bool at_start);
/* Remeshing: replaces the field vortons by vortons at the nodes. Conserves circulation and mass, and also their first
 * moments, except where weak nodes are merged into neighbours. */
void pd_vortex_remesh(pd_world *world, vortex_state *state);
/* Distributes each node's circulation_gain over the vortons around it, or creates a vorton if there are none. */
void pd_vortex_add_circulation_gain_to_vortons(pd_world *world, vortex_state *state);
/* Adds the circulation of (velocity_change_x, velocity_change_y) around each node to its circulation_gain. Beyond the
 * container's walls the change counts as constant. */
void pd_vortex_add_curl_of_velocity_change_to_circulation_gain(vortex_state *state);
/* Moves values that kernels deposited on nodes in walls to open neighbours, so that the sums of the circulation and
 * mass of vortons near walls are conserved. */
void pd_vortex_move_values_off_closed_nodes(const pd_mac *mac, float *nodes);
/* Sets kernel_sum[node] to the circulation that the kernels of the field vortons (which carry the fluid's vorticity)
 * deposit on the node. */
void pd_vortex_deposit_circulation_on_nodes(vortex_state *state);
/* Sets `density` to the density deviation that the field vortons' kernels deposit on the nodes. */
void pd_vortex_deposit_density_on_nodes(vortex_state *state);

/* Adds the circulation that buoyancy, tools, emitters and no-slip walls generate in dt (vortex_forces.c). */
void pd_vortex_apply_forces(pd_world *world, vortex_state *state, float dt);
/* Adds vortons for the fluid that emitters have emitted in dt. */
void pd_vortex_add_emitted_vortons(pd_world *world, vortex_state *state, float dt);
void pd_vortex_remove_drained_vortons(pd_world *world, vortex_state *state);

/* Pours or erases vortons with the tool of the pointer, once a step (vortex_fields.c). */
void pd_vortex_pour_or_erase(pd_world *world, vortex_state *state);

/* Diffuses the vortons' circulation by the viscosity for dt seconds (vortex_forces.c). */
void pd_vortex_diffuse_circulation(pd_world *world, vortex_state *state, float dt);

/* Arguments of the exchange of circulation between neighbouring vortons. */
typedef struct vortex_exchange {
    const pd_layout *layout;    /* layout of the cells */
    const int *vortons_by_cell; /* indices of the field vortons, sorted by cell */
    const int *start;           /* by cell: index in vortons_by_cell of its first vorton */
    int *cell_of;               /* by vorton: index of its cell; -1: none */
    /* By element of vortons_by_cell: position, m; area, m^2; circulation and its change, m^2/s. */
    float *x, *y, *area, *circulation, *circulation_change;
    float factor;         /* 1/m^2, on sums over neighbours of (own area x circulation - area x own circulation) */
    float inverse_width2; /* 1 / kernel width^2, 1/m^2 */
} vortex_exchange;

/* Computes circulation_change for the elements [begin, end) of vortons_by_cell (vortex_wide.c, compiled once for each
 * SIMD level). */
typedef void vortex_exchange_range(const vortex_exchange *e, int begin, int end);
vortex_exchange_range pd_vortex_exchange_circulation_baseline, pd_vortex_exchange_circulation_avx2,
    pd_vortex_exchange_circulation_avx512;

/* ---- Functions of vortex_walls.c ---- */
/* Creates the grid, and sets up its walls. Errors: OUT_OF_MEMORY. */
pd_result pd_vortex_create_grid(pd_world *world, vortex_state *state, pd_error *error);
/* Updates the grid for edited walls, and moves vortons out of walls that now cover them. On an error the state is
 * unchanged. Errors: OUT_OF_MEMORY; SCENE_VALUE: a vorton has no place. */
pd_result pd_vortex_replace_walls(pd_world *world, vortex_state *state, const pd_boundary *before, pd_error *error);
/* Implements pd_method.warning. */
bool pd_vortex_write_warning(const pd_world *world, const void *memory, int index, char *text, size_t size);
/* Updates the grid's open fractions and wall velocities. */
void pd_vortex_update_grid_walls(pd_world *world, vortex_state *state);
/* Updates the grid and the image vortices for the walls at the end of the substep, and computes `source`. */
void pd_vortex_update_walls_and_sources(pd_world *world, vortex_state *state, float dt);
/* Prepares the velocity field of the vortons, as if vorton n were at (x[n], y[n]). */
void pd_vortex_prepare_velocity_field(const pd_world *world, vortex_state *state, const float *x, const float *y);
/* Computes the velocities of the prepared field, m/s, at `count` positions (x, y). */
void pd_vortex_compute_velocities(const pd_world *world, vortex_state *state, int count, const float *x, const float *y,
                                  float *vx, float *vy);
/* Prepares the Runge-Kutta stages of a substep: sorts the `count` Runge-Kutta points along a space-filling curve, and
 * lists the faces that obstacles cover. */
void pd_vortex_prepare_runge_kutta_stages(const pd_world *world, vortex_state *state, int count);
/* Sets rate_x and rate_y to the velocities at the Runge-Kutta points (point_x, point_y), of which the first are the
 * vortons. Call pd_vortex_prepare_runge_kutta_stages before. */
void pd_vortex_compute_point_velocities(const pd_world *world, vortex_state *state, int count);
/* Moves positions (x, y) that are beyond the surface of vortex_state.walls (outside the container, or inside the disc)
 * to this surface. */
void pd_vortex_push_points_out_of_image_walls(const pd_world *world, const vortex_state *state, int count, float *x,
                                              float *y);

/* ---- Fields and numbers (pd_vortex_fields.c) ---- */
enum {
    VORTEX_FIELD_SMOKE,
    VORTEX_FIELD_SPEED,
    VORTEX_FIELD_VORTICITY,
    VORTEX_FIELD_DENSITY,
    VORTEX_FIELD_X,
    VORTEX_FIELD_Y,
    VORTEX_FIELDS
};
enum {
    VORTEX_NUMBER_CIRCULATION,
    VORTEX_NUMBER_ENERGY,
    VORTEX_NUMBER_MOMENTUM_X,
    VORTEX_NUMBER_MOMENTUM_Y,
    VORTEX_NUMBER_VORTONS,
    VORTEX_NUMBERS
};
extern const pd_field_info pd_vortex_fields[VORTEX_FIELDS];
extern const pd_number_info pd_vortex_numbers[VORTEX_NUMBERS];
void pd_vortex_compute_field(const pd_world *world, void *memory, int index, pd_field *field);
double pd_vortex_compute_view_number(const pd_world *world, void *memory, int index);

/* Returns fluid_sums, updated if the world has changed. In vortex_impulse.c. */
const pd_mac_sums *pd_vortex_sum_energy_and_momentum(const pd_world *world, vortex_state *state);
/* Computes the impulses on the walls (pd_method.impulses). In vortex_impulse.c. */
void pd_vortex_compute_wall_impulses(const pd_world *world, void *memory);

#endif
