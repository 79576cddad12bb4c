/** @file
 * Worlds: the simulation of a scene.
 *
 * The same scene, seed and calls give the same bits on any number of threads and at any SIMD level.
 */
#ifndef PUDDLE_WORLD_H
#define PUDDLE_WORLD_H

#include <puddle/items.h>
#include <puddle/method.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Limits of a world. */
enum {
    PD_MAX_THREADS = 64, /**< Greatest number of threads of one world. */
    PD_MAX_STAGES = 16,  /**< Greatest number of stages of a ::pd_profile. */
    PD_MAX_COSTS = 8     /**< Greatest number of stability conditions of pd_world_substep_costs(). */
};

/** Returns the SIMD instruction set in use: "avx512", "avx2", "baseline" or "neon". */
PD_API const char *pd_simd_name(void);

/** A world: the running simulation of a scene. */
typedef struct pd_world pd_world;

/** Kind of a tool. */
typedef enum pd_tool_kind {
    PD_TOOL_NONE,  /**< No tool. */
    PD_TOOL_DRAG,  /**< Accelerates particles to the velocity of the tool. */
    PD_TOOL_PUSH,  /**< Accelerates particles away from the tool. */
    PD_TOOL_PULL,  /**< Accelerates particles towards the tool. */
    PD_TOOL_PAINT, /**< Drags particles, and adds dye under methods that have dyes (pd_method_info.paints). */
    /** Moves an obstacle to the tool, at a limited speed and within the container, or drags a body to it by a spring. */
    PD_TOOL_MOVE,
    /** Adds fluid of a material along the path of the tool's disc, where there is room. The new fluid is at rest and at
     * rest density. Tracers under the disc change their material. The tool exerts no force. */
    PD_TOOL_POUR,
    PD_TOOL_ERASE, /**< Removes particles, dye and vortices along the path of the tool's disc, without a force. */
} pd_tool_kind;

/** The pointer's tool. The tool acts in all steps until the next pd_world_set_tool(). */
typedef struct pd_tool {
    pd_tool_kind kind; /**< Kind of the tool. */
    pd_vec2 position;  /**< Position at the end of the next step, m. */
    pd_vec2 velocity;  /**< Target velocity of a drag, m/s. */
    float radius;      /**< Radius of the tool's disc, m. Particles outside the disc are not affected. */
    int material;      /**< Index of the material that a paint or pour tool adds. */
    int obstacle; /**< Index of the obstacle that a move tool moves. Number of obstacles + index of a body: the body
                        * that it drags, at the point where the tool begins. -1: none. */
} pd_tool;

/** Returns a ::pd_tool whose kind and position are to be set.
 *
 * Defaults: ::PD_TOOL_NONE, position (0, 0), radius 0.1 m, material 0, no obstacle. */
static inline pd_tool pd_tool_default(void) {
    pd_tool tool = {PD_TOOL_NONE, {0, 0}, {0, 0}, 0.1f, 0, -1};
    return tool;
}

/** Statistics of a world: one row of `--stats`. A quantity that the method does not have is NAN.
 *
 * Quantities are in SI units, per metre of depth. A material of mass 1 weighs 1,000 kg/m^3 at rest.
 * A particle has the mass m = 1,000 kg/m^3 x mass of its pd_material x area, kg/m. The area is pd_view.spacing squared.
 * Tracers have no mass. Under `grid` and `vortex` energy and momentum are those of all fluid in the cells.
 * The density of this fluid is `grid.density`, or 1,000 kg/m^3 x `vortex.ambient_density`.
 * Sums and means are over the particles.
 * If the method has a number (pd_view_number()) with the name of a member from `kinetic_energy` to `circulation`, the
 * member is that number. For example, the speeds of a grid fluid are those of its cells. */
