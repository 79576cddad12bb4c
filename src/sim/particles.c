#include "sim/particles.h"

#include "core/error.h"
#include "core/memory.h"

#include <string.h>

enum { FLOAT_ARRAYS = 9 };

/* The float arrays of a structure, for what is done to all of them alike. */
static void list_floats(pd_particles *particles, float **list[FLOAT_ARRAYS]) {
    pd_particles *p = particles;
    float **all[FLOAT_ARRAYS] = {&p->x,     &p->y,          &p->vx,         &p->vy,     &p->old_x,
                                 &p->old_y, &p->previous_x, &p->previous_y, &p->density};
    memcpy(list, all, sizeof all);
}

static bool allocate(pd_particles *particles, int capacity, bool tagged) {
    float **floats[FLOAT_ARRAYS];
    size_t room = (size_t)capacity + PD_PADDING;
    bool whole = true;
    list_floats(particles, floats);
    for (int i = 0; i < FLOAT_ARRAYS; i++) whole = (*floats[i] = pd_allocate(room, sizeof(float))) && whole;
    particles->id = pd_allocate(room, sizeof *particles->id);
    particles->material = pd_allocate(room, sizeof *particles->material);
    particles->spare = pd_allocate(room, sizeof(float));
    particles->capacity = capacity;
    if (tagged) whole = pd_particles_tag(particles) && whole;
    return whole && particles->id && particles->material && particles->spare;
}

bool pd_particles_tag(pd_particles *particles) {
    if (particles->tag) return true;
    size_t bytes = (size_t)particles->capacity * sizeof *particles->tag;
    particles->tag = pd_allocate((size_t)particles->capacity + PD_PADDING, sizeof *particles->tag);
    if (particles->tag) memset(particles->tag, 0xff, bytes); /* PD_NO_TAG each */
    return particles->tag;
}

pd_result pd_particles_reserve(pd_particles *particles, int capacity, pd_error *error) {
    if (capacity <= particles->capacity) return PD_OK;
    pd_particles larger = {.count = particles->count, .next_id = particles->next_id};
    if (!allocate(&larger, capacity, particles->tag)) {
        pd_particles_free(&larger);
        return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "no memory for %d particles: close other programs or use fewer",
                       capacity);
    }
    size_t count = (size_t)particles->count;
    if (count) {
        float **to[FLOAT_ARRAYS], **from[FLOAT_ARRAYS];
        list_floats(&larger, to);
        list_floats(particles, from);
        for (int i = 0; i < FLOAT_ARRAYS; i++) memcpy(*to[i], *from[i], count * sizeof(float));
        memcpy(larger.id, particles->id, count * sizeof *larger.id);
        memcpy(larger.material, particles->material, count * sizeof *larger.material);
        if (larger.tag) memcpy(larger.tag, particles->tag, count * sizeof *larger.tag);
    }
    pd_particles_free(particles);
    *particles = larger;
    return PD_OK;
}

void pd_particles_free(pd_particles *particles) {
    float **floats[FLOAT_ARRAYS];
    list_floats(particles, floats);
    for (int i = 0; i < FLOAT_ARRAYS; i++) pd_free(*floats[i]);
    pd_free(particles->id);
    pd_free(particles->material);
    pd_free(particles->tag);
    pd_free(particles->spare);
    *particles = (pd_particles){0};
}

void pd_particles_add(pd_particles *particles, pd_vec2 position, pd_vec2 velocity, int material) {
    PD_ASSERT(particles->count < particles->capacity);
    int i = particles->count++;
    particles->x[i] = particles->old_x[i] = particles->previous_x[i] = position.x;
    particles->y[i] = particles->old_y[i] = particles->previous_y[i] = position.y;
    particles->vx[i] = velocity.x;
    particles->vy[i] = velocity.y;
    particles->density[i] = 0.0f;
    particles->id[i] = particles->next_id++;
    particles->material[i] = (uint8_t)material;
    if (particles->tag) particles->tag[i] = PD_NO_TAG;
}

void pd_particles_remove(pd_particles *particles, const uint8_t *flags) {
    float **floats[FLOAT_ARRAYS];
    list_floats(particles, floats);
    int kept = 0;
    for (int i = 0; i < particles->count; i++) {
        if (flags[i]) continue;
        if (kept != i) {
            for (int k = 0; k < FLOAT_ARRAYS; k++) (*floats[k])[kept] = (*floats[k])[i];
            particles->id[kept] = particles->id[i];
            particles->material[kept] = particles->material[i];
            if (particles->tag) particles->tag[kept] = particles->tag[i];
        }
        kept++;
    }
    particles->count = kept;
}
