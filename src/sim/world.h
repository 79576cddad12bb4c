/* The struct of a world, for the simulation and its methods. */
#ifndef PUDDLE_SIM_WORLD_H
#define PUDDLE_SIM_WORLD_H

#include "core/parallel.h"
#include "core/random.h"
#include "sim/method.h"
#include "sim/particles/neighbours.h"
#include "sim/settings.h"
#include "sim/sources/sources.h"
#include "sim/tools/tools.h"
#include "sim/walls/obstacles.h"

struct pd_world {
    pd_scene scene;          /* present scene: as it was set, with all later edits, parameters and gravity */
    const pd_method *method; /* running method */
    void *state;             /* private state of the method */
    uint64_t version;        /* number of changes of the world, from 1; cached fields of another version are invalid */
    struct pd_field_cache *fields;      /* cache of the view's fields (sim/view.h) */
    float parameter[PD_MAX_PARAMETERS]; /* present values of the method's parameters, in the order of its table */
    float property[PD_MAX_MATERIALS][PD_PROPERTIES]; /* by material: present value; the method's parameter if not set */
    pd_pool *pool;                                   /* threads of the world */
    pd_particles particles;                          /* particles of the world */
    pd_neighbours neighbours;                        /* cells and order of the particles' last cell sort */
    pd_boundary *boundary;                           /* walls: container, obstacles and bodies */
    struct pd_world_bodies *bodies;                  /* the rigid bodies (sim/world_bodies.h); NULL: none */
    pd_resolution resolution; /* rest spacing, length and gravity from which defaults of parameters are computed */
    int *region_counts;       /* by region: number of its particles at the beginning of the scene */
    int region_total;         /* sum of region_counts */
    uint8_t *flags; /* by particle: mark that functions set for each other, for example to remove the particle */

    uint64_t step;          /* number of steps since time 0 */
    uint64_t substep_total; /* number of substeps since time 0; `ddr` sweeps the particles backwards if it is odd */
    int substeps;           /* number of substeps of the last step, or of the incomplete step */
    bool
        frame_follows; /* the frame of reference moves with the fluid in the last or the incomplete step (sim/frame.h) */
    int substeps_done;        /* completed substeps of the incomplete step; 0 between steps */
    pd_nozzle nozzle;         /* particles in nozzles, listed at the beginning of each step */
    float ramp;               /* progress of the rest-density ramp (sim/particles/ramp.h): 1: begins, 0: ended */
    float ramp_kept;          /* factor on the pressures of particles whose ramp begins in the next substep */
    float ramp_gravity;       /* size of gravity in the last step, m/s^2; 0 before the first step */
    pd_random random;         /* state of the random numbers */
    double *emitted_fraction; /* by emitter: emission due beyond `emitted`, in particles, 0 to 1 */
    bool memory_refused;      /* memory was refused in the last step, command or reset */
    uint64_t *emitted;        /* by emitter: number of particles emitted since time 0 */
    int *emitted_now;         /* by emitter: number of particles added in this step */
    struct pd_compartments *compartments; /* of the emitters (sim/sources/compartments.h); NULL: not computed yet */
    pd_vec2 *obstacle_offset;             /* by obstacle: displacement of the obstacle from its path by the tool, m */
    pd_wall_motion wall_motion;           /* motion of the obstacles in the last substep */
    pd_tool tool;                         /* present tool */
    pd_vec2 tool_from; /* position of the tool at the beginning of the step, m; under PD_TOOL_MOVE minus tool_lag */
    pd_vec2 tool_now;  /* position of the tool at the end of the present substep, m */
    pd_vec2 tool_lag;  /* vector by which the dragged obstacle lags the tool, m; 0 between steps */
    pd_poured poured[PD_POURED_STEPS]; /* strokes of the pour tool in the last steps, newest first */
    pd_calm calm; /* particles near poured fluid, whose speed is limited; listed at the beginning of each step */
    bool pour_incomplete; /* the pour tool could not add all its particles in this step */

    pd_profile profile;  /* wall time by stage */
    double step_seconds; /* wall time of the last step, or of the incomplete step so far, s */
};

/* Grows all arrays that have an element for each particle to at least `capacity` elements. Errors: OUT_OF_MEMORY (the
 * particles are unchanged). */
pd_result pd_world_reserve_particles(pd_world *world, int capacity, pd_error *error);
/* Checks that a definition has the size of this version of the library. Errors: USAGE. A version with a larger definition
 * must accept the sizes of all earlier versions with the same SONAME, whose programs do not set the new members. */
pd_result pd_world_check_def(const pd_world_def *def, pd_error *error);
/* Creates a world from a scene. resolution: resolution of the world from a snapshot; NULL: it is computed from the scene. */
pd_result pd_world_create_at_resolution(pd_world **world, const pd_scene *scene, const pd_resolution *resolution,
                                        int threads, pd_error *error);
/* Replaces the scene. Threads and tool do not change. reference_gravity: gravity from which defaults of
 * parameters are computed, m/s^2; 0: gravity of the scene. On an error the world is unchanged. */
pd_result pd_world_rebuild(pd_world *world, const pd_scene *scene, float reference_gravity, pd_error *error);
/* Applies an edit (scene/edit.h) between two steps. On an error the world is unchanged. Errors: those of pd_edit_apply,
 * SCENE_VALUE (no room for displaced fluid, or particles of a removed material), OUT_OF_MEMORY. */
pd_result pd_world_edit(pd_world *world, const pd_edit *edit, pd_error *error);
/* Returns a method by name. Returns NULL if there is no such method (error METHOD_UNKNOWN). */
const pd_method *pd_world_find_method(const char *name, pd_error *error);
/* Replaces the particles by the particles of the scene's regions, and sets the time to 0. */
void pd_world_fill_from_scene(pd_world *world);

/* Returns whether a snapshot of the present state can be loaded: its values are validated as values of a file are. Cost: a
 * pass over all particles, and over what the method saves. */
bool pd_world_has_valid_state(const pd_world *world);
/* Aborts in debug builds and in builds with a sanitizer if pd_world_has_valid_state(world) is false. */
void pd_world_assert_valid_state(const pd_world *world);

/* Units of public quantities: SI, per metre of depth. A material of mass 1 has the density 1,000 kg/m^3 at rest.
 *
 * Inside the library, masses are those of materials, without a unit. Statistics, impulses and fields are converted to SI
 * units. */

/* Density at rest of a material whose mass is 1, kg/m^3. */
static const double PD_DENSITY_OF_MASS_1 = 1000;

/* Returns the mass of a particle of a material of mass 1, kg/m: density at rest x pd_view.spacing^2. */
static inline double pd_units_particle_mass(const pd_world *world) {
    double spacing = (double)world->resolution.spacing;
    return PD_DENSITY_OF_MASS_1 * spacing * spacing;
}

#endif
