/** @file
 * Scenes: the initial state of a world as plain data.
 *
 * Read a scene from a YAML file (pd_scene_read()), or begin with pd_scene_init() and set the members in C.
 *
 * Units are m, s, m/s and degrees unless stated. The y axis points up. The container is centred on the origin.
 * The lists are allocated with pd_memory_new() and owned by the scene. pd_scene_free() frees the lists.
 */
#ifndef PUDDLE_SCENE_H
#define PUDDLE_SCENE_H

#include <puddle/parameter.h>
#include <puddle/result.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Limits of scenes. */
enum {
    PD_SCENE_VERSION = 1,        /**< Version of the format of scene files. */
    PD_MAX_NAME = 64,            /**< Bytes of a name, with the terminating zero. */
    PD_MAX_METHOD_NAME = 16,     /**< Bytes of a method's name, with the terminating zero. */
    PD_MAX_KEY = 64,             /**< Bytes of a parameter's full key, with the terminating zero. */
    PD_MAX_MATERIALS = 32,       /**< Materials of a scene. */
    PD_MAX_ITEMS = 4096,         /**< Items of each other list of a scene, except vortons. */
    PD_MAX_VORTONS = 40000,      /**< Vortons of a scene. */
    PD_MAX_POINTS = 4096,        /**< Points of one polyline or polygon. */
    PD_MAX_IMAGE_SIDE = 256,     /**< Pixels of an image along each side. */
    PD_MAX_PIXELS = 1 << 20,     /**< Pixels of all images together. */
    PD_NO_FLUID = 255,           /**< Value of a pixel without fluid. */
    PD_MAX_PARTICLES = 10000000, /**< Particles of a world. */
    PD_MAX_CELLS = 4096,         /**< Cells of a grid along each side. */
    PD_MAX_ACCELERATION = 10000, /**< Magnitude of each component of gravity, m/s^2. */
};
#define PD_MIN_RATE 1e-3 /**< Least rate of an emitter, 1/s. The greatest rate is #PD_MAX_PARTICLES. */

/** A vector in the plane. */
typedef struct pd_vec2 {
    float x, /**< Horizontal component, positive to the right. */
        y;   /**< Vertical component, positive upwards. */
} pd_vec2;

/** Shape of the container. */
typedef enum pd_container_shape {
    PD_CONTAINER_CIRCLE, /**< A circle of pd_container.radius. */
    PD_CONTAINER_BOX,    /**< A box of pd_container.width and pd_container.height. */
    PD_CONTAINER_NONE    /**< No container. */
} pd_container_shape;

/** Boundary condition of one side of a box, for methods with ::PD_FEATURE_WALLS. */
typedef struct pd_wall {
    float inflow;   /**< Speed into the box, m/s. NAN: not given. */
    float velocity; /**< Tangential speed of the wall, m/s. NAN: not given. */
    bool outflow;   /**< Whether fluid leaves freely. */
} pd_wall;

/** Indices of pd_container.walls. */
enum {
    PD_WALL_LEFT,   /**< Left side. */
    PD_WALL_RIGHT,  /**< Right side. */
    PD_WALL_BOTTOM, /**< Bottom. */
    PD_WALL_TOP,    /**< Top. */
    PD_WALLS        /**< Number of sides. */
};

/** The container. */
typedef struct pd_container {
    pd_container_shape shape; /**< Shape. */
    float radius;             /**< Radius of a circle, m. */
    float width,              /**< Width of a box, m. */
        height;               /**< Height of a box, m. */
    pd_wall walls[PD_WALLS];  /**< Boundary conditions of the sides of a box. */
    bool slip;                /**< true (default): free slip. false: no slip. */
} pd_container;

/** Scene keys that only some methods support: bits of pd_method_info.features.
 *
 * A scene file with one of the first five keys is refused if the key has an effect and the method lacks the feature.
 * The other keys change how the same fluid behaves. A method without the feature ignores the key.
 * pd_scene_warning() and pd_world_warning() report ignored keys, after a change of the method those of all features. */
