/* What a renderer or an embedding program sees of a world. It never says which method made it. */
#ifndef PUDDLE_VIEW_H
#define PUDDLE_VIEW_H

#include <puddle/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { PD_MAX_FIELDS = 16, PD_MAX_NUMBERS = 8 };

/* An obstacle where it stands now: polygon-free, as the scene describes it, moved and turned to the current time. */
typedef struct pd_view_obstacle {
    pd_shape shape;
    pd_vec2 center;
    float radius;
    pd_vec2 size;
    float angle; /* degrees */
    float thickness;
    const pd_vec2 *points; /* relative to center, before turning by angle */
    int point_count;
} pd_view_obstacle;

/* Where the values of a field stand. */
typedef enum pd_field_support {
    PD_FIELD_OF_PARTICLES, /* one for each particle, in the order of the view's arrays */
    PD_FIELD_OF_CELLS,     /* one for each cell of a regular grid, at its centre */
} pd_field_support;

/* What is known of a field without computing it. */
typedef struct pd_field_info {
    const char *name;  /* "pressure" */
    const char *title; /* of its legend: "pressure" */
    const char *unit;  /* "Pa", or "" */
    pd_field_support support;
} pd_field_info;

/* A scalar field. */
typedef struct pd_field {
    pd_field_info info;
    const float *values; /* of cells: nx times ny, row after row from the lowest; NAN: no fluid there. NULL: no memory */
    float low, high;     /* range of its legend, fixed by the scene: a colour means the same value all the time */
    int nx, ny;          /* cells: columns and rows */
    pd_vec2 origin;      /* cells: lower left corner of the first, m */
    float cell;          /* cells: side, m */
} pd_field;

/* A quantity of the whole fluid. */
typedef struct pd_number_info {
    const char *name, *title, *unit;
} pd_number_info;

/* How a view mode draws. */
typedef enum pd_view_kind {
    PD_VIEW_SURFACE,   /* particles as the surface of a body of fluid, in the colours of their materials */
    PD_VIEW_SPRITES,   /* particles one by one, in the colours of their materials */
    PD_VIEW_PARTICLES, /* particles one by one, in the colours of a field of particles */
    PD_VIEW_IMAGE,     /* a field of cells as an image */
    PD_VIEW_CONTOURS,  /* the same with lines of equal value */
} pd_view_kind;

/* One way to look at the fluid. */
typedef struct pd_view_mode {
    const char *name; /* "density": what --view and the window call it */
    pd_view_kind kind;
    const char *field; /* its name; NULL: none */
} pd_view_mode;

/* Arrays belong to the world and hold until its next step, reset, load or destruction. */
typedef struct pd_view {
    int count;                            /* particles */
    const float *x, *y;                   /* m, now */
    const float *previous_x, *previous_y; /* m, one step before: draw between the two */
    const float *vx, *vy;                 /* m/s */
    const float *density;                 /* in the method's own measure; NULL: it has none */
    const uint32_t *id;                   /* stays with its particle */
    const uint8_t *material;
    float rest_density; /* 0: the method has none */
    float speed_scale;  /* m/s that counts as fast here, fixed for the scene: sqrt(g L) */
    float spacing;      /* m between particles at rest */
    float radius;       /* m, interaction radius; 0: the method has none */
    const pd_material *materials;
    int material_count;
    pd_container container;
    const pd_view_obstacle *obstacles;
    int obstacle_count;
    const pd_drain *drains;
    int drain_count;
    pd_vec2 low, high; /* m: what a camera should show; the container, or where the fluid is when there is none */
    double time;       /* s */
    /* Computed when asked for, once a step: see pd_view_field and pd_view_number. */
    const pd_field *fields;
    int field_count;
    const struct pd_world *world; /* which computes them; NULL: the values of all fields are there */
} pd_view;

/* A field of the view by its name with its values; NULL: there is none. Costs nothing when it was asked for since the last step. */
const pd_field *pd_view_field(const pd_view *view, const char *name);
/* A number of the view's world by its name; NAN: there is none. */
double pd_view_number(const pd_view *view, const char *name);

#ifdef __cplusplus
}
#endif
#endif
