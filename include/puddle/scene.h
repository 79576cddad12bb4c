/* A scene: the initial state of a world as plain data. Read it from a YAML file, or fill it in C.
 *
 * Units are m, s, m/s and degrees (angles) unless stated; y points up; the container is centred on the origin. Lists
 * are allocated with malloc and owned by the scene. */
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
    PD_MAX_ITEMS = 4096, /* of each list: regions, obstacles, emitters, ...; but of: */
    PD_MAX_VORTONS = 40000,
    PD_MAX_POINTS = 4096,    /* of one polyline or polygon */
    PD_MAX_IMAGE_SIDE = 256, /* pixels of an image along each side */
    PD_MAX_PIXELS = 1 << 20, /* of all images together */
    PD_NO_FLUID = 255,       /* a pixel of an image without fluid */
    PD_MAX_PARTICLES = 10000000,
    PD_MAX_CELLS = 4096,         /* of a grid along each side */
    PD_MAX_ACCELERATION = 10000, /* m/s^2, magnitude of each component of gravity */
};
#define PD_MIN_RATE 1e-3 /* particles per second of an emitter; the largest rate is PD_MAX_PARTICLES */

typedef struct pd_vec2 {
    float x, y;
} pd_vec2;

typedef enum pd_container_shape { PD_CONTAINER_CIRCLE, PD_CONTAINER_BOX, PD_CONTAINER_NONE } pd_container_shape;

/* Boundary condition of one side of a box; used by the grid method. NAN: not given. */
typedef struct pd_wall {
    float inflow;   /* speed into the box, m/s */
    float velocity; /* tangential speed of the wall, m/s */
    bool outflow;   /* fluid leaves freely */
} pd_wall;

enum { PD_WALL_LEFT, PD_WALL_RIGHT, PD_WALL_BOTTOM, PD_WALL_TOP, PD_WALLS };

typedef struct pd_container {
    pd_container_shape shape;
    float radius;        /* circle */
    float width, height; /* box */
    pd_wall walls[PD_WALLS];
    bool slip; /* true (default): free slip; false: no slip */
} pd_container;

/* Properties that a material can set in place of a parameter of double density relaxation. SPH and position based fluids have
 * viscosity, springs, stickiness and surface tension. The viscosity of a material there is the method's parameter times the
 * ratio of its own value to the default of ddr.linear_viscosity; the others stand in for the method's own parameters, in the
 * same units. */
typedef enum pd_property {
    PD_VISCOSITY,     /* 1/s: ddr.linear_viscosity */
    PD_ELASTICITY,    /* 1/s^2: spring_stiffness of ddr, sph and pbf */
    PD_PLASTICITY,    /* 1/s: plasticity of these */
    PD_YIELD,         /* fraction of a spring's length: yield of these */
    PD_STICKINESS,    /* 1/s^2: stickiness of these */
    PD_CONTACT_ANGLE, /* degrees: ddr.contact_angle */
    PD_TENSION,       /* m^3/s^2: surface_tension of ddr, sph and pbf */
    PD_PROPERTIES,
} pd_property;

typedef struct pd_property_info {
    const char *key;       /* in a scene's material: "viscosity" */
    const char *parameter; /* its default, and its range: "ddr.linear_viscosity" */
    unsigned feature;      /* the pd_scene_feature of methods that have it */
} pd_property_info;

/* property: 0 .. PD_PROPERTIES - 1. */
const pd_property_info *pd_property_at(int property);

typedef struct pd_material {
    char name[PD_MAX_NAME];
    uint8_t red, green, blue;
    float mass;                    /* of a particle, relative to the default 1 */
    float property[PD_PROPERTIES]; /* by pd_property; NAN: the parameter's value */
} pd_material;

/* Blue, mass 1, every property NAN, empty name. */
pd_material pd_material_default(void);

/* Image and particles: only of regions; polyline and polygon: only of obstacles. The area of particles is the rectangle around
 * them. A polygon is what lies inside an outline of three points or more that does not cross or touch itself; its last side goes
 * back to the first point. */
typedef enum pd_shape {
    PD_SHAPE_CIRCLE,
    PD_SHAPE_BOX,
    PD_SHAPE_ELLIPSE,
    PD_SHAPE_POLYLINE,
    PD_SHAPE_IMAGE,
    PD_SHAPE_PARTICLES,
    PD_SHAPE_POLYGON,
} pd_shape;

/* A part of the plane: what regions, obstacles, drains and changes cover. Each of them takes some of the shapes, and reads
 * only the members that belong to its shape. */
