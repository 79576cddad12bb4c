/* Columns of the particles and their memory. */
#include "sim/particles/particles.h"

#include "core/error.h"
#include "core/memory.h"

#include <string.h>

/* Column that particles have under every method. Its array is a named member of pd_particles. */
typedef struct world_column {
    pd_column column;
    size_t at; /* offset in pd_particles of the pointer to the column's array, bytes */
} world_column;

#define COLUMN(field, is_saved, is_sorted)                                                                             \
    {.name = #field, .width = 4, .sorted = (is_sorted), .saved = (is_saved), .real = true},                            \
        offsetof(pd_particles, field)
static const world_column world_columns[] = {
    {COLUMN(x, true, true)},
    {COLUMN(y, true, true)},
    {COLUMN(vx, true, true)},
    {COLUMN(vy, true, true)},
    {COLUMN(old_x, false, true)},
    {COLUMN(old_y, false, true)},
    {COLUMN(previous_x, true, true)},
    {COLUMN(previous_y, true, true)},
    {COLUMN(density, true, false)},
    {{.name = "id", .width = 4, .sorted = true, .saved = true}, offsetof(pd_particles, id)},
    {{.name = "material", .width = 1, .sorted = true, .saved = true}, offsetof(pd_particles, material)},
};
enum { WORLD_COLUMNS = sizeof world_columns / sizeof *world_columns };

int pd_particles_column_count(const pd_particles *particles) { return WORLD_COLUMNS + particles->method_column_count; }

const pd_column *pd_particles_column(const pd_particles *particles, int column) {
    PD_ASSERT(column >= 0 && column < pd_particles_column_count(particles));
    if (column < WORLD_COLUMNS) return &world_columns[column].column;
    return &particles->method_columns[column - WORLD_COLUMNS];
}

static size_t get_column_pointer_offset(int column) {
    if (column < WORLD_COLUMNS) return world_columns[column].at;
    return offsetof(pd_particles, method) + (size_t)(column - WORLD_COLUMNS) * sizeof(void *);
}

/* The pointer is copied as bytes, since members of pd_particles have different pointer types. */
void *pd_particles_column_array(const pd_particles *particles, int column) {
    void *array;
    memcpy(&array, (const char *)particles + get_column_pointer_offset(column), sizeof array);
    return array;
}

void pd_particles_set_column_array(pd_particles *particles, int column, void *array) {
    memcpy((char *)particles + get_column_pointer_offset(column), &array, sizeof array);
}

size_t pd_particles_saved_bytes_per_particle(const pd_particles *particles) {
    size_t bytes = 0;
    for (int k = 0; k < WORLD_COLUMNS; k++) bytes += world_columns[k].column.saved ? world_columns[k].column.width : 0;
    for (int k = 0; k < particles->method_column_count; k++) {
        const pd_column *column = &particles->method_columns[k];
        bytes += column->saved && particles->method[k] ? column->width : 0;
    }
    return bytes;
}

static void set_initial_values(const pd_column *column, void *array, int begin, int end) {
    if (column->width == 1)
        memset((uint8_t *)array + begin, (int)column->initial, (size_t)(end - begin));
    else
        for (int i = begin; i < end; i++) ((uint32_t *)array)[i] = column->initial;
}

/* Allocates a column's array for `capacity` particles, with initial values. NULL: out of memory. */
static void *allocate_column(const pd_column *column, int capacity) {
    void *array = pd_allocate((size_t)capacity + PD_PADDING, column->width);
    if (array && column->initial) set_initial_values(column, array, 0, capacity);
    return array;
}

static pd_result fail_out_of_memory(int capacity, pd_error *error) {
    return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "no memory for %d particles (use fewer)", capacity);
}

pd_result pd_particles_reserve(pd_particles *particles, int capacity, pd_error *error) {
    if (capacity <= particles->capacity) return PD_OK;
    pd_particles larger = {
        .count = particles->count,
        .capacity = capacity,
        .next_id = particles->next_id,
        .method_columns = particles->method_columns,
        .method_column_count = particles->method_column_count,
        .spare = pd_allocate((size_t)capacity + PD_PADDING, sizeof(uint32_t)),
    };
    bool complete = larger.spare != NULL;
    for (int k = 0; k < pd_particles_column_count(&larger) && complete; k++) {
        const pd_column *column = pd_particles_column(&larger, k);
        const void *from = pd_particles_column_array(particles, k);
        if (column->optional && !from) continue;
        void *to = allocate_column(column, capacity);
        complete = to != NULL;
        if (complete && particles->count) memcpy(to, from, (size_t)particles->count * column->width);
        pd_particles_set_column_array(&larger, k, to);
    }
    if (!complete) {
        pd_particles_free(&larger);
        return fail_out_of_memory(capacity, error);
    }
    pd_particles_free(particles);
    *particles = larger;
    return PD_OK;
}

