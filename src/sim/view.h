/* Fields of a view: computed on request, and cached until the world changes. */
#ifndef PUDDLE_SIM_VIEW_H
#define PUDDLE_SIM_VIEW_H

#include "sim/world.h"

/* The fields of the running method, in the order of its table. */
typedef struct pd_field_cache {
    pd_field field[PD_MAX_FIELDS];
    const pd_field *list[PD_MAX_FIELDS]; /* of pd_view: pointers to these */
    uint64_t version[PD_MAX_FIELDS];     /* the world's version when the values were computed; 0: never */
    float *buffer[PD_MAX_FIELDS];        /* of pd_field_buffer */
    size_t capacity[PD_MAX_FIELDS];
    float scale[PD_MAX_FIELDS]; /* of pd_field_scale */
} pd_field_cache;

void pd_field_cache_free(pd_field_cache *cache);

/* An array for the values of the running method's field `index`, for methods without one of their own; NULL: no
 * memory. */
float *pd_field_buffer(const pd_world *world, int index, size_t count);

/* A legend's end for a field whose values reach `magnitude` (> 0): 1, 2 or 5 times a power of ten. It is kept from view to
 * view until the magnitude has left it clearly, above by a quarter or below a fifth of it, so that it does not flicker. */
float pd_field_scale(const pd_world *world, int index, float magnitude);
/* The same for a field of cells around 0, from its values: three times their root mean square, but at least `least`, below
 * which they are rounding errors. */
float pd_field_scale_of_values(const pd_world *world, int index, const pd_field *field, float least);

/* Views that every method with particles has: surface, sprites, and particles coloured by their speed. */
#define PD_PARTICLE_VIEWS                                                                                              \
    {"surface", PD_VIEW_SURFACE, NULL}, {"sprites", PD_VIEW_SPRITES, NULL}, { "speed", PD_VIEW_PARTICLES, "speed" }
/* The field of the last one, and the function that computes it. */
#define PD_SPEED_FIELD                                                                                                 \
    { "speed", "speed", "m/s", PD_FIELD_OF_PARTICLES }
void pd_field_of_speed(const pd_world *world, int index, pd_field *field);
/* The particles' densities, with a legend from 0 to twice the rest density. */
void pd_field_of_density(const pd_world *world, float rest_density, pd_field *field);

#endif