typedef struct pd_area {
    pd_shape shape;
    pd_vec2 center;
    float radius;    /* circle */
    pd_vec2 size;    /* box, ellipse and image: full width and height */
    float angle;     /* degrees counterclockwise: of a box or polygon; of an obstacle in a view, that of any shape */
    float thickness; /* polyline: full width of the line */
    pd_vec2 *points; /* polyline and polygon: relative to center, before they are turned by angle; owned by the scene */
    int point_count;
    const int (*triangles)[3]; /* polygon, only in a view: point_count - 2 triangles that fill it, as indices */
    int columns, rows;         /* image: of pixels */
    uint8_t *pixels;           /* image: in rows from the top left, the material of the fluid there, as an index into
                          the scene's materials, or PD_NO_FLUID; owned by the scene */
} pd_area;

/* Initial arrangement: hexagonal lattice, square lattice, randomly displaced lattice. */
typedef enum pd_fill { PD_FILL_HEX, PD_FILL_GRID, PD_FILL_RANDOM } pd_fill;

/* A particle at the start, of a region of the shape `particles`. */
typedef struct pd_scene_particle {
    pd_vec2 position, velocity; /* m, m/s */
    int32_t material;           /* index into materials */
} pd_scene_particle;

/* An area filled with particles at the start; or, of the shape `particles`, a list of them, made by pd_scene_add_particles. */
typedef struct pd_region {
    pd_area area; /* circle, box, ellipse, image or particles */
    int material; /* index into materials; of an image, its pixels say it */
    pd_vec2 velocity;
    pd_fill fill;
    int count;     /* particles; 0: not given */
    float spacing; /* m between particles; 0: not given. Regions with neither share pd_scene.particles by area */
    pd_scene_particle *particles; /* shape particles: `count` of them, `spacing` apart at rest; owned by the scene */
    float density; /* vortex: deviation from the ambient density; NAN: as the mass of its material says (NAN) */
    float amount;  /* grid: smoke, 0..1 (1) */
} pd_region;

/* A vortex particle. */
typedef struct pd_vorton {
    pd_vec2 position;
    float circulation; /* m^2/s */
    float core;        /* radius, m */
} pd_vorton;

typedef struct pd_obstacle {
    pd_area area;     /* circle, box, polyline or polygon, where its path begins */
    pd_vec2 velocity; /* m/s */
    float spin;       /* degrees/s counterclockwise, about center */
    float turn;       /* s: velocity and spin change sign after every interval of this length; 0: never */
    float phase;      /* s: so much of the path lies behind it at time 0; area is where the path began */
} pd_obstacle;

/* A nozzle that emits particles, as a jet of this speed and width where the rate is about speed * width over the area that a
 * particle takes at rest. */
typedef struct pd_emitter {
    pd_vec2 position, direction; /* direction: of any length */
    float speed, width;
    float rate; /* particles per second; scaled with the resolution by pd_scene_set_particles */
    int material;
    float from, until; /* s; until may be INFINITY */
} pd_emitter;

/* What a grid fluid begins with in place of its regions and vortons, as pd_world_scene_now takes it from a world: the
 * velocities at the faces of its cells, and the dyes in them. The cells lie around the origin; a grid of cells of another size
 * interpolates between these, and is 0 where there are none. Without a container the grid is the square around them. On the
 * same grid the velocities are taken as they are, so they must agree with the walls: where a wall was added by hand, the first
 * step corrects them. */
typedef struct pd_cells {
    int columns, rows; /* 0: there are none */
    float size;        /* of a cell, m */
    /* Layers of (rows + 1) * (columns + 1) values, in rows from the bottom left: the x velocity at the left face of each cell
     * and the y velocity at its lower face, m/s; then the amount of each dye, 0 .. 1. The last row and column have the faces at
     * the end, and no dye. Owned by the scene. */
    float *values;
    int dyes;
    int material[PD_MAX_MATERIALS]; /* of each dye */
} pd_cells;

/* An area in which particles are removed after every step. */
typedef struct pd_drain {
    pd_area area; /* circle or box */
} pd_drain;

/* Attraction between two materials in double density relaxation: a factor on the attractive part of the pressure, -k
 * rho0. 1, the default: as within one material; below 1 they separate, above 1 they mix. */
typedef struct pd_attraction {
    int between[2]; /* indices into materials; twice the same: of a material with itself */
    float factor;
} pd_attraction;

/* An area in which particles of one material become particles of another, as by heating; nothing else of them
 * changes. */
