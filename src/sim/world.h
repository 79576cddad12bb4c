/* The world's private structure, for the simulation and its methods. */
#ifndef PUDDLE_SIM_WORLD_H
#define PUDDLE_SIM_WORLD_H

#include "core/parallel.h"
#include "core/random.h"
#include "sim/method.h"
#include "sim/particles/neighbours.h"
#include "sim/particles/particles.h"
#include "sim/walls/boundary.h"

enum { PD_MAX_SUBSTEPS = 1024 };

/* The scales that parameter defaults follow (puddle/parameter.h). */
typedef struct pd_resolution {
    float spacing; /* rest spacing of the particles, m */
    float length;  /* L, m: radius of the circle, half the smaller side of the box, or half the fluid's extent */
    float gravity; /* m/s^2: the scene's, or the article's where the scene has none */
} pd_resolution;

/* A list of the particles around a place (sim/particles/near.h). */
typedef struct pd_near {
    uint32_t mask;  /* buckets of the list, less one: a power of two */
    float distance; /* m */
} pd_near;

/* How far the emission of a step has come, so that it can be left and gone on with: it may be of ten million particles. */
typedef struct pd_emission {
    bool under_way;         /* the step has no substep yet */
    int emitter;            /* whose turn it is */
    bool open;              /* it has begun to send out, and what lies about its mouth is listed in `near` */
    double from, until;     /* births after `from` and until `until` are due, in units of 1 / rate since the start */
    int column;             /* of the jet, whose turn it is */
    double number;          /* of the next birth in it */
    int room;               /* for so many there is memory */
    bool emitted, rejected; /* any, by the emitter whose turn it is */
    pd_near near;
} pd_emission;

/* A particle in a nozzle. */
typedef struct pd_nozzle_particle {
    uint32_t id;
    int emitter; /* -1: released */
    pd_vec2 at;
} pd_nozzle_particle;

/* The particles that nozzles hold during a step, by id (sim/sources/nozzle.h). */
typedef struct pd_nozzle {
    pd_nozzle_particle *particle;
    int count, capacity;
} pd_nozzle;

/* The motion of the walls in the last substep, which ended at the present time: what reads the boundary between two steps finds
 * their velocities. */
typedef struct pd_wall_motion {
    double begin; /* time at which the substep began, s; the present time: the walls are at rest */
    int obstacle; /* that the tool moved; -1: none */
    pd_vec2 from; /* m: offset of that obstacle at the substep's beginning */
} pd_wall_motion;

/* The way of the pour tool in a step that added particles; radius 0: there was none. */
typedef struct pd_poured {
    pd_vec2 from, to;
    float radius; /* m */
} pd_poured;
enum { PD_POURED_STEPS = 8 }; /* for which fluid that was poured is calmed */

/* What is calmed in a step, by id (sim/tools/calm.h). */
typedef struct pd_calm {
    struct pd_calm_particle *particle;
    int count, capacity;
    pd_vec2 low, high; /* m: a box around them */
} pd_calm;

struct pd_world {
    pd_scene scene;
    const pd_method *method;
    void *state;                             /* the method's */
    uint64_t version;                        /* counts changes, from 1; cached fields of older versions are invalid */
    struct pd_field_cache *fields;           /* sim/view.h */
    char key[PD_MAX_PARAMETERS][PD_MAX_KEY]; /* of the running method's parameters: "ddr.radius" */
    float parameter[PD_MAX_PARAMETERS];      /* in the order of its table, like the keys */
    float property[PD_MAX_MATERIALS][PD_PROPERTIES]; /* of each material: its own value, or the method's parameter */
    float thickness
        [PD_MAX_MATERIALS]; /* of each material: its own viscosity over the default of ddr.linear_viscosity, or 1 */
    bool thick;             /* of some material it is not 1 */
    pd_pool *pool;
    pd_particles particles;
    pd_neighbours neighbours;
    pd_boundary *boundary;
    pd_resolution resolution;
    int *region_counts;
    int start_count; /* particles of the regions */
    uint8_t *flags;  /* by particle: marks for removal, or for a change of material in this step */

    uint64_t step;          /* since the start */
    uint64_t substep_total; /* its parity turns the sweeps round */
    int substeps;           /* of the last step, or of the one under way */
    int substeps_done;      /* of a step under way; 0 between steps and while it emits */
    pd_emission emission;   /* all zero but while a step emits */
    pd_nozzle nozzle;       /* listed anew in every step */
    float ramp;             /* of the rest density, 1 to 0: sim/particles/ramp.h */
    bool left_compressible; /* there is a ramp, and it started after a compressible method */
    pd_random random;
    double *emitter_carry;    /* by emitter: fraction of a particle due */
    int limit;                /* greatest number of particles, from a refusal of memory for more; 0: none */
    bool limited_now;         /* the refusal that set the limit happened in this step */
    size_t limit_refusals;    /* pd_memory_refusals() of this call that the limit accounts for */
    bool starved;             /* other memory was refused in the last step or command: pd_world_starved */
    uint64_t *emitter_number; /* by emitter: particles emitted so far */
    pd_vec2 *obstacle_offset; /* by obstacle, m: how far a tool has moved it from its path */
    pd_wall_motion wall_motion;
    pd_tool tool;
    pd_vec2
        tool_from; /* where the tool was at the end of the last step; that of an obstacle: where it has followed to */
    pd_vec2 tool_now;                  /* in this substep */
    pd_vec2 tool_lag;                  /* m: how far the obstacle that it moves is behind it; 0 between steps */
    pd_poured poured[PD_POURED_STEPS]; /* in the last steps, that of this step first */
    pd_calm calm;                      /* listed anew in every step */
    bool full;                         /* the pour tool could not add all particles in this step */

