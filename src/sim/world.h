/* The world's private structure, for the simulation and its methods. */
#ifndef PUDDLE_SIM_WORLD_H
#define PUDDLE_SIM_WORLD_H

#include "core/parallel.h"
#include "core/random.h"
#include "sim/method.h"
#include "sim/particles/neighbours.h"
#include "sim/settings.h"
#include "sim/sources/nozzle.h"
#include "sim/sources/sources.h"
#include "sim/tools/calm.h"
#include "sim/tools/tools.h"
#include "sim/walls/obstacles.h"

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

#endif