typedef struct pd_change {
    pd_area area; /* circle or box */
    int from, to; /* indices into materials */
    float rate;   /* 1/s: after t seconds there a fraction exp(-rate t) is unchanged; INFINITY: all change at once */
} pd_change;

/* A parameter given by the scene. */
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
    int particles; /* total of all regions; 0: as the regions give */
    pd_container container;
    pd_material materials[PD_MAX_MATERIALS];
    int material_count;
    pd_region *regions;
    int region_count;
    pd_vorton *vortons; /* particles of the vortex method; for the others the source of initial velocities */
    int vorton_count;
    pd_cells cells; /* of the grid method */
    pd_obstacle *obstacles;
    int obstacle_count;
    pd_emitter *emitters;
    int emitter_count;
    pd_drain *drains;
    int drain_count;
    pd_attraction *attractions; /* each pair at most once */
    int attraction_count;
    pd_change *changes;
    int change_count;
    pd_setting *settings; /* parameters that the scene gives; the others have defaults that scale with it */
    int setting_count;
} pd_scene;

/* An empty scene with every default: circle of radius 1 m, gravity (0, -1.6) m/s^2, dt 1/60 s, seed 1, method ddr, one
 * material "water". */
void pd_scene_init(pd_scene *scene);
/* Frees the lists and zeroes *scene. */
void pd_scene_free(pd_scene *scene);
/* Deep copy into an uninitialised *to; on an error *to is zeroed. Errors: OUT_OF_MEMORY. */
pd_result pd_scene_copy(pd_scene *to, const pd_scene *from, pd_error *error);
/* Sets or replaces a parameter by its full key. Errors: PARAMETER_UNKNOWN, PARAMETER_VALUE, OUT_OF_MEMORY. */
pd_result pd_scene_set(pd_scene *scene, const char *key, float value, pd_error *error);
/* Checks that a parameter that is a length (pd_parameter.in_container) fits into the scene's container; others pass.
 * Errors: PARAMETER_VALUE. */
pd_result pd_scene_check_length(const pd_scene *scene, const char *key, float value, pd_error *error);
/* Removes a parameter's setting, so that its default holds. Errors: PARAMETER_UNKNOWN. */
pd_result pd_scene_unset(pd_scene *scene, const char *key, pd_error *error);

/* Append an item to a scene's list, or replace one (of obstacles, whose points the scene then copies; the others may also be
 * written in place). Checked like pd_scene_check; on an error the scene is as before. Errors: SCENE_VALUE, SCENE_REFERENCE,
 * SCENE_TOO_LARGE (the list is full), PARAMETER_VALUE, OUT_OF_MEMORY. */
pd_result pd_scene_add_obstacle(pd_scene *scene, const pd_obstacle *obstacle, pd_error *error);
pd_result pd_scene_set_obstacle(pd_scene *scene, int index, const pd_obstacle *obstacle, pd_error *error);
pd_result pd_scene_add_emitter(pd_scene *scene, const pd_emitter *emitter, pd_error *error);
pd_result pd_scene_add_drain(pd_scene *scene, const pd_drain *drain, pd_error *error);
pd_result pd_scene_add_material(pd_scene *scene, const pd_material *material, pd_error *error);
/* Appends a region of the shape `particles`, of a copy of the list. spacing: the distance of neighbours at rest, m, which the
 * defaults of parameters follow; 0: as the rectangle around them gives. Its particles keep their velocities: vortons add nothing to
 * them. A scene with such a region has no total: pd_scene.particles is 0, and pd_scene_set_particles fails. Errors: those above. */
pd_result pd_scene_add_particles(pd_scene *scene, const pd_scene_particle *particles, int count, float spacing,
                                 pd_error *error);
/* Remove an item; those behind it move up by one, and references to materials with them. Errors: SCENE_REFERENCE (there is
 * none of that index; of a material: something refers to it, or it is the only one). */
pd_result pd_scene_remove_obstacle(pd_scene *scene, int index, pd_error *error);
pd_result pd_scene_remove_emitter(pd_scene *scene, int index, pd_error *error);
pd_result pd_scene_remove_drain(pd_scene *scene, int index, pd_error *error);
pd_result pd_scene_remove_material(pd_scene *scene, int index, pd_error *error);

