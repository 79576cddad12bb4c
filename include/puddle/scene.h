/** @file
 * Scenes: the initial state of a world as plain data.
 *
 * Read a scene from a YAML file (pd_scene_read()), or begin with pd_scene_init() and set the members in C.
 *
 * Units are m, s, m/s and degrees unless stated. The y axis points up. The container is centred on the origin.
 * The scene owns its lists, which are allocated with pd_memory_new(). pd_scene_free() frees the lists.
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
    PD_MAX_LEFT_OUT = 224,       /**< Bytes of pd_area.left_out, with the terminating zero. */
    PD_MAX_METHOD_NAME = 16,     /**< Bytes of a method's name, with the terminating zero. */
    PD_MAX_KEY = 64,             /**< Bytes of a parameter's full key, with the terminating zero. */
    PD_MAX_MATERIALS = 32,       /**< Materials of a scene. */
    PD_MAX_ITEMS = 4096,         /**< Items of each list of a scene, except materials and vortons. */
    PD_MAX_VORTONS = 40000,      /**< Vortons of a scene. */
    PD_MAX_POINTS = 4096,        /**< Points of one polyline or polygon. */
    PD_MAX_IMAGE_SIDE = 256,     /**< Pixels of an image along each side. */
    PD_MAX_PIXELS = 1 << 20,     /**< Pixels of all images together. */
    PD_NO_FLUID = 255,           /**< Value of a pixel without fluid: pd_area.pixels. */
    PD_MAX_PARTICLES = 10000000, /**< Particles of a world. */
    PD_MAX_CELLS = 4096,         /**< Cells of a grid along each side. */
    PD_MAX_ACCELERATION = 10000, /**< Greatest magnitude of each component of gravity, m/s^2. */
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
    bool outflow;   /**< Whether fluid flows out freely through the side. */
} pd_wall;

/** Indices of pd_container.walls. */
enum {
    PD_WALL_LEFT,   /**< Left side. */
    PD_WALL_RIGHT,  /**< Right side. */
    PD_WALL_BOTTOM, /**< Bottom. */
    PD_WALL_TOP,    /**< Top. */
    PD_WALLS        /**< Number of sides. */
};

/** The container of the fluid. */
typedef struct pd_container {
    pd_container_shape shape; /**< Shape of the container. */
    float radius;             /**< Radius of a circle, m. */
    float width,              /**< Width of a box, m. */
        height;               /**< Height of a box, m. */
    pd_wall walls[PD_WALLS];  /**< Boundary conditions of the sides of a box. */
    bool slip;                /**< Boundary condition at all walls. true (default): free slip. false: no slip. */
} pd_container;

/** Scene keys that only some methods support: bits of pd_method_info.features.
 *
 * A method without the feature refuses or ignores the key:
 * - The first five keys are refused in a scene file if they have an effect.
 * - The other keys are ignored.
 *
 * pd_scene_write_warning() and pd_world_write_warning() report ignored keys. After a change of the method any of the keys
 * may be ignored. */
typedef enum pd_scene_feature {
    PD_FEATURE_WALLS = 1 << 0,       /**< The method reads `container.walls`: inflow, outflow, moving lids. */
    PD_FEATURE_NO_SLIP = 1 << 1,     /**< The method has no-slip walls: `container.slip: false`. */
    PD_FEATURE_AMOUNT = 1 << 2,      /**< The method reads `regions[].amount`: amount of smoke. */
    PD_FEATURE_DENSITY = 1 << 3,     /**< The method reads `regions[].density`: deviation from ambient density. */
    PD_FEATURE_CELLS = 1 << 4,       /**< The method reads `cells`: initial velocities and dyes of a grid. */
    PD_FEATURE_ATTRACTIONS = 1 << 5, /**< The method reads `attractions` between materials. */
    PD_FEATURE_VISCOSITY = 1 << 6,   /**< The method reads `viscosity` of materials. */
    PD_FEATURE_PROPERTIES = 1 << 7,  /**< The method reads `contact_angle` of materials. */
    PD_FEATURE_TENSION = 1 << 8,     /**< The method reads `surface_tension` of materials. */
    PD_FEATURE_SPRINGS = 1 << 9,     /**< The method reads `elasticity`, `plasticity` and `yield` of materials. */
    PD_FEATURE_STICKINESS = 1 << 10, /**< The method reads `stickiness` of materials. */
    PD_FEATURE_BODIES = 1 << 11,     /**< The fluid of the method pushes `bodies`. */
    PD_FEATURES_END = 1 << 12,       /**< The bit after the last feature. */

    /** Features of all methods whose particles carry the fluid: double density relaxation, SPH, position based fluids. */
    PD_FEATURES_OF_PARTICLES =
        PD_FEATURE_VISCOSITY | PD_FEATURE_TENSION | PD_FEATURE_SPRINGS | PD_FEATURE_STICKINESS | PD_FEATURE_BODIES,
} pd_scene_feature;

