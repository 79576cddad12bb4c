/* The world: simulates a scene. The same scene, seed and calls give the same bits on any number of threads and at any
 * SIMD level. */
#ifndef PUDDLE_WORLD_H
#define PUDDLE_WORLD_H

#include <puddle/machine.h>
#include <puddle/method.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { PD_MAX_STAGES = 16 };

typedef struct pd_world pd_world;

/* Drag: particles take on the tool's velocity; push: away from its position; pull: towards it. Paint: a drag that also
 * leaves dye, in methods that have dyes (pd_method_info.paints). Move: an obstacle follows the tool, at a limited speed
 * and within the container. Pour: new fluid of a material, at rest and at the rest density, wherever there is room for it
 * on the way of the tool's disc; where the particles are tracers, what is there takes the material. Erase: the particles
 * on that way are removed, with the dye and the vortices that a method has there. Pour and erase exert no force. */
typedef enum pd_tool_kind {
    PD_TOOL_NONE,
    PD_TOOL_DRAG,
    PD_TOOL_PUSH,
    PD_TOOL_PULL,
    PD_TOOL_PAINT,
    PD_TOOL_MOVE,
    PD_TOOL_POUR,
    PD_TOOL_ERASE,
} pd_tool_kind;

/* The pointer's action on the fluid in the following steps, until it is set again. */
typedef struct pd_tool {
    pd_tool_kind kind;
    pd_vec2 position; /* m, at the end of the next step */
    pd_vec2 velocity; /* m/s: the target velocity of a drag */
    float radius;     /* m: particles farther away are not affected */
    int material;     /* that a paint or pour tool leaves */
    int obstacle;     /* that a move tool moves; PD_MAX_ITEMS: none, the tool then does nothing */
} pd_tool;

/* One row of --stats. A quantity that a method does not have is NAN. Mass m is that of pd_material, without a unit. Where
 * a method has a number (pd_view_number) of a quantity's name, from kinetic_energy to circulation, that stands in the
 * place of what is said here: the speeds of a grid fluid are those of its cells, not of its tracers. */
typedef struct pd_statistics {
    uint64_t step;
    double time; /* s */
    int particles;
    int substeps;                     /* of the last step */
    double kinetic_energy;            /* sum of m v^2 / 2, m^2/s^2 */
    double momentum_x, momentum_y;    /* sum of m v, m/s */
    double center_x, center_y;        /* of mass, m */
    double rms_speed, max_speed;      /* over particles, m/s */
    double mean_density, max_density; /* over particles, in the unit of pd_view.density */
    double density_error;             /* mean over particles of max(0, density / rest density - 1) */
    double divergence, circulation;   /* 1/s, rms over the fluid; m^2/s: only from a method's numbers */
    double step_ms;                   /* wall time of the last step, ms */
} pd_statistics;

/* Wall time by stage, accumulated since pd_world_profile_reset. */
typedef struct pd_profile {
    int stage_count;
    const char *stage[PD_MAX_STAGES];
    double seconds[PD_MAX_STAGES];
    uint64_t steps, substeps;
    double step_seconds; /* of whole steps, all stages and the time between them */
} pd_profile;

/* A stability condition of the method, and the number of substeps that it requires. */
typedef struct pd_substep_cost {
    const char *key; /* the parameter that the condition depends on: "ddr.stiffness"; "speed": the largest speed */
    float value;     /* of the parameter, in its unit; of the speed, m/s */
    int substeps;    /* per step that this condition alone requires */
} pd_substep_cost;

enum { PD_MAX_COSTS = 8 };

/* Creates a world at time 0; the scene is checked (pd_scene_check) and copied. threads: at most PD_MAX_THREADS are
 * used; 0: one per core that the process may use. Errors: those of pd_scene_check, OUT_OF_MEMORY, THREADS_UNAVAILABLE,
 * METHOD_UNKNOWN. */
pd_result pd_world_create(pd_world **world, const pd_scene *scene, int threads, pd_error *error);
/* world may be NULL. */
void pd_world_destroy(pd_world *world);

/* Advances by the scene's dt, in as many substeps as the method needs (or as the scene fixes). */
void pd_world_step(pd_world *world);
/* The same in parts, for a program that must stay responsive: emits particles and runs substeps until the step is
 * complete (returns true) or `seconds` of wall time have passed (false), at least one substep or some hundred emitted
 * particles per call. The results are those of pd_world_step, bit for bit. While a step is incomplete the world may be
 * viewed, reset, restored, given another number of particles and destroyed; setting tool, gravity, parameters or
 * method, and saving, must wait until it is complete. */