typedef struct pd_statistics {
    uint64_t step;         /**< Steps since the start or the last reset. */
    double time;           /**< Simulated time, s. */
    int particles;         /**< Number of particles. */
    int substeps;          /**< Substeps of the last step. */
    double kinetic_energy; /**< Sum of m v^2 / 2, J/m. */
    double momentum_x,     /**< Sum of m v, horizontal, N s/m. */
        momentum_y;        /**< Sum of m v, vertical, N s/m. */
    double center_x,       /**< Centre of mass, horizontal, m. */
        center_y;          /**< Centre of mass, vertical, m. */
    double rms_speed,      /**< Root mean square of the speed, m/s. */
        max_speed;         /**< Greatest speed, m/s. */
    double mean_density,   /**< Mean density, in the unit of pd_view.density. */
        max_density;       /**< Greatest density, in the unit of pd_view.density. */
    double density_error;  /**< Mean of max(0, density / rest density - 1). */
    double divergence,     /**< Root mean square of the divergence over the fluid, 1/s. Only from pd_view_number(). */
        circulation;       /**< Circulation, m^2/s. Only from pd_view_number(). */
    double step_ms;        /**< Wall time of the last step, ms. */
} pd_statistics;

/** Wall time by stage since pd_world_reset_profile().
 *
 * The profile is also set to 0 by a change of method, scene or number of particles, and by a restored state. */
typedef struct pd_profile {
    int stage_count;                  /**< Number of timed stages of a step: valid elements of `stage` and `seconds`. */
    const char *stage[PD_MAX_STAGES]; /**< Names of the stages. */
    double seconds[PD_MAX_STAGES];    /**< Wall time of each stage, s. */
    uint64_t steps,                   /**< Number of steps. */
        substeps;                     /**< Number of substeps. */
    double step_seconds;              /**< Wall time of all steps, in the stages and between them, s. */
} pd_profile;

/** A stability condition of the method, with the required number of substeps. */
typedef struct pd_substep_cost {
    char key[PD_MAX_KEY]; /**< Full key of the limiting parameter: "ddr.stiffness". "speed": greatest speed. */
    float value;          /**< Value of the limiting parameter, in its unit, or greatest speed, m/s. */
    int substeps;         /**< Substeps per step that this condition alone requires. */
} pd_substep_cost;

/** Definition of a new world. Begin with pd_world_def_default(), then set members. */
typedef struct pd_world_def {
    size_t size;           /**< Size of this struct, bytes. */
    const pd_scene *scene; /**< Scene, which the world copies. Ignored by functions that read the scene from a file. */
    int threads;           /**< Number of threads, at most #PD_MAX_THREADS. 0 or less: one per core of the process. */
} pd_world_def;

/** Returns the defaults: no scene, 0 threads. */
static inline pd_world_def pd_world_def_default(void) {
    pd_world_def def = {sizeof(pd_world_def), NULL, 0};
    return def;
}

/** Creates a world at time 0 from a copy of the scene.
 *
 * On an error `*world` is NULL. Errors: those of pd_scene_check(), OUT_OF_MEMORY, THREADS_UNAVAILABLE, USAGE (the
 * definition has no scene, or its `size` is wrong). */
PD_API pd_result pd_world_create(pd_world **world, const pd_world_def *def, pd_error *error);
/** Destroys a world. NULL is allowed. */
PD_API void pd_world_destroy(pd_world *world);

/** Steps the world by the scene's dt. pd_scene.substeps, or else the method, sets the number of substeps. */
PD_API void pd_world_step(pd_world *world);
/** Computes a part of a step, for about `wall_seconds`, so that the program stays responsive.
 *
 * One call computes at least one substep. The first call of a step also emits the particles of the step. Returns whether the
 * step is complete. The results are those of pd_world_step(), bit for bit.
 *
 * All functions may be called within a step. A function that changes the world completes the step first, and then
 * takes as long as the rest of the step: the next call begins another step. pd_log_do(), pd_log_undo() and pd_log_redo() also
 * call pd_log_end_step(). A program with a log gives all commands to the log.
 *
 * | function | within a step |
 * |---|---|
 * | pd_world_restore_from_memory(), pd_log_seek(), pd_log_seek_part() | abandon the step |
 * | pd_world_save(), pd_world_save_to_memory(), pd_world_state_as_scene(), pd_command_state(), pd_log_create() | fail with USAGE |
 * | pd_log_write() | writes up to the last complete step, without last hash |
 * | pd_world_hash() | returns the hash of the incomplete state, which no snapshot has |
 *
 * Functions that return values describe the incomplete step. */