/** Property of a material. A material's own value replaces the method's parameter named below.
 *
 * SPH and position based fluids have all properties except the contact angle.
 * Their viscosity of a material is the method's parameter x own value / default of #PD_VISCOSITY. */
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
    /** pd_parameter.key is the key of the methods' parameters that an own value replaces: "linear_viscosity". Methods
     * without such a parameter use pd_parameter.default_value. */
    const pd_parameter *parameter; /**< Title, unit, range and scale of the property. */
    bool of_springs; /**< Whether the property acts only on springs: materials with #PD_ELASTICITY above 0. */
} pd_property_info;

/** Returns the description of a property, 0 to #PD_PROPERTIES - 1. */
PD_API const pd_property_info *pd_property_at(int property);

/** A material. */
typedef struct pd_material {
    char name[PD_MAX_NAME];        /**< Name, unique in the scene. */
    uint8_t red,                   /**< Red of the colour, sRGB. */
        green,                     /**< Green of the colour, sRGB. */
        blue;                      /**< Blue of the colour, sRGB. */
    bool own_weight;               /**< Whether the weight is mass x gravity even if `ddr.equal_weight` is on. */
    float mass;                    /**< Mass of a particle, relative to the default 1. */
    float property[PD_PROPERTIES]; /**< Own value of each ::pd_property. NAN: the method's parameter applies. */
} pd_material;

/** Shape of a ::pd_area. */
typedef enum pd_shape {
    PD_SHAPE_CIRCLE,    /**< Circle. */
    PD_SHAPE_BOX,       /**< Box. */
    PD_SHAPE_ELLIPSE,   /**< Ellipse. Only regions have this shape. */
    PD_SHAPE_POLYLINE,  /**< Line through points, with a thickness. Only obstacles and bodies have this shape. */
    PD_SHAPE_IMAGE,     /**< Pixels, each with a material. Only regions have this shape. */
    PD_SHAPE_PARTICLES, /**< Bounding box of the particles in pd_region.particles. Only regions have this shape. */
    /** Inside of a closed outline through 3 points or more. The outline must not cross or touch itself. Only obstacles
     * and bodies have this shape. */
    PD_SHAPE_POLYGON,
} pd_shape;

/** A colour that may be left out. */
typedef struct pd_own_color {
    uint8_t red,   /**< Red, sRGB. */
        green,     /**< Green, sRGB. */
        blue;      /**< Blue, sRGB. */
    bool is_given; /**< false: the default colour is used. */
} pd_own_color;

/** An area of the plane, covered by a region, obstacle, body, drain or change.
 *
 * Each kind of item allows some of the shapes. Members that do not belong to the shape are ignored. */
typedef struct pd_area {
    pd_shape shape; /**< Shape of the area. */
    pd_vec2 center; /**< Centre, m. */
    float radius;   /**< Radius of a circle, m. */
    pd_vec2 size;   /**< Full width and height of a box, ellipse or image, m. */
    float angle;    /**< Angle, degrees counterclockwise. Only of a box or polygon, but of all shapes in a ::pd_view. */
    float thickness;    /**< Full width of a polyline, m. */
    pd_vec2 *points;    /**< Points of a polyline or polygon relative to `center`, before the rotation by `angle`. */
    int point_count;    /**< Number of points. */
    pd_own_color color; /**< Colour in which an obstacle or a body is drawn. Other items have no colour. */
    const int (
        *triangles)[3]; /**< Indices of points: `point_count` - 2 triangles that fill a polygon. Only in a ::pd_view. */
    int columns,        /**< Number of columns of an image. */
        rows;           /**< Number of rows of an image. */
    /** Element row * `columns` + column, row 0 at the top: an index into the materials of the scene, or #PD_NO_FLUID. */
    uint8_t *pixels; /**< Material of each pixel of an image. */
    /** What reading the file of an area (a table of particles, the picture of a polygon) has left out, in one line, or "". A
     * message for pd_scene_write_warning(): scene files, snapshots and logs do not contain it. */
    char left_out[PD_MAX_LEFT_OUT];
} pd_area;