typedef enum pd_scene_feature {
    PD_FEATURE_WALLS = 1 << 0,       /**< The method reads `container.walls`: inflow, outflow, moving lids. */
    PD_FEATURE_NO_SLIP = 1 << 1,     /**< `container.slip: false`. */
    PD_FEATURE_AMOUNT = 1 << 2,      /**< `regions[].amount`: smoke. */
    PD_FEATURE_DENSITY = 1 << 3,     /**< `regions[].density`: deviation from the ambient density. */
    PD_FEATURE_CELLS = 1 << 4,       /**< `cells`. */
    PD_FEATURE_ATTRACTIONS = 1 << 5, /**< `attractions`. */
    PD_FEATURE_VISCOSITY = 1 << 6,   /**< `viscosity` of materials. */
    PD_FEATURE_PROPERTIES = 1 << 7,  /**< `contact_angle` of materials. */
    PD_FEATURE_TENSION = 1 << 8,     /**< `surface_tension` of materials. */
    PD_FEATURE_SPRINGS = 1 << 9,     /**< `elasticity`, `plasticity` and `yield` of materials. */
    PD_FEATURE_STICKINESS = 1 << 10, /**< `stickiness` of materials. */
    PD_FEATURES_END = 1 << 11,       /**< The bit after the last feature. */

    /** Features of all methods whose particles carry the fluid: double density relaxation, SPH, position based fluids. */
    PD_FEATURES_OF_PARTICLES = PD_FEATURE_VISCOSITY | PD_FEATURE_TENSION | PD_FEATURE_SPRINGS | PD_FEATURE_STICKINESS,
} pd_scene_feature;

/** Property of a material. A material's own value replaces the parameter of the method.
 *
 * SPH and position based fluids have all properties but the contact angle.
 * Their viscosity is the parameter of the method times (own value / default of #PD_VISCOSITY). */
typedef enum pd_property {
    PD_VISCOSITY,     /**< Viscosity, 1/s: `ddr.linear_viscosity`. */
    PD_ELASTICITY,    /**< Elasticity, 1/s^2: `spring_stiffness` of ddr, sph and pbf. */
    PD_PLASTICITY,    /**< Plasticity, 1/s: `plasticity` of ddr, sph and pbf. */
    PD_YIELD,         /**< Yield, fraction of a spring's length: `yield` of ddr, sph and pbf. */
    PD_STICKINESS,    /**< Stickiness of walls, 1/s^2: `stickiness` of ddr, sph and pbf. */
    PD_CONTACT_ANGLE, /**< Contact angle, degrees: `ddr.contact_angle`. */
    PD_TENSION,       /**< Surface tension, m^3/s^2: `surface_tension` of ddr, sph and pbf. */
    PD_PROPERTIES,    /**< Number of properties. */
} pd_property;

/** Description of a ::pd_property. */
typedef struct pd_property_info {
    const char *key;  /**< Key in the materials of a scene file: "viscosity". */
    unsigned feature; /**< The ::pd_scene_feature of methods that have the property. */
    /** Title, unit, range and scale. pd_parameter.key is that of the methods' parameters which own values replace:
     * "linear_viscosity". The default is that of methods without such a parameter. */
    const pd_parameter *parameter;
    bool of_springs; /**< Whether the property acts on springs: only with #PD_ELASTICITY above 0. */
} pd_property_info;

/** Returns the description of a property, 0 to #PD_PROPERTIES - 1. */
PD_API const pd_property_info *pd_property_at(int property);

/** A material. */
typedef struct pd_material {
    char name[PD_MAX_NAME];        /**< Name, unique in the scene. */
    uint8_t red,                   /**< Red of the colour, sRGB. */
        green,                     /**< Green of the colour, sRGB. */
        blue;                      /**< Blue of the colour, sRGB. */
    float mass;                    /**< Mass of a particle, relative to the default 1. */
    float property[PD_PROPERTIES]; /**< Value of each ::pd_property. NAN: the method's parameter applies. */
} pd_material;

