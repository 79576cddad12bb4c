/* A scene: all that a world starts from, as plain data. Read it from a YAML file, or fill it in C.
 *
 * Units are metres, seconds and degrees (angles); y points up; a container is centred on the origin. */
#ifndef PUDDLE_SCENE_H
#define PUDDLE_SCENE_H

#include <puddle/result.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    PD_SCENE_VERSION = 1,
    PD_MAX_NAME = 64,
    PD_MAX_METHOD_NAME = 16,
    PD_MAX_KEY = 64,
    PD_MAX_MATERIALS = 32,
    PD_MAX_ITEMS = 4096,  /* regions, obstacles, emitters, drains, vortons: of each */
    PD_MAX_POINTS = 4096, /* of one polyline */
    PD_MAX_PARTICLES = 10000000,
    PD_MAX_ACCELERATION = 10000, /* m/s^2: of each component of gravity */
};
#define PD_MIN_RATE 1e-3 /* particles per second of an emitter, at most PD_MAX_PARTICLES */

typedef struct pd_vec2 {
    float x, y;
} pd_vec2;

typedef enum pd_container_shape { PD_CONTAINER_CIRCLE, PD_CONTAINER_BOX, PD_CONTAINER_NONE } pd_container_shape;

/* What a side of a box does beyond holding the fluid. Used by the grid; NAN: not given. */
typedef struct pd_wall {
    float inflow;   /* speed into the box, m/s */
    float velocity; /* tangential, m/s */
    bool outflow;
} pd_wall;

enum { PD_WALL_LEFT, PD_WALL_RIGHT, PD_WALL_BOTTOM, PD_WALL_TOP, PD_WALLS };

typedef struct pd_container {
    pd_container_shape shape;
    float radius;        /* circle */
    float width, height; /* box */
    pd_wall walls[PD_WALLS];
    bool slip; /* true: the fluid slides along the walls (default) */
} pd_container;

/* What a material may say for itself instead of the method's parameter (double density relaxation). */
typedef enum pd_property {
    PD_VISCOSITY,  /* 1/s: ddr.linear_viscosity */
    PD_ELASTICITY, /* 1/s^2: ddr.spring_stiffness */
    PD_PLASTICITY, /* 1/s: ddr.plasticity */
    PD_YIELD,      /* part of a spring's length: ddr.yield */
    PD_STICKINESS, /* 1/s^2: ddr.stickiness */
    PD_PROPERTIES,
} pd_property;

typedef struct pd_property_info {
    const char *key;       /* in a scene's material: "viscosity" */
    const char *parameter; /* that holds where a material is silent, and whose range it has: "ddr.linear_viscosity" */
} pd_property_info;

/* property: 0 .. PD_PROPERTIES - 1. */
const pd_property_info *pd_property_at(int property);

typedef struct pd_material {
    char name[PD_MAX_NAME];
    uint8_t red, green, blue;
    float mass;
    float property[PD_PROPERTIES]; /* NAN: as the parameter says */
} pd_material;

/* Blue, of mass 1, silent about every property; the name is empty. */
pd_material pd_material_default(void);

typedef enum pd_shape { PD_SHAPE_CIRCLE, PD_SHAPE_BOX, PD_SHAPE_ELLIPSE, PD_SHAPE_POLYLINE } pd_shape;
typedef enum pd_fill { PD_FILL_HEX, PD_FILL_GRID, PD_FILL_RANDOM } pd_fill;

typedef struct pd_region {
    pd_shape shape; /* circle, box or ellipse */
    pd_vec2 center;
    float radius; /* circle */
    pd_vec2 size; /* box and ellipse: full width and height */
    int material; /* index into materials */
    pd_vec2 velocity;
    pd_fill fill;
    int count;     /* 0: not given */
    float spacing; /* 0: not given; without count and spacing the scene's particles are shared out by area */
    float density; /* vortex: deviation from the ambient density (0) */
    float amount;  /* grid: smoke 0..1 (1) */
} pd_region;

typedef struct pd_vorton {
    pd_vec2 position;
    float circulation; /* m^2/s */
    float core;        /* m */
} pd_vorton;

typedef struct pd_obstacle {
    pd_shape shape; /* circle, box or polyline */
    pd_vec2 center;
    float radius;    /* circle */
    pd_vec2 size;    /* box: full width and height */
    float angle;     /* box, degrees counterclockwise */
    float thickness; /* polyline */
    pd_vec2 *points; /* polyline, owned by the scene; relative to center */
    int point_count;
    pd_vec2 velocity; /* m/s */
    float spin;       /* degrees/s counterclockwise, about center */
    float turn;       /* seconds after which velocity and spin reverse, again and again; 0: never */
} pd_obstacle;

typedef struct pd_emitter {
    pd_vec2 position, direction;
    float speed, width;
    float rate; /* particles per second at the scene's own resolution */
    int material;
    float from, until; /* s; until may be INFINITY */
} pd_emitter;

typedef struct pd_drain {
    pd_shape shape; /* circle or box */
    pd_vec2 center;
    float radius;
    pd_vec2 size;
} pd_drain;