PD_API bool pd_world_step_part(pd_world *world, double wall_seconds);
/** Returns whether a step is incomplete. */
PD_API bool pd_world_stepping(const pd_world *world);
/** Restores the initial fluid and time 0. Cannot fail.
 *
 * Tool, gravity, parameters, properties and edited items do not change. */
PD_API void pd_world_reset(pd_world *world);
/** Begins the scene again at time 0 with another number of particles in the regions (pd_scene_set_particle_count()).
 *
 * Parameters and properties that were set scale like the defaults, so that the fluid behaves the same.
 * On an error the world is unchanged.
 * Errors: SCENE_TOO_LARGE, SCENE_VALUE, PARAMETER_VALUE (a scaled length exceeds the container), OUT_OF_MEMORY. */
PD_API pd_result pd_world_set_particle_count(pd_world *world, int particles, pd_error *error);

/** Begins another scene in the world, at time 0 and without a tool.
 *
 * On an error the world is unchanged. Errors: those of pd_scene_check(), OUT_OF_MEMORY. */
PD_API pd_result pd_world_set_scene(pd_world *world, const pd_scene *scene, pd_error *error);

/** Changes the method.
 *
 * Particles, velocities, time, tool, gravity and the parameters of all methods do not change, with one exception:
 * tracers that are too close together for a new method with a rest density are moved apart.
 * On an error the world is unchanged. Errors: METHOD_UNKNOWN, OUT_OF_MEMORY. */
PD_API pd_result pd_world_set_method(pd_world *world, const char *name, pd_error *error);

/** Sets the tool.
 *
 * ::PD_TOOL_NONE replaces an invalid tool. A tool is invalid in these cases:
 * - a number is not finite, or the radius is not positive
 * - a paint or pour tool has no valid material
 * - a move tool has no valid obstacle */
PD_API void pd_world_set_tool(pd_world *world, const pd_tool *tool);
/** Returns the index of the obstacle nearest to a point. -1: all obstacles are farther away than `max_distance`, m. */
PD_API int pd_world_obstacle_at(const pd_world *world, pd_vec2 point, float max_distance);
/** Returns the present tool. */
PD_API pd_tool pd_world_tool(const pd_world *world);
/** Sets gravity, m/s^2.
 *
 * Each component is clamped to +-#PD_MAX_ACCELERATION. A vector that is not finite is ignored. */
PD_API void pd_world_set_gravity(pd_world *world, pd_vec2 gravity);
/** Returns gravity, m/s^2. */
PD_API pd_vec2 pd_world_gravity(const pd_world *world);

/** Sets a parameter of any method by its full key ("ddr.stiffness"), in the unit of its ::pd_parameter.
 *
 * On an error the world is unchanged. Errors: PARAMETER_UNKNOWN, PARAMETER_VALUE, OUT_OF_MEMORY. */
PD_API pd_result pd_world_set_parameter(pd_world *world, const char *key, float value, pd_error *error);
/** Gets the present value of a parameter of any method: the value that was set, or else the default.
 *
 * Errors: PARAMETER_UNKNOWN. */
PD_API pd_result pd_world_parameter(const pd_world *world, const char *key, float *value, pd_error *error);
/** Sets a parameter to its default, which scales with the scene (::pd_parameter_powers).
 *
 * On an error the world is unchanged. Errors: PARAMETER_UNKNOWN, OUT_OF_MEMORY. */
PD_API pd_result pd_world_reset_parameter(pd_world *world, const char *key, pd_error *error);
/** Gets the default of a parameter in this world.
 *
 * Errors: PARAMETER_UNKNOWN. */
PD_API pd_result pd_world_parameter_default(const pd_world *world, const char *key, float *value, pd_error *error);

/** Sets a material's own value of a property. NAN: removes the own value, so that the method's parameter applies.
 *
 * `material`: index into the materials of the scene. A reset does not change the value.
 * On an error the world is unchanged. Errors: SCENE_REFERENCE (no such material), PARAMETER_VALUE, OUT_OF_MEMORY. */
PD_API pd_result pd_world_set_property(pd_world *world, int material, pd_property property, float value,
                                       pd_error *error);