/** Shape of an area. */
typedef enum pd_shape {
    PD_SHAPE_CIRCLE,    /**< Circle. */
    PD_SHAPE_BOX,       /**< Box. */
    PD_SHAPE_ELLIPSE,   /**< Ellipse. Regions only. */
    PD_SHAPE_POLYLINE,  /**< Line of some thickness through points. Obstacles only. */
    PD_SHAPE_IMAGE,     /**< Pixels, each with a material. Regions only. */
    PD_SHAPE_PARTICLES, /**< Rectangle around listed particles. Regions only. */
    /** Inside of an outline of 3 points or more. Obstacles only. The outline closes itself, and must not cross or
     * touch itself. */
    PD_SHAPE_POLYGON,
} pd_shape;

/** An area of the plane: the place of a region, obstacle, drain or change.
 *
 * Each of these allows some of the shapes. Members that do not belong to the shape are ignored. */
typedef struct pd_area {
    pd_shape shape;  /**< Shape. */
    pd_vec2 center;  /**< Centre, m. */
    float radius;    /**< Radius of a circle, m. */
    pd_vec2 size;    /**< Full width and height of a box, ellipse or image, m. */
    float angle;     /**< Angle of a box or polygon, degrees counterclockwise. In a view: of any obstacle. */
    float thickness; /**< Full width of a polyline, m. */
    pd_vec2 *points; /**< Points of a polyline or polygon relative to `center`, before the rotation by `angle`. */
    int point_count; /**< Number of points. */
    const int (*triangles)[3]; /**< Indices of `point_count` - 2 triangles that fill a polygon. Only in a view. */
    int columns,               /**< Number of columns of an image. */
        rows;                  /**< Number of rows of an image. */
    /** Pixels of an image, row by row from the top left: an index into the materials of the scene, or #PD_NO_FLUID. */
    uint8_t *pixels;
} pd_area;

/** Initial arrangement of particles. */
typedef enum pd_fill {
    PD_FILL_HEX,   /**< Hexagonal lattice. */
    PD_FILL_GRID,  /**< Square lattice. */
    PD_FILL_RANDOM /**< Hexagonal lattice with random displacements. */
} pd_fill;

/** A particle of a region of shape ::PD_SHAPE_PARTICLES. */
typedef struct pd_scene_particle {
    pd_vec2 position, /**< Position, m. */
        velocity;     /**< Velocity, m/s. */
    int32_t material; /**< Index into the materials of the scene. */
} pd_scene_particle;

/** An area of fluid at the start: filled with particles, or a list of particles (pd_scene_add_particles()).
 *
 * Regions with neither `count` nor `spacing` share the rest of pd_scene.particles (of 1,500 if that is 0) by area. */
typedef struct pd_region {
    pd_area area;     /**< Circle, box, ellipse, image or particles. */
    int material;     /**< Index into the materials of the scene. Images and lists give a material for each particle. */
    pd_vec2 velocity; /**< Initial velocity, m/s. */
    pd_fill fill;     /**< Arrangement of the particles. */
    int count;        /**< Number of particles. 0: not given. */
    float spacing;    /**< Distance between particles at rest, m. 0: not given. */
    pd_scene_particle *particles; /**< List of `count` particles, for ::PD_SHAPE_PARTICLES. */
    /** Deviation from the ambient density, 1,000 kg/m^3, for `vortex`. NAN (default): from the mass of the material. */
    float density;
    float amount; /**< Amount of smoke, 0 to 1 (default 1), for `grid`. */
} pd_region;

/** A vortex particle of the initial state. */
typedef struct pd_vorton {
    pd_vec2 position;  /**< Position, m. */
    float circulation; /**< Circulation, counterclockwise, m^2/s. */
    float core;        /**< Radius of the core, m. */
} pd_vorton;

/** An obstacle, at rest or on a path. */
typedef struct pd_obstacle {
    pd_area area;     /**< Circle, box, polyline or polygon at the beginning of the path. */
    pd_vec2 velocity; /**< Velocity, m/s. */
    float spin;       /**< Angular velocity about the centre, degrees/s counterclockwise. */
    float turn;       /**< Interval after which velocity and spin change sign, s. 0: never. */
    float phase;      /**< Time that the obstacle has moved on its path before time 0, s. */
} pd_obstacle;

