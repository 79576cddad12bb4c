/* What a renderer or an embedding program sees of a world. It never says which method made it. */
#ifndef PUDDLE_VIEW_H
#define PUDDLE_VIEW_H

#include <puddle/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

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

/* Arrays belong to the world and hold until its next step, reset, load or destruction. */
typedef struct pd_view {
    int count;                            /* particles */
    const float *x, *y;                   /* m, now */
    const float *previous_x, *previous_y; /* m, one step before: draw between the two */
    const float *vx, *vy;                 /* m/s */
    const float *density;                 /* in density_unit */
    const float *pressure;                /* or what tells the same of a method: pressure_name, in pressure_unit */
    const char *density_unit, *pressure_name, *pressure_unit;
    const uint32_t *id; /* stays with its particle */
    const uint8_t *material;
    float rest_density;
    float pressure_scale; /* a pressure that counts as large here; legends run over its multiples */
    float speed_scale;    /* m/s that counts as fast here, fixed for the scene: sqrt(g L) */
    float spacing;        /* m between particles at rest */
    float radius;         /* m, interaction radius */
    const pd_material *materials;
    int material_count;
    pd_container container;
    const pd_view_obstacle *obstacles;
    int obstacle_count;
    const pd_drain *drains;
    int drain_count;
    pd_vec2 low, high; /* m: what a camera should show; the container, or where the fluid is when there is none */
    double time;       /* s */
} pd_view;

#ifdef __cplusplus
}
#endif
#endif