/** Initial arrangement of particles. */
typedef enum pd_fill {
    PD_FILL_HEX,    /**< Hexagonal lattice. */
    PD_FILL_GRID,   /**< Square lattice. */
    PD_FILL_RANDOM, /**< Hexagonal lattice with random displacements. */
    PD_FILL_RINGS /**< Concentric rings in circles, and in ellipses at most twice as long as wide, which then have a smooth
                     outline; a hexagonal lattice in other shapes. */
} pd_fill;

/** A particle of a region of shape ::PD_SHAPE_PARTICLES. */
typedef struct pd_scene_particle {
    pd_vec2 position, /**< Position, m. */
        velocity;     /**< Velocity, m/s. */
    int32_t material; /**< Index into the materials of the scene. */
} pd_scene_particle;

/** An initial area of fluid: filled with particles, or a list of particles (pd_scene_add_particles()).
 *
 * Regions with neither `count` nor `spacing` share the remaining particles in proportion to their areas.
 * Remaining particles = pd_scene.particles (1,500 if 0) - particles of the other regions. */
typedef struct pd_region {
    pd_area area; /**< Circle, box, ellipse, image or particles. */
    int material; /**< Index into the materials of the scene. Ignored for images and lists, which have own materials. */
    pd_vec2 velocity;             /**< Initial velocity, m/s. */
    pd_fill fill;                 /**< Arrangement of the particles. */
    int count;                    /**< Number of particles. 0: not given. */
    float spacing;                /**< Distance between particles at rest, m. 0: not given. */
    pd_scene_particle *particles; /**< List of `count` particles, for ::PD_SHAPE_PARTICLES. */
    float density; /**< Density - ambient density, 1,000 kg/m^3, for `vortex`. NAN (default): from the mass. */
    float amount;  /**< Amount of smoke, 0 to 1 (default 1), for `grid`. */
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
    float phase;      /**< Time for which the obstacle has moved on its path before time 0, s. */
} pd_obstacle;

/** A nozzle that emits particles.
 *
 * The jet has the given speed and width if `rate` is about speed x width / area of a particle at rest. */
typedef struct pd_emitter {
    pd_vec2 position, /**< Centre of the nozzle's opening, m. */
        direction;    /**< Direction of the jet, of any length. */
    float speed,      /**< Speed of the jet, m/s. */
        width;        /**< Width of the opening, m. */
    float rate;       /**< Particles per second. pd_scene_set_particle_count() scales the rate with the resolution. */
    int material;     /**< Index into the materials of the scene. */
    float from,       /**< Time at which the emission begins, s. */
        until;        /**< Time at which the emission ends, s. INFINITY: never. */
} pd_emitter;

/** Initial velocities and dyes of a grid fluid, in place of regions and vortons.
 *
 * `values` has 2 + `dyes` layers of (`rows` + 1) * (`columns` + 1) values, row by row from the bottom left:
 *
 * - Layer 0: horizontal velocity at the left face of each cell, m/s.
 * - Layer 1: vertical velocity at the lower face of each cell, m/s.
 * - Layer 2 + d: amount of dye d in each cell, 0 to 1.
 *
 * The last row and column contain only the velocities at the top and right faces of the grid, and no dye.
 *
 * pd_world_state_as_scene() gets cells from a world.
 * - If the method's grid has the same cells, its initial velocities are exactly these values.
 * - If the method's grid has another cell size, its values are interpolated, and 0 outside the cells.
 * - Without a container the method's grid is the square around the cells.
 *
 * The velocities at walls should satisfy the boundary conditions. If they do not, the first step corrects them. */
typedef struct pd_cells {
    int columns,                    /**< Number of columns. 0: no cells. */
        rows;                       /**< Number of rows. 0: no cells. */
    float size;                     /**< Side of a cell, m. */
    pd_vec2 center;                 /**< Centre of the cells, m. */
    float *values;                  /**< Velocities, m/s, and amounts of dye, 0 to 1, in the layers described above. */
    int dyes;                       /**< Number of dyes. */
    int material[PD_MAX_MATERIALS]; /**< For each dye: index into the materials of the scene. */
} pd_cells;