/** Returns the value of a property that acts on a material.
 *
 * The value is the material's own value, or else the value of the method's parameter for the property.
 *
 * NAN: no such material or property. */
PD_API float pd_world_property(const pd_world *world, int material, pd_property property);
/** Returns the default of a property at the world's resolution. Methods without a parameter for the property use it.
 *
 * NAN: no such property. */
PD_API float pd_world_property_default(const pd_world *world, pd_property property);

/** A ready-made material: water, oil, honey, jelly, rubber, mud, slime, mercury or lava.
 *
 * Its properties have an effect in double density relaxation, SPH and position based fluids.
 * In grids, FLIP and vortices only its mass has an effect.
 * In double density relaxation its mass has an effect only if `ddr.equal_weight` is off. */
typedef struct pd_ready_material {
    const char *about;    /**< Behaviour: "flows slowly, in threads". */
    pd_material material; /**< Values for 1,500 particles in a circle of radius 1 m with a gravity of 1.57 m/s^2. */
} pd_ready_material;
/** Returns the number of ready-made materials. */
PD_API int pd_ready_material_count(void);
/** Returns a ready-made material by index, 0 to pd_ready_material_count() - 1. */
PD_API const pd_ready_material *pd_ready_material_at(int index);
/** Returns a ready-made material for a world, for pd_scene_add_material() and pd_command_edit().
 *
 * `index`: 0 to pd_ready_material_count() - 1.
 * Its properties scale with the resolution of the world like the defaults of their parameters. */
PD_API pd_material pd_world_ready_material(const pd_world *world, int index);

/** Returns the scene with the current gravity, parameters, properties, method and edits.
 *
 * The pointer is valid until the world is destroyed. Its lists are valid until the next call that changes the scene: an
 * edit, a parameter, a method, another number of particles or scene, or a restored state. */
PD_API const pd_scene *pd_world_scene(const pd_world *world);
/** Returns the description of the running method. */
PD_API const pd_method_info *pd_world_method(const pd_world *world);
/** Returns the number of threads. */
PD_API int pd_world_threads(const pd_world *world);
/** Gets a scene whose initial state is the present state of the world.
 *
 * - Obstacles, emitters, drains and materials are in their present state. Emitters that have ended are omitted.
 * - The fluid is a list of particles (pd_scene_add_particles()) in the order of their ids.
 *   Positions, velocities and materials are the same bits.
 * - Vortices are vortons. Velocities and dyes of a grid are cells.
 * - The parameters have their present values.
 *
 * A snapshot (pd_world_save()) also contains what the scene lacks: springs, fractions of particles due at emitters, the
 * state of the random numbers and the solver's initial pressure.
 * Free `*scene` with pd_scene_free(). On an error `*scene` is zeroed.
 * Errors: SCENE_TOO_LARGE (more than #PD_MAX_VORTONS vortices), OUT_OF_MEMORY,
 * USAGE (a step is incomplete). */
PD_API pd_result pd_world_state_as_scene(const pd_world *world, pd_scene *scene, pd_error *error);
/** Returns the simulated time, s. */
PD_API double pd_world_time(const pd_world *world);
/** Returns the number of steps since the start or the last reset. */
PD_API uint64_t pd_world_steps(const pd_world *world);
/** Returns the number of particles. */
PD_API int pd_world_particles(const pd_world *world);
/** Returns whether the pour tool could not add all particles in the last step.
 *
 * Possible causes: the limit #PD_MAX_PARTICLES, a lack of memory. */
PD_API bool pd_world_is_pour_incomplete(const pd_world *world);
/** Returns whether the last step, command or reset succeeded although memory was refused.
 *
 * The state is valid, but may differ from the state with enough memory. For example, new particles, a neighbour list, the
 * weight of a wall or a vortex may be missing. A log ends before such a step: pd_log_was_refused_memory(). */
PD_API bool pd_world_was_refused_memory(const pd_world *world);
/** Returns the number of substeps of the last step. */
PD_API int pd_world_substeps(const pd_world *world);
/** Writes one line about a setting of the running world that its method ignores or changes, or about an emitter that is blocked.
 *
 * Call with `index` 0, 1, ... until the function returns false.
 * In contrast to pd_scene_write_warning() the lines also depend on the walls and the state of the world. */
