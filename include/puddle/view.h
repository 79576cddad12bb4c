/* Read-only view of a world for renderers and embedding programs, the same for every method. */
#ifndef PUDDLE_VIEW_H
#define PUDDLE_VIEW_H

#include <puddle/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { PD_MAX_FIELDS = 16, PD_MAX_NUMBERS = 8 };

/* Where the values of a field are located. */
typedef enum pd_field_support {
    PD_FIELD_OF_PARTICLES, /* one for each particle, in the order of the view's arrays */
    PD_FIELD_OF_CELLS,     /* one for each cell of a regular grid, at its centre */
} pd_field_support;

/* The description of a field, available without computing it. */
typedef struct pd_field_info {
    const char *name;  /* "pressure" */
    const char *title; /* of its legend: "pressure" */
    const char *unit;  /* "Pa", or "" */
    pd_field_support support;
    bool probe; /* its value is shown beside the pointer when that rests in the fluid */
} pd_field_info;

/* A scalar field, or several as layers of one grid. The grid is zero for fields of particles. Of a field that PD_VIEW_DYES
 * draws, layer m is the amount of materials[m] in each cell, from 0 to 1.
 *
 * A method with a velocity field of cells names its components "velocity_x" and "velocity_y": m/s, at the cells' centres,
 * both on the same grid. Streamlines and arrows are drawn from them, relative to the greatest speed of their legends. */
typedef struct pd_field {
    pd_field_info info;
    const float *values; /* one per particle, or nx x ny, lowest row first, NAN: no fluid; NULL: out of memory */
    float low, high;     /* range of the legend; does not follow the values, so that a colour keeps its meaning */
    int layers;          /* grids of nx x ny in values, one after the other; 0 counts as 1 */
    int nx, ny;          /* columns and rows of the grid */
    pd_vec2 origin;      /* lower left corner of the grid, m */
    float cell;          /* side of a cell, m */
} pd_field;

/* Vortex particles: arrays with one element for each. A method that has vortices sets the arrays also while there is none:
 * id tells whether it is such a method, count does not. */
typedef struct pd_view_vortices {
    int count;
    const uint32_t *id; /* constant until the method sets its vortices anew; NULL: the method has no vortices */
    const float *x, *y; /* m */
    /* m, one step earlier, for drawing interpolated positions; NULL: not known */
    const float *previous_x, *previous_y;
    const float *vx, *vy;
    const float *circulation; /* m^2/s, counterclockwise */
    const float *core;        /* radius, m */
    const float *area;        /* m^2, that the vortex stands for; 0: it is one of the scene file */
    const float *mass;        /* kg/m: deviation of the density from that of the fluid around, times the area */
} pd_view_vortices;

/* The description of a quantity of the whole fluid. */
typedef struct pd_number_info {
    const char *name, *title, *unit;
} pd_number_info;

/* How a view mode draws. */
typedef enum pd_view_kind {
    PD_VIEW_SURFACE,   /* the surface of the fluid that the particles form, in the colours of their materials */
    PD_VIEW_SPRITES,   /* a disc per particle, in the colour of its material */
    PD_VIEW_PARTICLES, /* a disc per particle, coloured by a field of particles */
    PD_VIEW_IMAGE,     /* a field of cells as an image */
    PD_VIEW_DYES,      /* a field of cells whose layers are the materials: their colours, mixed by amount */
    PD_VIEW_VORTICES,  /* a disc per vortex, as wide as its core, coloured by its circulation */
} pd_view_kind;

/* Lines over a view. */
typedef enum pd_view_lines {
    PD_LINES_NONE,
    PD_LINES_CONTOURS,    /* of equal value, of the mode's field: only over PD_VIEW_IMAGE */
    PD_LINES_STREAMLINES, /* of the velocity field, over any kind of view */
    PD_LINES_ARROWS,      /* likewise */
} pd_view_lines;

/* A view mode: what is drawn, and how. */
typedef struct pd_view_mode {
    const char *name; /* for --view and the window: "density" */
    pd_view_kind kind;
    const char *field;   /* name of the field that is drawn; NULL: none */
    pd_view_lines lines; /* over it, unless the user chooses others */
} pd_view_mode;

/* The arrays have one element per particle unless stated. They belong to the world and are valid until its next step,
 * reset, restore, change of method or of particle number, or destruction. */
typedef struct pd_view {
    int count; /* particles */
    /* The particles carry no mass, they only move along with the fluid, which is in the fields of cells: the method has
     * no density of particles, and a velocity field. --state writes the cells then, or the vortices of a method that has
     * them. */
    bool tracers;
    const float *x, *y;                   /* m, at the current time */
    const float *previous_x, *previous_y; /* m, one step earlier, for drawing interpolated positions */
    const float *vx, *vy;                 /* m/s */
    const float *density;                 /* ddr: sum of (1 - r/h)^2; sph, pbf: 1/m^2; NULL: the method has none */
    const uint32_t *id;                   /* constant over a particle's lifetime */
    const uint8_t *material;              /* index into materials */
    pd_view_vortices vortices;            /* all 0: the method has none */
    float rest_density;                   /* in the unit of density; 0: the method has none */
    float speed_scale; /* m/s, characteristic speed: sqrt(g L), L: the container's radius or half its smaller side */
    /* m^2/s, characteristic circulation of one of the vortices; 0: there are none. Nearly constant in time, so that a colour
     * keeps its meaning. */
    float circulation_scale;
    float spacing; /* m, rest spacing of the particles */
    float radius;  /* m, interaction radius; 0: the method has none */
    const pd_material *materials;
    int material_count;
    pd_container container;
    const pd_area *obstacles; /* at the current time, moved and turned */
    int obstacle_count;
    const pd_drain *drains;
    int drain_count;
    pd_vec2 low,
        high;    /* m, corners of the part to show: the container, or the fluid and the vortices where there is none */
    double time; /* s */
    /* Get fields by pd_view_field, which computes their values. */
    const pd_field *fields;
    int field_count;
    const struct pd_world *world; /* computes fields and numbers; NULL: the values of all fields are present */
} pd_view;

/* A field of the view by name with its values, which are computed at the first call after each step. NULL when the view
 * has no field of that name. */
const pd_field *pd_view_field(const pd_view *view, const char *name);
/* The value at a position (m) of a field of cells: linear between the centres of the cells that hold fluid, and the sum
 * of the layers. NAN outside the grid, in a cell without fluid, and for fields of particles. */
float pd_field_at(const pd_field *field, pd_vec2 position);
/* A quantity of the whole fluid by name, in the unit of its pd_number_info; NAN when there is none of that name. */
double pd_view_number(const pd_view *view, const char *name);

#ifdef __cplusplus
}
#endif
#endif
