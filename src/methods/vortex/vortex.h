/* Vortex particles with buoyancy: shared by the files of the method `vortex`. */
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
/* Positions to a call of induction outside of the integration: the tree groups them, so their number changes the bits. */
enum { VORTEX_CHUNK = 8192 };
extern const pd_parameter vortex_parameters[VORTEX_PARAMETERS];

/* The vortons come first, in two kinds. Those of the scene file are vortices of their own: they have no area, never
 * merge, and spread by their cores. The others discretise the vorticity and the density of the fluid: they have an area
 * and one common core, lie about a spacing apart, and are set anew on the nodes when the flow has strained them. */
typedef struct vortex_state {
    int count, capacity;
    uint32_t next_id;
    float *x, *y, *vx, *vy;         /* m, m/s */
    float *previous_x, *previous_y; /* m, at the beginning of the step: views are drawn between the two */
    float *circulation;             /* m^2/s */
    float *core;                    /* m */
    float *area;                    /* m^2; 0: a vortex of the scene file */
    float *mass;                    /* 1,000 kg/m: deviation of the density from the ambient one, times the area */
    uint32_t *id;
    float field_core;         /* m, of vortons with an area */
    float wanted_core;        /* the parameter's value that it follows */
    float lightest, heaviest; /* 1,000 kg/m^3: deviations of the fluid that came in, and 0 */
    double strain;            /* rad that the fastest core has turned by since the vortons were set on the nodes */
    double *poured;           /* by emitter, m^2: area that has no vorton yet */
    uint32_t *poured_count;   /* by emitter: vortons that it has sent out */
    float tracer_spacing;     /* m, of tracers that the method has added; 0: none */

    /* The nodes are the centres of the grid's cells. Its velocities are the potential flow that obstacles and sources of
     * volume add to that of the vortons: vortex_walls.c. */
    pd_mac *mac;
    float *wall_x, *wall_y; /* m/s: of the walls, as mac has them */
    float *clear;           /* sum of the kernels of evenly spread fluid at each node; 0: closed */
    float *density;         /* 1,000 kg/m^3, deviation, at each node */
    float *gain;            /* m^2/s: circulation that each node gives to its vortons */
    float *weight;          /* sum of the vortons' kernels at each node */
    float *push_x, *push_y; /* m/s: change of the velocity by a tool at each node; of a layer: vortex_forces.c */
    float *wanted;          /* m^2/s: circulation of the listed nodes that walls and emitters ask for */
    float *source;          /* 1/s */
    uint8_t *inside;        /* by node: the container contains it */
    size_t *listed;         /* a list of nodes, or of the faces that obstacles cover: vertical ones first */
    float *node_x, *node_y, *node_u, *node_v; /* their places and velocities, m and m/s */
    int face_count, upright_count;
    bool sourced, corrected; /* there are sources; mac->u and v hold a flow */
    int *bin_start, *bin;    /* vortons by cell: vortex_diffusion.c */
    float *change;           /* m^2/s, by vorton */

    pd_induction *induction;
    pd_induction_walls walls; /* those that images take into account */
    /* Places of one stage of a substep, the vortons before the tracers, and what its integration needs. */
    int place_capacity, particle_capacity;
    float *place_x, *place_y, *from_x, *from_y, *sum_x, *sum_y, *rate_x, *rate_y;
    int *place_order, *order; /* of all places, and of the vortons, along a curve */
    float *shown;             /* places and velocities of the views' cells, of world->version shown_version */
    size_t shown_cells;
    uint64_t shown_version;
    float *mixed; /* work space of vortex_dyes.c */
    size_t mixed_floats;
    bool stepped;                            /* since the state was created */
    pd_mac_sums summed;                      /* momentum, N s/m, and twice the energy, J/m */
    uint64_t summed_version, pushed_version; /* of the world: of `summed`, and of the walls' impulses */
    float fastest, turn;                     /* m/s, rad/s: greatest speed and rotation in the last substep */
} vortex_state;

/* Grows the arrays of vortons; false: no memory, and nothing has changed. */
bool vortex_reserve(vortex_state *state, int capacity);
/* Grows the arrays of places, and what induction needs for them. */
bool vortex_reserve_places(vortex_state *state, int particles);
/* Appends a vorton at rest; without memory for it nothing happens. */
void vortex_add(vortex_state *state, pd_vec2 position, float circulation, float core, float area, float mass);
/* Overwrites a vorton with another one. */
void vortex_copy(vortex_state *state, int from, int to);
/* The deviation of a material's density from that of the fluid around it, 1,000 kg/m^3. */
float vortex_deviation(const pd_world *world, int material);
/* The same of a region's fluid at a point. */
float vortex_region_deviation(const pd_world *world, const pd_region *region, pd_vec2 point);

/* The nodes that a vorton exchanges with: the 3 x 3 around it, with the weights of a quadratic B-spline. False: it is
 * outside the grid. */
typedef struct vortex_kernel {
    size_t first; /* the lower left node */
    float x[3], y[3];
} vortex_kernel;
bool vortex_find_kernel(const pd_mac *mac, float x, float y, vortex_kernel *kernel);