/** An area that removes particles after every step. */
typedef struct pd_drain {
    pd_area area; /**< Circle or box. */
} pd_drain;

/** Attraction between two materials in double density relaxation: a factor on the attractive pressure -k rho0.
 *
 * Factor 1 (default of all pairs): the pair attracts as particles of one material do. Below 1 the materials separate, above
 * 1 they mix. */
typedef struct pd_attraction {
    int between[2]; /**< Two indices into the materials of the scene. Equal indices: a material with itself. */
    float factor;   /**< Factor on the attractive pressure, -10 to 10. */
} pd_attraction;

/** An area in which particles of one material become particles of another material, as by heating.
 *
 * Position, velocity and id of the particles do not change. */
typedef struct pd_change {
    pd_area area; /**< Circle or box. */
    int from,     /**< Index of the material that changes. */
        to;       /**< Index of the material that results. */
    float rate;   /**< Rate, 1/s: a fraction exp(-rate t) is unchanged after t seconds. INFINITY: at once. */
} pd_change;

/** A rigid body: moves by gravity, contacts, joints and the fluid. */
typedef struct pd_scene_body {
    pd_area area;           /**< Circle, box, polyline or polygon at time 0. */
    char name[PD_MAX_NAME]; /**< Name, unique among the bodies, or empty. Joints name bodies. */
    float density;          /**< Density / density at rest of a material of mass 1, 1,000 kg/m^3. */
    float friction;         /**< Coefficient of friction. Between two bodies: the geometric mean. */
    float restitution;      /**< Ratio of speeds after and before an impact, 0 to 1. Between two bodies: the greater. */
    pd_vec2 velocity;       /**< Velocity of the centroid at time 0, m/s. */
    float spin;             /**< Angular velocity at time 0, degrees/s counterclockwise. */
    bool fixed_angle;       /**< Whether the body never turns. */
} pd_scene_body;

/** Type of a ::pd_scene_joint. */
typedef enum pd_joint_type {
    PD_JOINT_HINGE,  /**< A common point. Optional limits of the angle. */
    PD_JOINT_MOTOR,  /**< A hinge with a motor. */
    PD_JOINT_WELD,   /**< A common point and a constant relative angle. */
    PD_JOINT_SPRING, /**< A spring with damping between two points. */
    PD_JOINT_ROPE,   /**< A greatest distance of two points. */
    PD_JOINT_SLIDER, /**< Motion along an axis of the first body, at a constant relative angle. Optional limits. */
} pd_joint_type;

/** A joint of two bodies, or of a body and the world at rest.
 *
 * Places are those at time 0. Quantities are per metre of depth, with masses in kg/m. Members that do not belong to the
 * type are ignored. */
typedef struct pd_scene_joint {
    pd_joint_type type;          /**< Type of the joint. */
    char bodies[2][PD_MAX_NAME]; /**< Names of two bodies. One of them may be "world". */
    pd_vec2 at;                  /**< Point of attachment, m; of springs and ropes that on the first body. */
    pd_vec2 to;                  /**< Spring, rope: point of attachment on the second body, m. */
    pd_vec2 axis;                /**< Slider: direction of motion, of any length. */
    pd_vec2 limits;        /**< Hinge, motor, slider: least (`x`) and greatest (`y`) motion of the first body relative
                                    * to the second, degrees or m. NAN: no limits. */
    float speed;           /**< Motor: speed of the first body relative to the second, degrees/s. */
    float greatest_torque; /**< Motor: limit of the torque, N m. INFINITY: unlimited. */
    float length;          /**< Spring, rope: length, m. NAN: distance of the points. */
    float stiffness;       /**< Spring: force per extension, N/m. */
    float damping;         /**< Spring: force per speed, N s/m. */
    float breaks_at;       /**< Force at which the joint breaks, N. INFINITY: never. */
} pd_scene_joint;

/** Value of a parameter that a scene sets. */
typedef struct pd_setting {
    char key[PD_MAX_KEY]; /**< Full key: "ddr.stiffness". */
    float value;          /**< Value, in the unit of the ::pd_parameter. */
} pd_setting;