bool pd_world_step_part(pd_world *world, double seconds);
bool pd_world_stepping(const pd_world *world); /* a step is incomplete */
/* Restores the initial particles and time 0; gravity, parameters and the materials' properties stay as they are. Cannot
 * fail: allocates no memory. */
void pd_world_reset(pd_world *world);
/* Restarts the scene at time 0 with this many particles in the regions (pd_scene_set_particles). Parameters and
 * material properties that were set are rescaled like the defaults: the same fluid at another resolution. On an error
 * the world is as before. Errors: OUT_OF_MEMORY, SCENE_TOO_LARGE, SCENE_VALUE. */
pd_result pd_world_set_particles(pd_world *world, int particles, pd_error *error);

/* Puts another scene into the world, at its beginning, as pd_world_create does; the tool is put down. Not while a step is
 * incomplete. On an error the world is as before. Errors: those of pd_scene_check, OUT_OF_MEMORY, METHOD_UNKNOWN. */
pd_result pd_world_set_scene(pd_world *world, const pd_scene *scene, pd_error *error);

/* Switches to another method. Particles, velocities, time, tool, gravity and the parameters of all methods stay. Not
 * while a step is incomplete. On an error the world is as before. Errors: METHOD_UNKNOWN, OUT_OF_MEMORY. */
pd_result pd_world_set_method(pd_world *world, const char *name, pd_error *error);

/* A tool whose numbers are not finite, whose radius is not positive, or whose material or obstacle is not in the scene, counts as
 * PD_TOOL_NONE. The material counts for paint and pour alone, the obstacle for move alone. */
void pd_world_set_tool(pd_world *world, const pd_tool *tool);
/* The obstacle that a point lies in, or nearer to than `within` (m); -1: there is none. */
int pd_world_obstacle_at(const pd_world *world, pd_vec2 point, float within);
pd_tool pd_world_tool(const pd_world *world);
/* m/s^2; each component is clamped to +-PD_MAX_ACCELERATION; a vector that is not finite is ignored. */
void pd_world_set_gravity(pd_world *world, pd_vec2 gravity);
pd_vec2 pd_world_gravity(const pd_world *world);

/* A parameter of any method by its full key ("ddr.stiffness"), in the unit of its pd_parameter. Errors:
 * PARAMETER_UNKNOWN, PARAMETER_VALUE, OUT_OF_MEMORY. */
pd_result pd_world_set_parameter(pd_world *world, const char *key, float value, pd_error *error);
pd_result pd_world_parameter(const pd_world *world, const char *key, float *value, pd_error *error);
/* Restores the default, which scales with the scene (pd_parameter_powers). Errors: PARAMETER_UNKNOWN. */
pd_result pd_world_reset_parameter(pd_world *world, const char *key, pd_error *error);
/* The default of the parameter in this world. Errors: PARAMETER_UNKNOWN. */
pd_result pd_world_parameter_default(const pd_world *world, const char *key, float *value, pd_error *error);

/* Sets a material's own value (NAN: none, the parameter's value holds). material: index in the scene. A reset keeps it.
 * Errors: SCENE_REFERENCE (no such material), PARAMETER_VALUE. */
pd_result pd_world_set_property(pd_world *world, int material, pd_property property, float value, pd_error *error);
/* The value in effect for a material: its own, else the parameter's; NAN when there is no such material. */
float pd_world_property(const pd_world *world, int material, pd_property property);

/* Materials that are ready to be used: water, oil, honey, jelly, rubber, mud, slime, mercury, lava. Each is alive as its name says
 * in double density relaxation, SPH and position based fluids, which have springs, yield and stickiness: jelly wobbles and rubber
 * bounces (in position based fluids three fifths as high), mud stays in a heap, slime clings, stretches and creeps, and mercury
 * gathers in thick puddles. Grids, FLIP and vortices have the mass alone. Masses count in double density relaxation where
 * ddr.equal_weight is off. */
typedef struct pd_ready_material {
    const char *about;    /* "flows slowly, in threads" */
    pd_material material; /* its properties: for 1,500 particles in a circle of 1 m with a gravity of 1.57 m/s^2 */
} pd_ready_material;
int pd_ready_material_count(void);
/* index: 0 .. pd_ready_material_count() - 1. */
const pd_ready_material *pd_ready_material_at(int index);
/* With properties that follow the resolution of a world as the defaults of their parameters do: pd_scene_add_material, and
 * pd_command_edit. */
