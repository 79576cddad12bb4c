/* The world: a scene in motion. Same scene, same seed and the same calls give the same bits on any number of threads. */
#ifndef PUDDLE_WORLD_H
#define PUDDLE_WORLD_H

#include <puddle/machine.h>
#include <puddle/method.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { PD_MAX_STAGES = 12 };

typedef struct pd_world pd_world;

typedef enum pd_tool_kind { PD_TOOL_NONE, PD_TOOL_DRAG, PD_TOOL_PUSH, PD_TOOL_PULL } pd_tool_kind;

/* What the pointer does to the fluid during the next steps, until it is set again. */
typedef struct pd_tool {
    pd_tool_kind kind;
    pd_vec2 position; /* m, at the end of the next step */
    pd_vec2 velocity; /* m/s: what a drag hands to the fluid */
    float radius;     /* m */
} pd_tool;

/* One row of --stats. A quantity that a method does not have is NAN. */
typedef struct pd_statistics {
    uint64_t step;
    double time;
    int particles;
    int substeps; /* of the last step */
    double kinetic_energy, momentum_x, momentum_y, center_x, center_y, rms_speed, max_speed;
    double mean_density, max_density;
    double density_error; /* mean of max(0, density / rest density - 1) */
    double divergence, circulation;
    double step_ms; /* wall time of the last step */
} pd_statistics;

/* Wall time by stage, summed since pd_world_profile_reset. */
typedef struct pd_profile {
    int stage_count;
    const char *stage[PD_MAX_STAGES];
    double seconds[PD_MAX_STAGES];
    uint64_t steps, substeps;
    double step_seconds; /* whole steps */
} pd_profile;

/* What decides the number of substeps, the costliest first. */
typedef struct pd_substep_cost {
    const char *key; /* the parameter that asks for them, "ddr.stiffness"; "speed" for what moves fast */
    float value;     /* of the parameter; m/s for speed */
    int substeps;    /* a step that it alone would need */
} pd_substep_cost;

enum { PD_MAX_COSTS = 8 };

/* Builds a world; the scene is checked (pd_scene_check) and copied. threads: 0 for one per core.
 * Errors: those of pd_scene_check, OUT_OF_MEMORY, THREADS_UNAVAILABLE, METHOD_UNKNOWN, METHOD_UNAVAILABLE. */
pd_result pd_world_create(pd_world **world, const pd_scene *scene, int threads, pd_error *error);
void pd_world_destroy(pd_world *world);

/* Advances by the scene's dt, in as many substeps as the method needs (or as the scene fixes). */
void pd_world_step(pd_world *world);
/* The same in parts, for a window that must not freeze: emits and runs substeps until the step is whole (true) or the wall
 * time is over (false; at least a substep, or some hundred particles that an emitter has still to send out, is done each
 * time). The bits are those of pd_world_step. While a step is unfinished the world may be looked at, reset, restored,
 * rebuilt and destroyed; tools, gravity, parameters and saving wait for the whole step. */
bool pd_world_step_part(pd_world *world, double seconds);
bool pd_world_stepping(const pd_world *world); /* a step is unfinished */
/* Back to the scene's start, keeping gravity and parameters as they are now. Cannot fail: nothing grows. */
void pd_world_reset(pd_world *world);
/* Starts again with this many particles in the regions. Parameters follow, also those that were set: the same fluid,
 * finer or coarser. On an error the world is as before. Errors: OUT_OF_MEMORY, SCENE_TOO_LARGE. */
pd_result pd_world_set_particles(pd_world *world, int particles, pd_error *error);

/* Another law for the same fluid: particles, velocities, time, tool and gravity stay, and so do the parameters of all
 * methods. Waits for the whole step, like tools and parameters. On an error the world is as before.
 * Errors: METHOD_UNKNOWN, METHOD_UNAVAILABLE, OUT_OF_MEMORY. */
pd_result pd_world_set_method(pd_world *world, const char *name, pd_error *error);

void pd_world_set_tool(pd_world *world, const pd_tool *tool);
pd_tool pd_world_tool(const pd_world *world);
/* Kept within what a scene file may say (PD_MAX_ACCELERATION); not a finite number: ignored. */
void pd_world_set_gravity(pd_world *world, pd_vec2 gravity);
pd_vec2 pd_world_gravity(const pd_world *world);

/* A parameter of the running method or of another, by full key. Errors: PARAMETER_UNKNOWN, PARAMETER_VALUE. */
pd_result pd_world_set_parameter(pd_world *world, const char *key, float value, pd_error *error);
pd_result pd_world_parameter(const pd_world *world, const char *key, float *value, pd_error *error);
/* Back to the default, which then follows the resolution again. Errors: PARAMETER_UNKNOWN. */
pd_result pd_world_reset_parameter(pd_world *world, const char *key, pd_error *error);
/* The default that the parameter would have here (it may follow the resolution). */
pd_result pd_world_parameter_default(const pd_world *world, const char *key, float *value, pd_error *error);

/* What a material says for itself (NAN: nothing, the parameter holds), by its index in the scene. Kept through a reset.
 * Errors: SCENE_REFERENCE (no such material), PARAMETER_VALUE. */
pd_result pd_world_set_property(pd_world *world, int material, pd_property property, float value, pd_error *error);
/* What holds for a material: its own value, else the parameter's. */
float pd_world_property(const pd_world *world, int material, pd_property property);

const pd_scene *pd_world_scene(const pd_world *world); /* as now: gravity and parameters included */
const pd_method_info *pd_world_method(const pd_world *world);
int pd_world_threads(const pd_world *world);
double pd_world_time(const pd_world *world);
uint64_t pd_world_steps(const pd_world *world);
int pd_world_particles(const pd_world *world);
int pd_world_substeps(const pd_world *world); /* of the last step */
/* Of the running method now; returns how many were written (0: the scene fixes the substeps). The keys live as long as the
 * world and its method. */
int pd_world_costs(const pd_world *world, pd_substep_cost costs[PD_MAX_COSTS]);

/* How the solver of the last substep went: the density error (as in pd_statistics) before each iteration and after the last one.
 * Returns how many there are, 0 where the method does not iterate or has not stepped; they belong to the world until its
 * next step. */
int pd_world_convergence(const pd_world *world, const float **errors);

void pd_world_view(const pd_world *world, pd_view *view);
void pd_world_statistics(const pd_world *world, pd_statistics *statistics);
const pd_profile *pd_world_profile(const pd_world *world);
void pd_world_profile_reset(pd_world *world);

/* Snapshots continue bit for bit. A file is written whole or not at all. A load makes a new world.
 * Errors: FILE_UNREADABLE, FILE_UNWRITABLE, SNAPSHOT_BROKEN, SNAPSHOT_VERSION, OUT_OF_MEMORY. */
pd_result pd_world_save(const pd_world *world, const char *path, pd_error *error);
pd_result pd_world_load(pd_world **world, const char *path, int threads, pd_error *error);
/* The same in memory (rewind, undo). Free *bytes with free(). Restoring keeps the world's threads; on an error the world
 * is as before. */
pd_result pd_world_save_memory(const pd_world *world, void **bytes, size_t *size, pd_error *error);
/* Bytes that such a snapshot takes, closely, without making one; what the method keeps beside its particles (springs) comes on
 * top. */
size_t pd_world_snapshot_size(const pd_world *world);
pd_result pd_world_restore_memory(pd_world *world, const void *bytes, size_t size, pd_error *error);

/* "0.1.0" */
const char *pd_version(void);

#ifdef __cplusplus
}
#endif
#endif