/** A scene: the initial state of a world. */
typedef struct pd_scene {
    char name[PD_MAX_NAME];                  /**< Name of the scene. */
    char method[PD_MAX_METHOD_NAME];         /**< Name of the method: "ddr". */
    pd_vec2 gravity;                         /**< Gravity, m/s^2. */
    float dt;                                /**< Simulated time of a step, s. */
    int substeps;                            /**< Substeps of a step. 0: automatic. */
    uint64_t seed;                           /**< Seed of the random numbers. */
    int particles;                           /**< Total number of particles of all regions. 0: set by the regions. */
    pd_container container;                  /**< Container of the fluid. */
    pd_material materials[PD_MAX_MATERIALS]; /**< Materials, at least one. */
    int material_count;                      /**< Number of materials. */
    pd_region *regions;                      /**< Regions of fluid at the start. */
    int region_count;                        /**< Number of regions. */
    pd_vorton *vortons;         /**< Vortices of the method `vortex`. Initial velocities under other methods. */
    int vorton_count;           /**< Number of vortons. */
    pd_cells cells;             /**< Initial state of the method `grid`. */
    pd_obstacle *obstacles;     /**< Obstacles, at rest or on a path. */
    int obstacle_count;         /**< Number of obstacles. */
    pd_emitter *emitters;       /**< Nozzles that emit particles. */
    int emitter_count;          /**< Number of emitters. */
    pd_drain *drains;           /**< Areas that remove particles. */
    int drain_count;            /**< Number of drains. */
    pd_attraction *attractions; /**< Attractions, each pair at most once. */
    int attraction_count;       /**< Number of attractions. */
    pd_change *changes;         /**< Areas in which particles change their material. */
    int change_count;           /**< Number of changes. */
    pd_setting *settings;       /**< Parameters that the scene sets. All others have their defaults. */
    int setting_count;          /**< Number of settings. */
    pd_scene_body *bodies;      /**< Rigid bodies that move by forces. */
    pd_scene_joint *joints;     /**< Joints of bodies. */
    int body_count;             /**< Number of bodies. */
    int joint_count;            /**< Number of joints. */
    void *reserved[13];         /**< Space for members of later versions. NULL. */
} pd_scene;

/** Initializes a scene with all defaults and without fluid.
 *
 * Defaults: circle of radius 1 m, gravity (0, -1.6) m/s^2, dt 1/60 s, seed 1, method ddr, one material "water". */
PD_API void pd_scene_init(pd_scene *scene);
/** Frees the lists of a scene, and sets all members to 0. */
PD_API void pd_scene_free(pd_scene *scene);
/** Copies a scene with its lists into an uninitialized `*to`. On an error all members of `*to` are 0.
 *
 * Errors: OUT_OF_MEMORY. */
PD_API pd_result pd_scene_copy(pd_scene *to, const pd_scene *from, pd_error *error);
/** Sets a parameter by its full key.
 *
 * Errors: PARAMETER_UNKNOWN, PARAMETER_VALUE. */
PD_API pd_result pd_scene_set_parameter(pd_scene *scene, const char *key, float value, pd_error *error);
/** Checks that a parameter that is a length (pd_parameter.in_container) fits into the scene's container.
 *
 * Other parameters pass.
 *
 * Errors: PARAMETER_VALUE. */
PD_API pd_result pd_scene_check_parameter_fits_container(const pd_scene *scene, const char *key, float value,
                                                         pd_error *error);
/** Removes the scene's value of a parameter. The parameter then has its default.
 *
 * Errors: PARAMETER_UNKNOWN. */
PD_API pd_result pd_scene_unset_parameter(pd_scene *scene, const char *key, pd_error *error);

/** Pixels of a picture file, read by a ::pd_picture_reader. */
typedef struct pd_bitmap {
    int width,   /**< Width of the file, pixels. */
        height;  /**< Height of the file, pixels. */
    int columns, /**< Columns of `rgba`, at most #PD_MAX_IMAGE_SIDE. */
        rows;    /**< Rows of `rgba`, at most #PD_MAX_IMAGE_SIDE. */
    /** `columns * rows * 4` bytes, row by row from the top left. The reader allocates them with pd_memory_new(). */
    uint8_t *rgba; /**< Red, green, blue (sRGB) and straight alpha of each pixel. */
} pd_bitmap;
/** Reads a picture file, scaled down to at most #PD_MAX_IMAGE_SIDE pixels a side.
 *
 * Errors: FILE_UNREADABLE, OUT_OF_MEMORY. The message names the file. */
