/* Fields of a view, computed on request and cached until the world changes. */
#ifndef PUDDLE_SIM_VIEW_H
#define PUDDLE_SIM_VIEW_H

#include "sim/world.h"

/* Fields of the running method, in the order of its table. */
typedef struct pd_field_cache {
    /* By field: description and values; values are valid if `version` equals world->version. */
    pd_field field[PD_MAX_FIELDS];
    const pd_field *list[PD_MAX_FIELDS]; /* list[i] = &field[i], for pd_view.fields */
    uint64_t version[PD_MAX_FIELDS];     /* world->version at which the values were computed; 0: never */
    float *buffer[PD_MAX_FIELDS];        /* by field: array that pd_field_buffer returned; NULL: none */
    size_t capacity[PD_MAX_FIELDS];      /* by field: number of allocated elements of `buffer` */
    float scale[PD_MAX_FIELDS];          /* by field: last result of pd_field_compute_legend_end; 0: not computed yet */
} pd_field_cache;

void pd_field_cache_free(pd_field_cache *cache);

/* Returns an array of `count` elements for the values of field `index`, for methods that do not store these values. The
 * cache owns the array. Returns NULL if memory runs out. */
float *pd_field_buffer(const pd_world *world, int index, size_t count);

/* Returns the upper end of the legend for field `index`, whose values are up to `magnitude` > 0: 1, 2 or 5 times a power
 * of ten. The end changes only if magnitude / end leaves [0.2, 1.25], so that colours do not flicker. */
float pd_field_compute_legend_end(const pd_world *world, int index, float magnitude);
/* Returns pd_field_compute_legend_end for the magnitude max(3 x root mean square of the field's values, least_magnitude).
 * For fields of cells whose values have both signs. Values below least_magnitude count as rounding errors. */
float pd_field_compute_legend_end_from_rms(const pd_world *world, int index, const pd_field *field,
                                           float least_magnitude);

/* Views of every method with particles: surface, sprites, and particles coloured by speed. */
#define PD_PARTICLE_VIEWS                                                                                              \
    {"surface", PD_VIEW_SURFACE, NULL}, {"sprites", PD_VIEW_SPRITES, NULL}, { "speed", PD_VIEW_PARTICLES, "speed" }
/* Element of a method's table of fields: the particles' speed, which pd_field_compute_speed computes. */
#define PD_SPEED_FIELD                                                                                                 \
    { "speed", "speed", "m/s", PD_FIELD_OF_PARTICLES }
void pd_field_compute_speed(const pd_world *world, int index, pd_field *field);
/* Element of a method's table of fields: the particles' densities in units of the rest density, which
 * pd_field_compute_relative_density computes. Methods with different units of density then have the same scale. */
#define PD_DENSITY_FIELD                                                                                               \
    { "density", "density / density at rest", "", PD_FIELD_OF_PARTICLES }
void pd_field_compute_relative_density(const pd_world *world, int index, float rest_density, pd_field *field);

#endif