/** A nozzle that emits particles.
 *
 * The jet has this speed and width if `rate` is about speed x width / area of a particle at rest. */
typedef struct pd_emitter {
    pd_vec2 position, /**< Middle of the mouth, m. */
        direction;    /**< Direction of the jet, of any length. */
    float speed,      /**< Speed of the jet, m/s. */
        width;        /**< Width of the mouth, m. */
    float rate;       /**< Particles per second. pd_scene_set_particles() scales the rate with the resolution. */
    int material;     /**< Index into the materials of the scene. */
    float from,       /**< Time at which the emission begins, s. */
        until;        /**< Time at which the emission ends, s. INFINITY: never. */
} pd_emitter;

/** Initial velocities and dyes of a grid fluid, in place of regions and vortons.
 *
 * pd_world_state_as_scene() gets cells from a world. The cells lie centred on the origin.
 * A grid of another cell size interpolates between the cells, and is 0 outside.
 * Without a container the grid is the square around the cells.
 *
 * A grid of the same cells has exactly these velocities. The velocities must agree with the walls.
 * The first step corrects velocities that do not agree. */
typedef struct pd_cells {
    int columns, /**< Number of columns. 0: no cells. */
        rows;    /**< Number of rows. 0: no cells. */
    float size;  /**< Side of a cell, m. */
    /** 2 + `dyes` layers of (`rows` + 1) * (`columns` + 1) values, row by row from the bottom left.
     *
     * - Layer 0: horizontal velocity at the left face of each cell, m/s.
     * - Layer 1: vertical velocity at the lower face of each cell, m/s.
     * - Layer 2 + d: amount of dye d in each cell, 0 to 1.
     *
     * The last row and column contain the faces at the end, and no dye. */
    float *values;
    int dyes;                       /**< Number of dyes. */
    int material[PD_MAX_MATERIALS]; /**< Index into the materials of the scene, for each dye. */
} pd_cells;

/** An area that removes particles after every step. */
typedef struct pd_drain {
    pd_area area; /**< Circle or box. */
} pd_drain;

/** Attraction between two materials in double density relaxation: a factor on the attractive pressure -k rho0.
 *
 * Default 1: the pair attracts as one material does. Below 1 the materials separate, above 1 they mix. */
typedef struct pd_attraction {
    int between[2]; /**< Two indices into the materials of the scene. Equal indices: a material with itself. */
    float factor;   /**< Factor, -10 to 10. */
} pd_attraction;

/** An area in which particles of one material become particles of another, as by heating.
 *
 * Position, velocity and id of the particles do not change. */
typedef struct pd_change {
    pd_area area; /**< Circle or box. */
    int from,     /**< Index of the material that changes. */
        to;       /**< Index of the material that it becomes. */
    float rate; /**< Rate, 1/s: after t seconds in the area a fraction exp(-rate t) is unchanged. INFINITY: at once. */
} pd_change;

/** A parameter that the scene sets. */
typedef struct pd_setting {
    char key[PD_MAX_KEY]; /**< Full key: "ddr.stiffness". */
    float value;          /**< Value, in the unit of the ::pd_parameter. */
} pd_setting;