/* vortex_nodes.c */
void vortex_fill_from_regions(pd_world *world, vortex_state *state);
/* at_start: of a scene that lists its particles: with its vortons. */
void vortex_fill_from_particles(pd_world *world, vortex_state *state, bool at_start);
/* Sets the vortons that have an area on the nodes, keeping circulation and mass, and the first moments of
 * both but for what weak nodes carry, which merge into a node beside them. */
void vortex_remesh(pd_world *world, vortex_state *state);
/* Gives each node's gain to the vortons around it, or to a new one where there are none. */
void vortex_share_gain(pd_world *world, vortex_state *state);
/* Adds the circulation of the velocities in push_x and push_y to the gain. Beyond the container they continue evenly. */
void vortex_add_curl(vortex_state *state);
/* Adds what a kernel has left on closed nodes to the open ones beside them, so that nodes at a wall get all of the vortons
 * beside them. */
void vortex_fold(const pd_mac *mac, float *nodes);
/* Circulation of the vortons with an area at the nodes, into `weight`. */
void vortex_find_circulation(vortex_state *state);
/* Deviation of the density at the nodes. */
void vortex_find_density(vortex_state *state);

/* vortex_forces.c: circulation made by buoyancy, tools, emitters and walls without slip. */
void vortex_apply_forces(pd_world *world, vortex_state *state, float dt);
/* Vortons that emitters bring and drains take away. */
void vortex_pour(pd_world *world, vortex_state *state, float dt);
void vortex_drain(pd_world *world, vortex_state *state);

/* vortex_tool.c: what pouring and erasing do to the vortons, once a step. */
void vortex_use_tool(pd_world *world, vortex_state *state);

/* vortex_diffusion.c */
void vortex_diffuse(pd_world *world, vortex_state *state, float dt);

/* Exchange of circulation: vortons in the order of their cells. */
typedef struct vortex_exchange {
    const pd_layout *layout;
    const int *start, *bin; /* of each cell, in bin and in the arrays below; numbers of the vortons */
    int *cell_of;           /* by number */
    float *x, *y, *area, *circulation;
    float *change;          /* of the circulation, m^2/s */
    float factor, inverse2; /* 1/m^2 both */
} vortex_exchange;

/* vortex_wide.c, compiled for each SIMD level: the change of vortons begin .. end - 1. */
typedef void vortex_exchange_function(const vortex_exchange *e, int begin, int end);
vortex_exchange_function vortex_exchange_range_baseline, vortex_exchange_range_avx2, vortex_exchange_range_avx512;

/* vortex_walls.c */
pd_result vortex_create_walls(pd_world *world, vortex_state *state, pd_error *error);
/* After an edit of the scene: the new walls on the nodes, and the vortons out of them. Errors: OUT_OF_MEMORY, SCENE_VALUE (they
 * find no place); nothing has changed then. */
pd_result vortex_replace_walls(pd_world *world, vortex_state *state, const pd_boundary *before, pd_error *error);
/* pd_method.warning */
bool vortex_warning(const pd_world *world, const void *memory, int index, char *text, size_t size);
/* Reads the walls as they are now. */
void vortex_place_walls(pd_world *world, vortex_state *state);
/* Reads the walls as they are at the end of the substep, and finds the sources of volume. */
void vortex_update_walls(pd_world *world, vortex_state *state, float dt);
/* Prepares the velocity field of the vortons at these positions. */
void vortex_prepare_field(const pd_world *world, vortex_state *state, const float *x, const float *y);
/* The velocities of the prepared field, m/s. */
void vortex_velocities(const pd_world *world, vortex_state *state, int count, const float *x, const float *y, float *vx,
                       float *vy);
/* Finds what serves for all stages of a substep: the order of the places, `count` in all, and the faces of obstacles. */
void vortex_begin_stages(const pd_world *world, vortex_state *state, int count);
/* After that: the velocities of the places in the field of the vortons at theirs, into rate_x and rate_y. */
void vortex_place_velocities(const pd_world *world, vortex_state *state, int count);
/* Moves positions that are beyond a wall with images to its near side. */
void vortex_keep_inside(const pd_world *world, const vortex_state *state, int count, float *x, float *y);

/* vortex_fields.c */
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
extern const pd_field_info vortex_fields[VORTEX_FIELDS];
extern const pd_number_info vortex_numbers[VORTEX_NUMBERS];
void vortex_compute_field(const pd_world *world, void *memory, int index, pd_field *field);
double vortex_compute_number(const pd_world *world, void *memory, int index);
/* The centre of a cell of a field, m. */
pd_vec2 vortex_cell_center(const pd_grid *g, int i, int j);

/* vortex_impulse.c: the sums of the fluid on the grid, and pd_method.impulses. */
const pd_mac_sums *vortex_sum_faces(const pd_world *world, vortex_state *state);
void vortex_push_walls(const pd_world *world, void *memory);

/* vortex_dyes.c */
float vortex_tracer_spacing(const pd_world *world, const vortex_state *state);
/* A layer of the grid's cells for each material: its part of the cell, from 0 to 1; NAN where no fluid is. */
void vortex_fill_dyes(const pd_world *world, vortex_state *state, const pd_grid *g, float *values);

#endif