/* How strongly two materials attract each other: the factor on the part of the pressure that pulls (-k rho0). 1: like one
 * material, which is what holds where nothing is said; less: they part; more: they mix eagerly. */
typedef struct pd_attraction {
    int between[2]; /* indices into materials; the same one twice: with itself */
    float factor;
} pd_attraction;

/* A place that turns one material into another, as heat does: a fluid changes there, and nothing else does. */
typedef struct pd_change {
    pd_shape shape; /* circle or box */
    pd_vec2 center;
    float radius;
    pd_vec2 size;
    int from, to; /* indices into materials */
    float rate;   /* 1/s: exp(-rate t) of what stays there for t seconds is left; INFINITY: none after a step */
} pd_change;

typedef struct pd_setting {
    char key[PD_MAX_KEY]; /* "ddr.stiffness" */
    float value;
} pd_setting;

typedef struct pd_scene {
    char name[PD_MAX_NAME];
    char method[PD_MAX_METHOD_NAME];
    pd_vec2 gravity; /* m/s^2 */
    float dt;        /* s per step */
    int substeps;    /* 0: automatic */
    uint64_t seed;
    int particles; /* total number the regions share; 0: as the regions say */
    pd_container container;
    pd_material materials[PD_MAX_MATERIALS];
    int material_count;
    pd_region *regions;
    int region_count;
    pd_vorton *vortons; /* of the vortex method; under others the fluid begins with the velocity that they induce */
    int vorton_count;
    pd_obstacle *obstacles;
    int obstacle_count;
    pd_emitter *emitters;
    int emitter_count;
    pd_drain *drains;
    int drain_count;
    pd_attraction *attractions; /* each pair once */
    int attraction_count;
    pd_change *changes;
    int change_count;
    pd_setting *settings; /* parameters that the scene gives; the others follow the resolution */
    int setting_count;
} pd_scene;

/* An empty scene with every default: circle of radius 1 m, gravity (0, -1.6), dt 1/60 s, seed 1, method ddr. */
void pd_scene_init(pd_scene *scene);
void pd_scene_free(pd_scene *scene);
/* Deep copy into an uninitialised *to. Errors: OUT_OF_MEMORY. */
pd_result pd_scene_copy(pd_scene *to, const pd_scene *from, pd_error *error);
/* Sets or replaces a parameter by its full key. Errors: PARAMETER_UNKNOWN, PARAMETER_VALUE, OUT_OF_MEMORY. */
pd_result pd_scene_set(pd_scene *scene, const char *key, float value, pd_error *error);
/* Whether a parameter that is a length fits into the scene's container. Errors: PARAMETER_VALUE. */
pd_result pd_scene_check_length(const pd_scene *scene, const char *key, float value, pd_error *error);
/* Takes a parameter out again, so that its default holds. Errors: PARAMETER_UNKNOWN. */
pd_result pd_scene_unset(pd_scene *scene, const char *key, pd_error *error);

/* Changes the resolution: the regions will hold this many particles in all, and emitters send out as many more or fewer,
 * so that the same volume of fluid flows. Where some regions say their number and others share what is left, the
 * numbers of now stay their ratio. On an error the scene is as before.
 * Errors: SCENE_TOO_LARGE (also an emitter's rate), SCENE_VALUE (not positive), OUT_OF_MEMORY. */
pd_result pd_scene_set_particles(pd_scene *scene, int particles, pd_error *error);

/* Checks a scene built in C against the limits that scene files are held to: lists, enums, ranges, no NaN, names that are
 * text, known settings, materials that exist, 10 million particles. What passes can be written and read back. The message
 * names the field: "regions[2].radius is nan (use 1e-06 to 1000000)". Errors: SCENE_VALUE, SCENE_REFERENCE,
 * SCENE_TOO_LARGE, METHOD_UNKNOWN, PARAMETER_*, OUT_OF_MEMORY. */
pd_result pd_scene_check(const pd_scene *scene, pd_error *error);

/* Reads a scene; on failure *scene is left empty and needs no freeing. The message is file:line:column: what is wrong
 * and what would be right. A key with an effect that the scene's method does not have (pd_scene_feature) is refused like one that
 * does not exist. Errors: FILE_UNREADABLE, SCENE_*, METHOD_UNKNOWN, PARAMETER_*, OUT_OF_MEMORY. */
pd_result pd_scene_read(const char *path, pd_scene *scene, pd_error *error);
/* The same from text in memory; name stands for the file in messages. */
pd_result pd_scene_read_text(const char *text, size_t length, const char *name, pd_scene *scene, pd_error *error);
/* Writes a scene that reads back to the same scene, without keys that its method cannot follow, as a whole file or not at all. Errors: FILE_UNWRITABLE. */
pd_result pd_scene_write(const pd_scene *scene, const char *path, pd_error *error);
/* The same as text, to be freed with free(). Errors: OUT_OF_MEMORY. */
pd_result pd_scene_write_text(const pd_scene *scene, char **text, size_t *length, pd_error *error);

#ifdef __cplusplus
}
#endif
#endif