    struct pd_waiting *waiting; /* sim/waiting.h */
    pd_profile profile;
    double step_seconds; /* of the last step, or of the current one so far */
};

/* The resolution of a scene whose regions hold this many particles. */
pd_resolution pd_resolution_of(const pd_scene *scene, int particles);
/* A parameter's default at a resolution, clamped to its range. */
float pd_resolution_default(const pd_resolution *resolution, const pd_parameter *parameter);
/* Reads the running method's parameters again: the scene's settings, else the defaults. */
void pd_world_refresh_parameters(pd_world *world);

/* Checks that a pd_property has the value. Errors: USAGE. */
pd_result pd_property_check_index(int property, pd_error *error);
/* Checks a material's own value of a property in a scene. Errors: those of pd_world_set_property but OUT_OF_MEMORY. */
pd_result pd_property_check(const pd_scene *scene, int material, pd_property property, float value, pd_error *error);
/* What pd_world_set_gravity and pd_world_set_tool make of their values. */
pd_vec2 pd_gravity_limited(pd_vec2 gravity);
pd_tool pd_tool_usable(const pd_scene *scene, const pd_tool *tool);

/* Grows all arrays of particles to this capacity. Errors: OUT_OF_MEMORY (no particle is lost). */
pd_result pd_world_reserve(pd_world *world, int capacity, pd_error *error);
/* Checks that a definition has the size of this version. Errors: USAGE. A version with a larger definition must also accept
 * the sizes of the earlier versions with its SONAME, whose programs do not set the new members. */
pd_result pd_world_def_check(const pd_world_def *def, pd_error *error);
/* pd_world_create with another resolution than that of the scene, which the edits of a world have left as it was. */
pd_result pd_world_create_at(pd_world **world, const pd_scene *scene, const pd_resolution *resolution, int threads,
                             pd_error *error);
/* Replaces the scene, keeping threads and tool; defaults follow reference_gravity (m/s^2), or the scene's gravity where
 * that is 0. On an error the world is unchanged. */
pd_result pd_world_rebuild(pd_world *world, const pd_scene *scene, float reference_gravity, pd_error *error);
/* Applies an edit (scene/edit.h) between two steps. On an error the world is as before. Errors: those of
 * pd_edit_apply, SCENE_VALUE (the fluid finds no place, or a material that goes has particles), OUT_OF_MEMORY. */
pd_result pd_world_edit(pd_world *world, const pd_edit *edit, pd_error *error);
/* A method by name; NULL on errors: METHOD_UNKNOWN. */
const pd_method *pd_world_find_method(const char *name, pd_error *error);
/* Replaces the particles by those of the regions, and sets the time to 0. */
void pd_world_fill(pd_world *world);

/* Moves the obstacles to where they are in a substep, on their paths and by the tool (tool_before: its position at the
 * substep's beginning). begin, end: times, s. */
void pd_world_move_boundary(pd_world *world, pd_vec2 tool_before, double begin, double end);
/* Puts the obstacles where they are at the present time, at rest. */
void pd_world_rest_obstacles(pd_world *world);
/* Puts the obstacles where they are at the present time, with the motion of the last substep: world->wall_motion. */
void pd_world_restore_obstacles(pd_world *world);
/* The greatest speed of a wall in the coming step, m/s: of obstacles on their paths, and of the one that the tool moves. */
float pd_world_wall_speed(const pd_world *world);

/* The error USAGE of what needs a complete step. */
pd_result pd_fail_within_step(pd_error *error);
/* Of the next step: the scene's number, or what the method's limits need now. */
int pd_world_needed_substeps(const pd_world *world);

/* Emitters, drains and changes of material: once a step. Emission takes at most about `seconds` of wall time a call; false: it
 * is not finished. */
bool pd_world_emit(pd_world *world, double seconds);
void pd_world_drain(pd_world *world);
void pd_world_change(pd_world *world);
/* Holds the world to a number of particles from now on. */
void pd_world_set_limit(pd_world *world, int particles);
/* What the tools that pour and erase do in a step: before its substeps, along the whole way of the tool in it (pour.c). */
void pd_world_use_tool(pd_world *world);

/* The tool during one substep, as computed by pd_tool_field_of: accelerations and target velocities (tools.c). */
typedef struct pd_tool_field {
    pd_tool_kind kind;
    float x, y, radius, inverse_radius, strength; /* m, m, m, 1/m, m/s^2 */
    float target_vx, target_vy;
    float blend;     /* fraction of the velocity difference that drag and pull remove in this substep, at the pointer */
    bool attracts;   /* push and pull are accelerations: pd_tool_field_attract */
    pd_vec2 gravity; /* m/s^2: compensated by a pull */
} pd_tool_field;
pd_tool_field pd_tool_field_of(const pd_world *world, float dt);
/* Push and pull as in Lague's simulation: an acceleration of this strength (m/s^2) at the pointer that decreases to 0
 * at the tool's radius, with damping; a pull also compensates gravity. */
void pd_tool_field_attract(const pd_world *world, pd_tool_field *field, float strength);
void pd_tool_act(const pd_tool_field *field, float dt, float inverse_mass, float x, float y, float *vx, float *vy);

/* Profiling: adds the time since *since to the named stage, and sets *since to now. */
void pd_stage_end(pd_world *world, const char *name, double *since);

#endif