/* A picture as the reader of a program gives it. */
typedef struct pd_bitmap {
    int width, height; /* of the file, in pixels */
    int columns, rows; /* of rgba: at most PD_MAX_IMAGE_SIDE each */
    uint8_t *rgba;     /* columns * rows * 4 bytes of sRGB and straight alpha, in rows from the top left; for free() */
} pd_bitmap;
/* Reads a file, scaled down to at most PD_MAX_IMAGE_SIDE pixels a side. Errors: FILE_UNREADABLE, OUT_OF_MEMORY; the message
 * names the file. */
typedef pd_result pd_picture_reader(const char *path, pd_bitmap *picture, pd_error *error);
/* The library has no decoder of its own: sets the function that reads the files of images in scenes; NULL, as at the start:
 * there is none, and such scenes are refused. Call it before any scene is read, from one thread. */
void pd_scene_set_picture_reader(pd_picture_reader *reader);
/* Replaces the regions and vortons of a scene by a picture as fluid in its own colours, as large as fits into the middle of the
 * container, with the properties of the first region's material and so many particles, and names the scene after the file.
 * Emitters and settings scale with the resolution. Pixels more than half transparent are no fluid. Materials that nothing uses
 * any more are removed, and one is added for each of the picture's colours. On an error the scene is as before. Errors: those
 * of the reader, of pd_scene_check and pd_scene_set_particles, SCENE_VALUE (wholly transparent), SCENE_TOO_LARGE (no room for
 * materials). */
pd_result pd_scene_set_picture(pd_scene *scene, const char *path, int particles, pd_error *error);
enum { PD_PICTURE_PARTICLES = 10000 }; /* a number for it that most machines carry in real time */
/* Whether a path ends like the name of a picture: ".png", ".JPG". */
bool pd_path_is_picture(const char *path);

/* Changes the resolution: sets the total number of particles of all regions, and scales the emitters' rates by the same
 * factor, so that they emit the same volume. Where only some of the regions give count or spacing, the present numbers
 * of all regions become their counts, so that their ratios stay. On an error the scene is as before. Errors:
 * SCENE_TOO_LARGE (also an emitter's rate), SCENE_VALUE (not positive; or a region lists its particles), OUT_OF_MEMORY. */
pd_result pd_scene_set_particles(pd_scene *scene, int particles, pd_error *error);

/* Checks a scene built in C against the limits of scene files: list sizes, enums, ranges, no NaN, names of one line of
 * UTF-8, known settings, existing materials, at most PD_MAX_PARTICLES particles. A scene that passes can be written and
 * read back. The message names the field: "regions[2].radius is nan (use 1e-06 to 1000000)". Errors: SCENE_VALUE,
 * SCENE_REFERENCE, SCENE_TOO_LARGE, METHOD_UNKNOWN, PARAMETER_*, OUT_OF_MEMORY. */
pd_result pd_scene_check(const pd_scene *scene, pd_error *error);

/* What a scene asks for that its method does otherwise when it runs: one line for each index from 0. False: there are no
 * more. The scene passes pd_scene_check. */
bool pd_scene_warning(const pd_scene *scene, int index, char *text, size_t size);

/* Reads a scene; on failure *scene is left empty and needs no freeing. The message is file:line:column: what is wrong
 * and what would be right. A key with an effect that the scene's method does not support (pd_scene_feature) is refused
 * like an unknown key. The file of an image is found relative to the folder of the scene. A picture (pd_path_is_picture) is
 * read as a scene of its own: 10,000 particles in the default container. Errors: FILE_UNREADABLE, SCENE_*, METHOD_UNKNOWN,
 * PARAMETER_*, OUT_OF_MEMORY. */
pd_result pd_scene_read(const char *path, pd_scene *scene, pd_error *error);
/* The same from text in memory; name replaces the path in messages. A particle file is refused: only a scene file has a
 * folder. Errors: all but FILE_UNREADABLE. */
pd_result pd_scene_read_text(const char *text, size_t length, const char *name, pd_scene *scene, pd_error *error);
/* Writes a scene file that reads back as the same scene, without keys that its method does not support; on an error a
 * file at path stays as it was. Regions of the shape `particles` are written beside it, as FILE.csv of FILE.yaml, a second one
 * as FILE-2.csv, and cells as FILE-cells.csv: these replace files of that name. Errors: FILE_UNWRITABLE, OUT_OF_MEMORY. */
pd_result pd_scene_write(const pd_scene *scene, const char *path, pd_error *error);
/* The same as text of length bytes and a terminating zero, with all particles in it, to be freed with free(). Errors:
 * OUT_OF_MEMORY. */
pd_result pd_scene_write_text(const pd_scene *scene, char **text, size_t *length, pd_error *error);

#ifdef __cplusplus
}
#endif
#endif
