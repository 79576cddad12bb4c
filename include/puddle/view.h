/** @file
 * Read-only view of a world, for renderers and embedding programs. The view has the same form for every method.
 */
#ifndef PUDDLE_VIEW_H
#define PUDDLE_VIEW_H

#include <puddle/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Limits of the tables of a method. */
enum {
    PD_MAX_FIELDS = 16, /**< Greatest number of fields of one method. */
    PD_MAX_NUMBERS = 8  /**< Greatest number of quantities (::pd_number_info) of one method. */
};

/** Location of the values of a field. */
typedef enum pd_field_support {
    PD_FIELD_OF_PARTICLES, /**< One value for each particle, in the order of the view's arrays. */
    PD_FIELD_OF_CELLS,     /**< One value for each cell of a regular grid, at the centre of the cell. */
} pd_field_support;

/** Description of a field, available without computing the field. */
typedef struct pd_field_info {
    const char *name;         /**< Name: "pressure". */
    const char *title;        /**< Title of the legend: "pressure". */
    const char *unit;         /**< Unit: "Pa", or "". */
    pd_field_support support; /**< Location of the values. */
} pd_field_info;

/** A scalar field of particles or cells. A field of cells may have several layers: scalar fields on the same grid.
 *
 * For fields of particles the members of the grid (`nx`, `ny`, `origin`, `cell`) are 0.
 * Layer m of a field for ::PD_VIEW_DYES is the amount of `materials[m]` in each cell, from 0 to 1.
 *
 * If a method has a velocity field of cells, its components are the fields "velocity_x" and "velocity_y", m/s.
 * Both fields have the same grid, with values at the centres of the cells.
 * Streamlines and arrows show this velocity, relative to the greatest speed of the two legends. */
typedef struct pd_field {
    pd_field_info info; /**< Name, title, unit and support of the field. */
    const float
        *values;    /**< One per particle, or `nx * ny` per layer, lowest row first. NAN: no fluid. NULL: no memory. */
    float low,      /**< Lower end of the legend. The legend is nearly constant in time. */
        high;       /**< Upper end of the legend. */
    int layers;     /**< Number of layers of `nx * ny` values, one after the other. 0 means 1. */
    int nx,         /**< Number of columns of the grid. */
        ny;         /**< Number of rows of the grid. */
    pd_vec2 origin; /**< Lower left corner of the grid, m. */
    float cell;     /**< Side of a cell, m. */
} pd_field;

/** Vortex particles: arrays with one element for each vortex.
 *
 * A method that has vortices sets the arrays even while the number of vortices is 0.
 * Test `id`, not `count`, to find whether a method has vortices. */
typedef struct pd_view_vortices {
    int count;                /**< Number of vortices. */
    const uint32_t *id;       /**< Ids, constant until the method replaces all vortices. NULL: no vortices. */
    const float *x,           /**< Horizontal positions, m. */
        *y;                   /**< Vertical positions, m. */
    const float *previous_x,  /**< Horizontal positions one step earlier, for interpolation, m. NULL: unknown. */
        *previous_y;          /**< Vertical positions one step earlier, m. NULL: unknown. */
    const float *vx,          /**< Horizontal velocities, m/s. */
        *vy;                  /**< Vertical velocities, m/s. */
    const float *circulation; /**< Circulations, counterclockwise, m^2/s. */
    const float *core;        /**< Radii of the cores, m. */
    const float *area;        /**< Area of fluid that each vortex represents, m^2. 0: a vortex of pd_scene.vortons. */
    const float *mass;        /**< (Density - ambient density) x area of each vortex, 1,000 kg/m. */
} pd_view_vortices;

/** Description of a quantity of the whole fluid, such as its circulation. */
typedef struct pd_number_info {
    const char *name, /**< Name: "circulation". */
        *title,       /**< Title: "circulation". */
        *unit;        /**< Unit: "m²/s", or "". */
} pd_number_info;

/** Form in which a view mode draws the fluid. */
typedef enum pd_view_kind {
    PD_VIEW_SURFACE,   /**< The surface of the fluid that the particles form, in the colours of their materials. */
    PD_VIEW_SPRITES,   /**< A disc per particle, in the colour of its material. */
    PD_VIEW_PARTICLES, /**< A disc per particle, coloured by a field of particles. */
    PD_VIEW_IMAGE,     /**< A field of cells as an image. */
    PD_VIEW_DYES,      /**< A field of cells with a layer for each material: the materials' colours, mixed by amount. */
    PD_VIEW_VORTICES,  /**< A disc per vortex, as wide as its core, coloured by its circulation. */
} pd_view_kind;

/** Lines drawn over the fluid. */
typedef enum pd_view_lines {
    PD_LINES_NONE,        /**< No lines. */
    PD_LINES_CONTOURS,    /**< Lines of equal value of pd_view_mode.field. Only over ::PD_VIEW_IMAGE. */
    PD_LINES_STREAMLINES, /**< Streamlines of the velocity field, over any kind of view. */
    PD_LINES_ARROWS,      /**< Arrows of the velocity field, over any kind of view. */
} pd_view_lines;

/** A view mode: what is drawn, and how. */
typedef struct pd_view_mode {
    const char *name;    /**< Name: "density". */
    pd_view_kind kind;   /**< Form in which the fluid is drawn. */
    const char *field;   /**< Name of the field that is drawn. NULL: none. */
    pd_view_lines lines; /**< Lines that are drawn over the fluid by default. */
} pd_view_mode;