PD_API bool pd_world_write_warning(const pd_world *world, int index, char *text, size_t size);
/** Implements pd_world_substep_costs(), also for other languages. `size`: bytes of a ::pd_substep_cost of the caller. */
PD_API int pd_world_fill_substep_costs(const pd_world *world, pd_substep_cost *costs, size_t size);
/** Gets the stability conditions of the method, in descending order of substeps. Returns the number of conditions.
 *
 * Returns 0 if the scene fixes the number of substeps. The keys are valid until the method of the world changes. */
static inline int pd_world_substep_costs(const pd_world *world, pd_substep_cost costs[PD_MAX_COSTS]) {
    return pd_world_fill_substep_costs(world, costs, sizeof *costs);
}

/** Gets the impulse of the fluid on an obstacle (-1: the container) in the last step.
 *
 * Unit: N s/m, as pd_statistics.momentum_x. Impulse / dt is the mean force, N/m.
 *
 * - ddr, sph, pbf: impulse of pressure, contacts, tension and stickiness.
 * - flip: momentum that the liquid loses to walls, divided among the walls in proportion to the pressure of the grid.
 * - grid: impulse of the pressure, including hydrostatic pressure, and of the shear at no-slip walls.
 * - vortex: impulse of the pressure, including hydrostatic pressure. The first call after a step computes the pressure from
 *   the velocities at the end of the step, with gravity and parameters at the time of the call.
 *
 * `x` and `y` may be NULL.
 * NAN: there is no such obstacle. 0: the world has not stepped since it was created, loaded or reset, or since an edit
 * of its scene. */
PD_API void pd_world_impulse_on_obstacle(const pd_world *world, int obstacle, double *x, double *y);

/** Present state of a body of the scene. Quantities are per metre of depth. */
typedef struct pd_world_body {
    double x,       /**< Horizontal position of the centroid, m. */
        y;          /**< Vertical position of the centroid, m. */
    double angle;   /**< Angle, degrees counterclockwise, from the angle 0 of the scene. Whole turns count. */
    double vx,      /**< Horizontal velocity of the centroid after contacts and joints, m/s. */
        vy;         /**< Vertical velocity of the centroid, m/s. */
    double spin;    /**< Angular velocity, degrees/s counterclockwise. */
    double mass;    /**< Mass, kg/m. */
    double inertia; /**< Moment of inertia about the centroid, kg m. */
    /** Forces are 0 if the world has not stepped since it was created, loaded, reset or edited, and under methods without
     * ::PD_FEATURE_BODIES. */
    double force_x, /**< Horizontal mean force of the fluid in the last step, N/m. */
        force_y;    /**< Vertical mean force of the fluid in the last step, N/m. */
    double torque;  /**< Mean torque of the fluid about the centroid in the last step, N. */
    /** Forces of contacts, joints and the move tool are 0 if the world has not stepped since it was created, loaded, reset
     * or edited. */
    double contact_force_x, /**< Horizontal mean force of contacts, joints and the move tool in the last step, N/m. */
        contact_force_y;    /**< Vertical mean force of contacts, joints and the move tool in the last step, N/m. */
    double contact_torque;  /**< Mean torque of these forces about the centroid in the last step, N. */
} pd_world_body;
/** Returns the number of bodies. */
PD_API int pd_world_body_count(const pd_world *world);
/** Implements pd_world_get_body(), also for other languages. `size`: bytes of a ::pd_world_body of the caller. */
PD_API void pd_world_fill_body(const pd_world *world, int index, pd_world_body *body, size_t size);
/** Gets the present state of a body. `index`: 0 to pd_world_body_count() - 1, as in the scene. */
static inline void pd_world_get_body(const pd_world *world, int index, pd_world_body *body) {
    pd_world_fill_body(world, index, body, sizeof *body);
}
/** Returns the index of the body nearest to a point. -1: all bodies are farther away than `max_distance`, m. */
PD_API int pd_world_body_at(const pd_world *world, pd_vec2 point, float max_distance);
/** Adds a joint at present places to a copy of the world's scene, for pd_command_edit().
 *
 *     pd_scene_copy(&scene, pd_world_scene(world), &error);
 *     pd_world_join_bodies(world, &scene, &hinge, &error);
 *     pd_command_edit(&command, pd_world_scene(world), &scene, &error);
 *
 * The bodies of the joint, all bodies that joints connect with them, and these joints get their present state as their
 * state at time 0. pd_world_reset() then places these bodies where they were joined. Broken joints among them are removed.
 * Unnamed bodies may have received names in the copy. After an error the copy may have changed.
 * Errors: those of pd_scene_add_joint(), USAGE (a step is incomplete, or the scene has another number of bodies). */
