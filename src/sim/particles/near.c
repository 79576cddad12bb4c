/* Free places and memory for new particles. */
#include "sim/particles/near.h"

#include "core/memory.h"
#include "sim/world.h"

#include <math.h>

/* Returns the side of a cell, m: 1 % more than the free distance, so that despite rounding all particles within this
 * distance of a point are in the 3 x 3 cells around it. */
static double compute_cell_side(float free_distance) { return 1.01 * (double)free_distance; }

/* Returns the bucket of a cell: a hash in which consecutive cells of a row have consecutive buckets. A bucket may have
 * particles of several cells, so callers test distances. */
static uint32_t hash_cell(double cell_x, double cell_y, uint32_t mask) {
    /* Bound that makes the conversion to int64_t defined: a snapshot may have a tiny spacing. */
    const double farthest = 1e15;
    int64_t x = (int64_t)fmin(fmax(cell_x, -farthest), farthest), y = (int64_t)fmin(fmax(cell_y, -farthest), farthest);
    return ((uint32_t)x + 0x9e3779b1u * (uint32_t)y) & mask;
}

void pd_near_particles_cell_of_point(const pd_near_particles *list, pd_vec2 point, double *cell_x, double *cell_y) {
    double side = compute_cell_side(list->free_distance);
    *cell_x = floor(point.x / side);
    *cell_y = floor(point.y / side);
}

uint32_t pd_near_particles_bucket_of_cell(const pd_near_particles *list, double cell_x, double cell_y) {
    return hash_cell(cell_x, cell_y, list->mask);
}

pd_near_particles pd_near_particles_find(pd_world *world, pd_vec2 center, float reach, float free_distance) {
    const pd_particles *p = &world->particles;
    pd_neighbours *n = &world->neighbours;
    uint32_t *near = p->spare, count = 0, buckets = 1;
    for (int i = 0; i < p->count; i++) {
        float dx = p->x[i] - center.x, dy = p->y[i] - center.y;
        if (dx * dx + dy * dy < reach * reach) near[count++] = (uint32_t)i;
    }
    while (buckets < count) buckets *= 2;
    double side = compute_cell_side(free_distance);
    for (uint32_t k = 0; k < count; k++)
        n->key[k] = hash_cell(floor(p->x[near[k]] / side), floor(p->y[near[k]] / side), buckets - 1);
    pd_neighbours_sort_keys(n, (int)count, (int)buckets);
    for (uint32_t k = 0; k < count; k++) n->order[k] = near[n->order[k]];
    return (pd_near_particles){buckets - 1, free_distance};
}

float pd_near_particles_square_distance(const pd_world *world, const pd_near_particles *list, pd_vec2 point) {
    const pd_particles *p = &world->particles;
    const pd_neighbours *n = &world->neighbours;
    float distance = list->free_distance, least = distance * distance;
    double side = compute_cell_side(distance), x = floor(point.x / side), y = floor(point.y / side);
    for (int cell = 0; cell < 9; cell++) {
        uint32_t bucket = hash_cell(x + cell % 3 - 1, y + cell / 3 - 1, list->mask);
        for (int k = n->start[bucket]; k < n->start[bucket + 1]; k++) {
            float dx = p->x[n->order[k]] - point.x, dy = p->y[n->order[k]] - point.y;
            least = fminf(least, dx * dx + dy * dy);
        }
    }
    return least;
}

bool pd_near_particles_occupy_point(const pd_world *world, const pd_near_particles *list, pd_vec2 point) {
    return pd_near_particles_square_distance(world, list, point) < list->free_distance * list->free_distance;
}

int pd_world_reserve_new_particles(pd_world *world, int count) {
    const pd_particles *p = &world->particles;
    if (p->capacity - p->count < count && p->capacity < PD_MAX_PARTICLES) {
        int64_t needed = (int64_t)p->capacity * 3 / 2 + count;
        pd_world_reserve_particles(world, needed > PD_MAX_PARTICLES ? PD_MAX_PARTICLES : (int)needed, NULL);
    }
    int available = p->capacity - p->count;
    return available > count ? count : available > 0 ? available : 0;
}