typedef pd_result pd_picture_reader(const char *path, pd_bitmap *picture, pd_error *error);
/** Sets the function that reads the picture files of scenes, because the library contains no decoder.
 *
 * NULL (default): scenes with picture files are refused. Call this function before other threads use the library. */
PD_API void pd_scene_set_picture_reader(pd_picture_reader *reader);
/** Replaces the fluid of a scene by fluid in the shape and colours of a picture.
 *
 * - The picture replaces regions, vortons and cells. It is centred in the container, as large as possible.
 * - Each colour of the picture becomes a material with the properties of the first region's material.
 * - Pixels that are more than half transparent contain no fluid. Unused materials are removed.
 * - The total number of particles becomes `particles`. Emission rates and parameters scale with the resolution.
 * - The scene gets the name of the file.
 *
 * On an error the scene is unchanged. Errors: those of the ::pd_picture_reader, of pd_scene_check() and of
 * pd_scene_set_particle_count(), SCENE_VALUE (all pixels are transparent), SCENE_TOO_LARGE (too many materials). */
PD_API pd_result pd_scene_replace_fluid_by_picture(pd_scene *scene, const char *path, int particles, pd_error *error);
/** Number of particles of a scene that is read from a picture. */
enum { PD_PICTURE_PARTICLES = 10000 /**< Most machines simulate this number of particles in real time. */ };
/** Returns whether a path has the extension of a picture file: ".png", ".JPG". */
PD_API bool pd_path_is_picture(const char *path);

/** Sets the total number of particles of all regions, and thereby the spacing of the particles.
 *
 * The rates of emitters scale by the same factor as the total, so that the emitted volume does not change.
 * If some but not all regions have a `count` or `spacing`, each region gets its present number of particles as `count`.
 * The numbers of all regions then scale by the same factor.
 * On an error the scene is unchanged.
 * Errors: SCENE_TOO_LARGE (particles, or the rate of an emitter), SCENE_VALUE (the number is
 * not positive, or a region lists its particles). */
PD_API pd_result pd_scene_set_particle_count(pd_scene *scene, int particles, pd_error *error);

/** Checks a scene built in C against the limits of scene files.
 *
 * The checks cover list sizes, enums, ranges, NaN, names (one line of UTF-8), settings, materials and the number of
 * particles. A scene that passes can be written and read back.
 * The message names the field: "regions[2].radius is nan (use 1e-06 to 1000000)".
 * Errors: SCENE_VALUE, SCENE_REFERENCE, SCENE_TOO_LARGE, METHOD_UNKNOWN, `PARAMETER_*`. */
PD_API pd_result pd_scene_check(const pd_scene *scene, pd_error *error);

/** Writes one line about a setting of the scene that its method ignores or changes, or about a file of which something was
 * left out (pd_area.left_out).
 *
 * Call with `index` 0, 1, ... until the function returns false. The scene must pass pd_scene_check(). */
PD_API bool pd_scene_write_warning(const pd_scene *scene, int index, char *text, size_t size);

/** Reads a scene file, or a picture as a scene. Free the scene with pd_scene_free().
 *
 * On an error all members of `*scene` are 0. The message has the form "file:line:column: what is wrong (what to do)".
 * A key is refused like an unknown key if it has an effect that the scene's method does not support (::pd_scene_feature).
 * Relative paths in a scene file begin at the folder of the scene file.
 * A picture (pd_path_is_picture()) becomes a scene with #PD_PICTURE_PARTICLES particles in the default container.
 * Errors: FILE_UNREADABLE, `SCENE_*`, METHOD_UNKNOWN, `PARAMETER_*`, OUT_OF_MEMORY. */
PD_API pd_result pd_scene_read(const char *path, pd_scene *scene, pd_error *error);
/** Reads a scene from text in memory. `name` replaces the path in messages.
 *
 * Files of particles and of cells are refused, because a text has no folder. Errors: those of pd_scene_read(). */
PD_API pd_result pd_scene_read_text(const char *text, size_t length, const char *name, pd_scene *scene,
                                    pd_error *error);
/** Writes a scene file that reads back as the same scene. Keys that the scene's method does not support are omitted.
 *
 * Lists of particles are written to files beside FILE.yaml: the first list to FILE.csv, the second list to FILE-2.csv.
 * Cells are written to FILE-cells.csv. Existing files of these names are replaced.
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