PD_API pd_result pd_world_join_bodies(const pd_world *world, pd_scene *scene, const pd_scene_joint *joint,
                                      pd_error *error);
/** Returns whether a joint broke. `index`: index of the joint in the scene. */
PD_API bool pd_world_is_joint_broken(const pd_world *world, int index);

/** Gets the density error at each iteration of the solver in the last substep. Returns the number of values.
 *
 * `*errors` receives the density error (as in ::pd_statistics) before each iteration and after the last one.
 * 0: the method does not iterate, or has not stepped. The array is valid until the next step of the world. */
PD_API int pd_world_density_errors(const pd_world *world, const float **errors);

/** Implements pd_world_view(), also for other languages. `size`: bytes of a ::pd_view of the caller. */
PD_API void pd_world_fill_view(const pd_world *world, pd_view *view, size_t size);
/** Fills a view of the world. Copies no arrays. */
static inline void pd_world_view(const pd_world *world, pd_view *view) {
    pd_world_fill_view(world, view, sizeof *view);
}
/** Implements pd_world_statistics(), also for other languages. `size`: bytes of a ::pd_statistics of the caller. */
PD_API void pd_world_fill_statistics(const pd_world *world, pd_statistics *statistics, size_t size);
/** Computes statistics of the world. */
static inline void pd_world_statistics(const pd_world *world, pd_statistics *statistics) {
    pd_world_fill_statistics(world, statistics, sizeof *statistics);
}
/** Returns the wall time of the world's steps by stage. */
PD_API const pd_profile *pd_world_profile(const pd_world *world);
/** Sets the profile of the world to 0. */
PD_API void pd_world_reset_profile(pd_world *world);

/** @name Snapshots
 * A snapshot contains the complete state. A world loaded from a snapshot computes the same steps, bit for bit.
 * @{ */
/** Writes a snapshot to a file.
 *
 * On an error a file at `path` is unchanged. Errors: FILE_UNWRITABLE, OUT_OF_MEMORY, USAGE (a step is incomplete). */
PD_API pd_result pd_world_save(const pd_world *world, const char *path, pd_error *error);
/** Creates a world from a snapshot file, which gives the scene.
 *
 * On an error `*world` is NULL. Errors: FILE_UNREADABLE, SNAPSHOT_BROKEN, SNAPSHOT_VERSION, `SCENE_*`, those of
 * pd_world_create(). */
PD_API pd_result pd_world_load(pd_world **world, const char *path, const pd_world_def *def, pd_error *error);
/** Saves a snapshot in memory. Free `*bytes` with pd_memory_free().
 *
 * Errors: OUT_OF_MEMORY, USAGE (a step is incomplete). */
PD_API pd_result pd_world_save_to_memory(const pd_world *world, void **bytes, size_t *size, pd_error *error);
/** Returns a 64 bit hash of the state that a snapshot contains. Worlds with the same hash compute the same steps.
 *
 * 0: out of memory. */
PD_API uint64_t pd_world_hash(const pd_world *world);
/** Returns an estimate of the size of a snapshot in bytes, without saving a snapshot. */
PD_API size_t pd_world_snapshot_size(const pd_world *world);
/** Restores a snapshot from memory. The number of threads does not change.
 *
 * On an error the world is unchanged.
 * Errors: SNAPSHOT_BROKEN, SNAPSHOT_VERSION, `SCENE_*`, those of pd_world_create(). */
PD_API pd_result pd_world_restore_from_memory(pd_world *world, const void *bytes, size_t size, pd_error *error);
/** @} */

#ifdef __cplusplus
}
#endif
#endif