/** A scene. */
typedef struct pd_scene {
    char name[PD_MAX_NAME];          /**< Name. */
    char method[PD_MAX_METHOD_NAME]; /**< Name of the method: "ddr". */
    pd_vec2 gravity;                 /**< Gravity, m/s^2. */
    float dt;                        /**< Simulated time of a step, s. */
    int substeps;                    /**< Substeps of a step. 0: automatic. */
    uint64_t seed;                   /**< Seed of the random numbers. */
    int particles;                   /**< Number of particles of all regions together. 0: as the regions give. */
    pd_container container;          /**< Container. */
    pd_material materials[PD_MAX_MATERIALS]; /**< Materials, at least one. */
    int material_count;                      /**< Number of materials. */
    pd_region *regions;                      /**< Regions of fluid at the start. */
    int region_count;                        /**< Number of regions. */
    pd_vorton *vortons;         /**< Particles of the method `vortex`. Initial velocities for other methods. */
    int vorton_count;           /**< Number of vortons. */
    pd_cells cells;             /**< Initial state of the method `grid`. */
    pd_obstacle *obstacles;     /**< Obstacles. */
    int obstacle_count;         /**< Number of obstacles. */
    pd_emitter *emitters;       /**< Emitters. */
    int emitter_count;          /**< Number of emitters. */
    pd_drain *drains;           /**< Drains. */
    int drain_count;            /**< Number of drains. */
    pd_attraction *attractions; /**< Attractions, each pair at most once. */
    int attraction_count;       /**< Number of attractions. */
    pd_change *changes;         /**< Changes of material. */
    int change_count;           /**< Number of changes. */
    pd_setting *settings; /**< Parameters that the scene sets. The others have defaults that scale with the scene. */
    int setting_count;    /**< Number of settings. */
    void *reserved[16];   /**< Room for lists of later versions. NULL. */
} pd_scene;

/** Initializes a scene without fluid and with every default.
 *
 * Circle of radius 1 m, gravity (0, -1.6) m/s^2, dt 1/60 s, seed 1, method ddr, one material "water". */
PD_API void pd_scene_init(pd_scene *scene);
/** Frees the lists and zeroes `*scene`. */
PD_API void pd_scene_free(pd_scene *scene);
/** Copies a scene with its lists into an uninitialized `*to`. On an error `*to` is zeroed.
 *
 * Errors: OUT_OF_MEMORY. */
PD_API pd_result pd_scene_copy(pd_scene *to, const pd_scene *from, pd_error *error);
/** Sets a parameter by its full key.
 *
 * Errors: PARAMETER_UNKNOWN, PARAMETER_VALUE, OUT_OF_MEMORY. */
PD_API pd_result pd_scene_set_parameter(pd_scene *scene, const char *key, float value, pd_error *error);
/** Checks that a length (pd_parameter.in_container) fits into the scene's container. Other parameters pass.
 *
 * Errors: PARAMETER_VALUE. */
PD_API pd_result pd_scene_check_parameter_length(const pd_scene *scene, const char *key, float value, pd_error *error);
/** Removes the setting of a parameter, which then has its default.
 *
 * Errors: PARAMETER_UNKNOWN. */
PD_API pd_result pd_scene_unset_parameter(pd_scene *scene, const char *key, pd_error *error);

/** A picture as a ::pd_picture_reader returns it. */
typedef struct pd_bitmap {
    int width,   /**< Width of the file, pixels. */
        height;  /**< Height of the file, pixels. */
    int columns, /**< Columns of `rgba`, at most #PD_MAX_IMAGE_SIDE. */
        rows;    /**< Rows of `rgba`, at most #PD_MAX_IMAGE_SIDE. */
    /** `columns * rows * 4` bytes of sRGB and straight alpha, row by row from the top left. From pd_memory_new(). */
    uint8_t *rgba;
} pd_bitmap;
/** Reads a picture file, scaled down to at most #PD_MAX_IMAGE_SIDE pixels a side.
 *
 * Errors: FILE_UNREADABLE, OUT_OF_MEMORY. The message names the file. */
typedef pd_result pd_picture_reader(const char *path, pd_bitmap *picture, pd_error *error);
/** Sets the function that reads the picture files of scenes, because the library contains no decoder.
 *
 * NULL (default): scenes with picture files are refused. Call before other threads use the library. */
PD_API void pd_scene_set_picture_reader(pd_picture_reader *reader);
/** Replaces the fluid of a scene by a picture in its own colours.
 *
 * - The picture replaces regions, vortons and cells, in the middle of the container, as large as fits.
 * - Each colour of the picture becomes a material with the properties of the first region's material.
 * - Pixels more than half transparent are no fluid. Materials that nothing uses are removed.
 * - The scene has `particles` particles. Emitters and settings scale with the resolution.
 * - The scene gets the name of the file.
 *
 * On an error the scene is unchanged. Errors: those of the reader, of pd_scene_check() and of pd_scene_set_particles(),
 * SCENE_VALUE (a transparent picture), SCENE_TOO_LARGE (no room for materials). */