/** A rigid body at the current time. */
typedef struct pd_view_body {
    pd_area area;     /**< Shape of the body, moved and turned. `area.angle` tells how far the body has turned. */
    pd_vec2 centroid; /**< Centroid, m. */
} pd_view_body;

/** A joint at the current time. */
typedef struct pd_view_joint {
    pd_joint_type type; /**< Type of the joint. */
    pd_vec2 at,         /**< Point of attachment to the first body, m. */
        to;             /**< Point of attachment to the second body, m. */
    float length;       /**< Length of a rope or spring, m. */
    int bodies[2];      /**< Indices of the first and second body in pd_view.bodies. -1: the world. */
    float speed;        /**< Speed of a motor: of the first body relative to the second, degrees/s. Otherwise 0. */
} pd_view_joint;

/** A view of a world, filled by pd_world_view().
 *
 * The arrays have one element per particle unless stated. The world owns the arrays.
 * The arrays are valid until one of these changes of the world, by a function, a command or a log:
 *
 * - a step or a part of a step
 * - a reset or a restart
 * - a restored state: snapshot, seeking, going back, undo, redo
 * - another scene, method or number of particles
 * - an edit: items that are added, replaced or removed
 * - a parameter or a property of a material
 * - the destruction of the world
 *
 * Changes of tool and gravity, and commands that wait for the end of a step, leave the arrays valid. */
typedef struct pd_view {
    int count; /**< Number of particles. */
    /** Methods with tracers have no density of particles, but have a velocity field of cells. */
    bool particles_are_tracers; /**< Whether the particles have no mass and only move along with the fluid. */
    const float *x,             /**< Horizontal positions at the current time, m. */
        *y;                     /**< Vertical positions at the current time, m. */
    const float *previous_x,    /**< Horizontal positions one step earlier, for interpolation, m. */
        *previous_y;            /**< Vertical positions one step earlier, for interpolation, m. */
    const float *vx,            /**< Horizontal velocities, m/s. */
        *vy;                    /**< Vertical velocities, m/s. */
    const float *density;       /**< Densities. ddr: sum of (1 - r/h)^2; sph, pbf, flip: 1/m^2. NULL: no densities. */
    const uint32_t *id;         /**< Ids, constant over the lifetime of a particle. */
    const uint8_t *material;    /**< Indices into `materials`. */
    pd_view_vortices vortices;  /**< Vortices. All members are 0 if the method has no vortices. */
    float rest_density;         /**< Rest density, in the unit of `density`. 0: the method has no rest density. */
    float speed_scale;          /**< Characteristic speed sqrt(g L), m/s, with g and L as in ::pd_parameter_powers. */
    float circulation_scale;    /**< Characteristic circulation of a vortex, m^2/s, nearly constant. 0: no vortices. */
    float spacing;              /**< Rest spacing of the particles, m. */
    float radius;               /**< Interaction radius of particles, m. 0: the method has no such radius. */
    const pd_material *materials; /**< Materials of the scene. */
    int material_count;           /**< Number of materials. */
    pd_container container;       /**< Container of the scene. */
    const pd_area *obstacles;     /**< Obstacles at the current time, moved and turned. */
    int obstacle_count;           /**< Number of obstacles. */
    const pd_drain *drains;       /**< Drains of the scene. */
    int drain_count;              /**< Number of drains. */
    const pd_emitter *emitters;   /**< Emitters of the scene. */
    int emitter_count;            /**< Number of emitters. */
    pd_vec2 low, /**< Lower left corner of the container, or else of a box around fluid and vortices, m. */
        high;    /**< Upper right corner of the same container or box, m. */
    double time; /**< Simulated time, s. */
    const pd_field *const *fields; /**< Descriptions of all fields. pd_view_field() computes the values. */
    int field_count;               /**< Number of fields. */
    const struct pd_world *world;  /**< World that computes fields on request. NULL: the fields already have values. */
    const pd_view_body *bodies;    /**< Rigid bodies at the current time. */
    int body_count;                /**< Number of bodies. */
    const pd_view_joint *joints;   /**< Joints that have not broken, at the current time. */
    int joint_count;               /**< Number of these joints. */
    pd_vec2 gravity;               /**< Gravity, m/s^2. */
    float length_scale,            /**< Characteristic length L, m, as in ::pd_parameter_powers. */
        fluid_height,              /**< Height H of the fluid along gravity, m, as in ::pd_parameter_powers. */
        load;                      /**< Factor p of deep fluid, as in ::pd_parameter_powers; 1: not deep. */
} pd_view;

/** Returns a field of the view by name with its values. NULL: the view has no field of that name.
 *
 * The first call after a step computes the values. Later calls return the same values until the next step. */
PD_API const pd_field *pd_view_field(const pd_view *view, const char *name);
/** Returns the value of a field of cells at a position (m), summed over the layers.
 *
 * The value is linear between the centres of the cells that contain fluid.
 * NAN: the position is outside the grid or in a cell without fluid, or the field has no values or is of particles. */
PD_API float pd_field_at(const pd_field *field, pd_vec2 position);
/** Returns a quantity of the whole fluid by name, in the unit of its ::pd_number_info.
 *
 * NAN: the method has no quantity of that name, or pd_view.world is NULL. */
PD_API double pd_view_number(const pd_view *view, const char *name);

#ifdef __cplusplus
}
#endif
#endif