pd_result pd_particles_set_method_columns(pd_particles *particles, const pd_column *columns, int count,
                                          pd_error *error) {
    void *arrays[PD_MAX_METHOD_COLUMNS] = {NULL};
    PD_ASSERT(count <= PD_MAX_METHOD_COLUMNS);
    bool complete = true;
    for (int k = 0; k < count && complete; k++) {
        if (columns[k].optional) continue;
        arrays[k] = allocate_column(&columns[k], particles->capacity);
        complete = arrays[k] != NULL;
    }
    if (!complete) {
        for (int k = 0; k < count; k++) pd_free(arrays[k]);
        return fail_out_of_memory(particles->capacity, error);
    }
    for (int k = 0; k < particles->method_column_count; k++) pd_free(particles->method[k]);
    memcpy(particles->method, arrays, sizeof arrays);
    particles->method_columns = columns;
    particles->method_column_count = count;
    return PD_OK;
}

void *pd_particles_require_column(pd_particles *particles, int method_column) {
    PD_ASSERT(method_column >= 0 && method_column < particles->method_column_count);
    void **array = &particles->method[method_column];
    if (!*array) *array = allocate_column(&particles->method_columns[method_column], particles->capacity);
    return *array;
}

void pd_particles_free_column(pd_particles *p, int method_column) {
    if (!p->method_columns[method_column].optional) return;
    pd_free(p->method[method_column]);
    p->method[method_column] = NULL;
}

void pd_particles_reset_column(pd_particles *particles, int method_column) {
    PD_ASSERT(method_column >= 0 && method_column < particles->method_column_count);
    void *array = particles->method[method_column];
    if (array) set_initial_values(&particles->method_columns[method_column], array, 0, particles->count);
}

void pd_particles_free(pd_particles *particles) {
    for (int k = 0; k < pd_particles_column_count(particles); k++) pd_free(pd_particles_column_array(particles, k));
    pd_free(particles->spare);
    *particles = (pd_particles){0};
}

void pd_particles_add(pd_particles *particles, pd_vec2 position, pd_vec2 velocity, int material) {
    PD_ASSERT(particles->count < particles->capacity);
    int i = particles->count++;
    particles->x[i] = position.x;
    particles->y[i] = position.y;
    particles->old_x[i] = position.x;
    particles->old_y[i] = position.y;
    particles->previous_x[i] = position.x;
    particles->previous_y[i] = position.y;
    particles->vx[i] = velocity.x;
    particles->vy[i] = velocity.y;
    particles->density[i] = 0.0f;
    particles->id[i] = particles->next_id++;
    particles->material[i] = (uint8_t)material;
    for (int k = 0; k < particles->method_column_count; k++)
        if (particles->method[k]) set_initial_values(&particles->method_columns[k], particles->method[k], i, i + 1);
}

static void remove_flagged_words(uint32_t *array, const uint8_t *flags, int count) {
    for (int i = 0, remaining = 0; i < count; i++)
        if (!flags[i]) array[remaining++] = array[i];
}

static void remove_flagged_bytes(uint8_t *array, const uint8_t *flags, int count) {
    for (int i = 0, remaining = 0; i < count; i++)
        if (!flags[i]) array[remaining++] = array[i];
}

void pd_particles_remove_flagged(pd_particles *particles, const uint8_t *flags) {
    for (int k = 0; k < pd_particles_column_count(particles); k++) {
        void *array = pd_particles_column_array(particles, k);
        if (!array) continue;
        if (pd_particles_column(particles, k)->width == 1)
            remove_flagged_bytes(array, flags, particles->count);
        else
            remove_flagged_words(array, flags, particles->count);
    }
    int remaining = 0;
    for (int i = 0; i < particles->count; i++) remaining += !flags[i];
    particles->count = remaining;
}