pd_material pd_world_ready_material(const pd_world *world, int index);

const pd_scene *pd_world_scene(const pd_world *world); /* with the current gravity, parameters, properties and method */
const pd_method_info *pd_world_method(const pd_world *world);
int pd_world_threads(const pd_world *world);
/* The scene that begins as the world is now, between two steps: obstacles, emitters, drains and materials where and as they
 * are, the fluid as a list of particles (pd_scene_add_particles) in the order of their ids, the vortices of a method that has
 * them as vortons, the velocities and dyes of a grid as cells, and the parameters in effect. Positions, velocities and
 * materials are the same bits. What is not told: springs between particles, fractions of particles that are due at emitters,
 * the state of random numbers, and the pressure that a solver begins with. A snapshot holds all. Free *scene with
 * pd_scene_free; on an error it is zeroed. Errors: SCENE_TOO_LARGE (more than PD_MAX_VORTONS vortices), OUT_OF_MEMORY. */
pd_result pd_world_scene_now(const pd_world *world, pd_scene *scene, pd_error *error);
double pd_world_time(const pd_world *world); /* s */
uint64_t pd_world_steps(const pd_world *world);
int pd_world_particles(const pd_world *world);
/* The pour tool found room in the last step for particles that could not be added: there are PD_MAX_PARTICLES, or there
 * is no memory for more. */
bool pd_world_full(const pd_world *world);
/* The number of particles for which there is memory, if memory for more was refused in the last step; else 0. The world then holds
 * to this limit until a scene begins (reset, restart, another number of particles or scene), and so do its snapshots. */
int pd_world_refused(const pd_world *world);
int pd_world_substeps(const pd_world *world); /* of the last step */
/* pd_scene_warning of a running world, and what depends on its walls and its state. */
bool pd_world_warning(const pd_world *world, int index, char *text, size_t size);
/* The stability conditions of the running method in the current state, that with the most substeps first. Returns how
 * many were written; 0 where the scene fixes the substeps. The keys are valid as long as the world runs this method. */
int pd_world_costs(const pd_world *world, pd_substep_cost costs[PD_MAX_COSTS]);

/* The impulse that the fluid gave to an obstacle (-1: the container) in the last step: the sum of m v, in m/s like
 * pd_statistics.momentum_x; divided by dt it is the mean force. Pressure, contacts and stickiness count. NAN in methods
 * with a grid and in those whose particles are tracers, and where there is no such obstacle. */
void pd_world_impulse(const pd_world *world, int obstacle, double *x, double *y);

/* Convergence of the solver in the last substep: *errors holds the density error (as in pd_statistics) before each
 * iteration and after the last one. Returns the number of values; 0 where the method does not iterate or has not
 * stepped. The array belongs to the world and is valid until its next step. */
int pd_world_convergence(const pd_world *world, const float **errors);

/* Fills *view; copies no arrays. */
void pd_world_view(const pd_world *world, pd_view *view);
void pd_world_statistics(const pd_world *world, pd_statistics *statistics);
const pd_profile *pd_world_profile(const pd_world *world);
void pd_world_profile_reset(pd_world *world);

/* Snapshots: a loaded world continues bit for bit. On an error a file at path stays as it was, and *world is NULL.
 * threads: as in pd_world_create. Errors: FILE_UNREADABLE, FILE_UNWRITABLE, SNAPSHOT_BROKEN, SNAPSHOT_VERSION,
 * OUT_OF_MEMORY. */
pd_result pd_world_save(const pd_world *world, const char *path, pd_error *error);
pd_result pd_world_load(pd_world **world, const char *path, int threads, pd_error *error);
/* The same in memory (rewind, undo). Free *bytes with free(). Restoring keeps the world's threads; on an error the
 * world is as before. */
pd_result pd_world_save_memory(const pd_world *world, void **bytes, size_t *size, pd_error *error);
/* 64 bits of all that such a snapshot holds: the scene as it now is, and the state that later steps depend on. Worlds of the same
 * hash go on in the same way. 0: out of memory. */
uint64_t pd_world_hash(const pd_world *world);
/* An estimate of the size of such a snapshot in bytes, without making one. Does not count data that the method keeps
 * besides its particles (springs). */
size_t pd_world_snapshot_size(const pd_world *world);
pd_result pd_world_restore_memory(pd_world *world, const void *bytes, size_t size, pd_error *error);

/* "0.1.0" */
const char *pd_version(void);

#ifdef __cplusplus
}
#endif
#endif
