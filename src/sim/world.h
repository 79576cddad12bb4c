/* The world's inside, for the simulation and its methods. */
#ifndef PUDDLE_SIM_WORLD_H
#define PUDDLE_SIM_WORLD_H

#include "core/parallel.h"
#include "core/random.h"
#include "sim/boundary.h"
#include "sim/method.h"
#include "sim/neighbours.h"
#include "sim/particles.h"

enum { PD_MAX_SUBSTEPS = 1024 };

/* What defaults follow (puddle/parameter.h). */
typedef struct pd_resolution {
    float spacing; /* m between particles at rest */
    float
        length; /* L: radius of the circle, half the smaller side of the box, half the fluid's extent without container */
    float gravity; /* m/s^2, of the scene; the article's where there is none */
} pd_resolution;

/* How far the emission of a step has come, so that it can be left and gone on with: it may be of ten million particles. */
typedef struct pd_emission {
    bool under_way;     /* the step has no substep yet */
    int emitter;        /* whose turn it is */
    bool open;          /* it has begun to send out, and what lies about its mouth is listed in `neighbours` */
    double due;         /* particles that it has still to send out */
    int room;           /* for so many there is memory */
    uint32_t near_mask; /* buckets of that list, less one: a power of two */
} pd_emission;

struct pd_world {
    pd_scene scene;
    const pd_method *method;
    void *state;                                     /* the method's */
    uint64_t version;                                /* counts changes, from 1: fields of an older one are outdated */
    struct pd_field_cache *fields;                   /* sim/view.h */
    char key[PD_MAX_PARAMETERS][PD_MAX_KEY];         /* of the running method's parameters: "ddr.radius" */
    float parameter[PD_MAX_PARAMETERS];              /* in the order of its table, like the keys */
    float property[PD_MAX_MATERIALS][PD_PROPERTIES]; /* what holds for each material, be it its own or the parameter */
    pd_pool *pool;
    pd_particles particles;
    pd_neighbours neighbours;
    pd_boundary *boundary;
    pd_resolution resolution;
    int *region_counts;
    int start_count; /* particles of the regions */
    uint8_t *flags;  /* capacity: marks for removal */

    uint64_t step;          /* since the start */
    uint64_t substep_total; /* its parity turns the sweeps round */
    int substeps;           /* of the last step, or of the one under way */
    int substeps_done;      /* of a step under way; 0 between steps and while it emits */
    pd_emission emission;   /* all zero but while a step emits */
    float ramp;             /* of the rest density, 1 to 0: sim/ramp.h */
    bool left_compressible; /* the ramp began when a compressible method was left */
    pd_random random;
    double *emitter_carry;    /* fractions of particles due */
    bool out_of_memory;       /* the last growth failed */
    uint64_t *emitter_number; /* particles sent out so far */
    pd_tool tool;
    pd_vec2 tool_from; /* where the tool was at the end of the last step */
    pd_vec2 tool_now;  /* in this substep */

    pd_profile profile;
    double step_seconds; /* of the last step, or so far */
};

/* The resolution of a scene whose regions hold this many particles. */
pd_resolution pd_resolution_of(const pd_scene *scene, int particles);
/* A parameter's default at a resolution, kept in its range. */
float pd_resolution_default(const pd_resolution *resolution, const pd_parameter *parameter);
/* Reads the running method's parameters again: the scene's settings, else the defaults. */
void pd_world_refresh_parameters(pd_world *world);

/* Room for this many particles in everything that has arrays of them. Errors: OUT_OF_MEMORY (and nothing is lost). */
pd_result pd_world_reserve(pd_world *world, int capacity, pd_error *error);
/* Becomes another scene, keeping threads and tool; defaults follow reference_gravity, or the scene's where it is 0. On an
 * error the world is as before. */
pd_result pd_world_rebuild(pd_world *world, const pd_scene *scene, float reference_gravity, pd_error *error);
/* By name. Errors: METHOD_UNKNOWN, METHOD_UNAVAILABLE (and NULL). */
const pd_method *pd_world_find_method(const char *name, pd_error *error);
/* Back to the regions' particles at time 0. */
void pd_world_fill(pd_world *world);

/* Emitters, drains and changes of material: once a step. Emission goes on for about so many seconds of wall time; false: it is not
 * finished. */
bool pd_world_emit(pd_world *world, double seconds);
void pd_world_drain(pd_world *world);
void pd_world_change(pd_world *world);

/* The acceleration of the tool on a particle, and the velocity it is drawn to: see tools.c. Call once a substep. */
typedef struct pd_tool_field {
    pd_tool_kind kind;
    float x, y, radius, inverse_radius, strength; /* m, m, m, 1/m, m/s^2 */
    float target_vx, target_vy;
    float blend;     /* part of the velocity difference a drag closes in this substep at its centre */
    bool attracts;   /* push and pull are accelerations, see pd_tool_field_attract */
    pd_vec2 gravity; /* m/s^2: what a pull holds against */
} pd_tool_field;
pd_tool_field pd_tool_field_of(const pd_world *world, float dt);
/* Push and pull as Lague's simulation has them: an acceleration of this strength (m/s^2) at the pointer, 0 at its reach, which
 * slows what it moves; a pull also holds it against gravity. */
void pd_tool_field_attract(const pd_world *world, pd_tool_field *field, float strength);
void pd_tool_act(const pd_tool_field *field, float dt, float inverse_mass, float x, float y, float *vx, float *vy);

/* Time by stage: pd_stage_end adds the time since *since to the named stage and moves *since on. */
void pd_stage_end(pd_world *world, const char *name, double *since);

#endif