PD_API pd_result pd_scene_replace_fluid_by_picture(pd_scene *scene, const char *path, int particles, pd_error *error);
/** Number of particles of a scene that is read from a picture. */
enum { PD_PICTURE_PARTICLES = 10000 /**< Number of particles that most machines simulate in real time. */ };
/** Returns whether a path ends like the name of a picture: ".png", ".JPG". */
PD_API bool pd_path_is_picture(const char *path);

/** Changes the resolution: sets the total number of particles of all regions.
 *
 * The rates of emitters scale by the same factor, for the same emitted volume.
 * If only some of the regions give count or spacing, all regions get their present numbers as counts: the ratios stay.
 * On an error the scene is unchanged. Errors: SCENE_TOO_LARGE (also the rate of an emitter), SCENE_VALUE (the number is
 * not positive, or a region lists its particles), OUT_OF_MEMORY. */
PD_API pd_result pd_scene_set_particles(pd_scene *scene, int particles, pd_error *error);

/** Checks a scene built in C against the limits of scene files.
 *
 * The checks cover list sizes, enums, ranges, NaN, names (one line of UTF-8), settings, materials and the number of
 * particles. A scene that passes can be written and read back.
 * The message names the field: "regions[2].radius is nan (use 1e-06 to 1000000)".
 * Errors: SCENE_VALUE, SCENE_REFERENCE, SCENE_TOO_LARGE, METHOD_UNKNOWN, `PARAMETER_*`, OUT_OF_MEMORY. */
PD_API pd_result pd_scene_check(const pd_scene *scene, pd_error *error);

/** Writes one line about a setting of the scene that its method ignores or changes.
 *
 * Call with `index` 0, 1, ... until the function returns false. The scene must pass pd_scene_check(). */
PD_API bool pd_scene_warning(const pd_scene *scene, int index, char *text, size_t size);

/** Reads a scene file, or a picture as a scene. Free the scene with pd_scene_free().
 *
 * On an error `*scene` is zeroed. The message is file:line:column: what is wrong and what would be right.
 * A key with an effect that the scene's method does not support (::pd_scene_feature) is refused like an unknown key.
 * Paths of files in the scene begin at the folder of the scene file.
 * A picture (pd_path_is_picture()) becomes a scene with #PD_PICTURE_PARTICLES particles in the default container.
 * Errors: FILE_UNREADABLE, `SCENE_*`, METHOD_UNKNOWN, `PARAMETER_*`, OUT_OF_MEMORY. */
PD_API pd_result pd_scene_read(const char *path, pd_scene *scene, pd_error *error);
/** Reads a scene from text in memory. `name` replaces the path in messages.
 *
 * Files of particles and of cells are refused, because a text has no folder. Errors: those of pd_scene_read(). */
PD_API pd_result pd_scene_read_text(const char *text, size_t length, const char *name, pd_scene *scene,
                                    pd_error *error);
/** Writes a scene file that reads back as the same scene, without keys that its method does not support.
 *
 * Lists of particles go to files beside the scene file: FILE.csv of FILE.yaml, the second one to FILE-2.csv.
 * Cells go to FILE-cells.csv. These files replace files of the same names.
 * On an error a file at `path` is unchanged.
 * Errors: FILE_UNWRITABLE, OUT_OF_MEMORY. */
PD_API pd_result pd_scene_write(const pd_scene *scene, const char *path, pd_error *error);
/** Writes a scene as text of `*length` bytes and a terminating zero, including all particles.
 *
 * Free the text with pd_memory_free(). Errors: OUT_OF_MEMORY. */
PD_API pd_result pd_scene_write_text(const pd_scene *scene, char **text, size_t *length, pd_error *error);

#ifdef __cplusplus
}
#endif
#endif
