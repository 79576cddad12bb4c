/* Computes positions, colours and splat weights of particles for the GPU. */
#include "render/particles/instances.h"

#include "core/array.h"
#include "core/memory.h"
#include "render/palette.h"
#include <epoxy/gl.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

enum { MAP_SIZE = 256, MAX_GRID_SIDE = 1024 };

void pd_instances_create(pd_instances *instances) {
    glGenVertexArrays(1, &instances->array);
    glGenBuffers(1, &instances->buffer);
    glBindVertexArray(instances->array);
    glBindBuffer(GL_ARRAY_BUFFER, instances->buffer);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, sizeof(pd_instance), (void *)offsetof(pd_instance, x));
    glVertexAttribPointer(1, 1, GL_FLOAT, GL_FALSE, sizeof(pd_instance), (void *)offsetof(pd_instance, weight));
    glVertexAttribPointer(2, 4, GL_UNSIGNED_BYTE, GL_TRUE, sizeof(pd_instance), (void *)offsetof(pd_instance, colour));
    for (GLuint i = 0; i < 3; i++) {
        glEnableVertexAttribArray(i);
        glVertexAttribDivisor(i, 1);
    }
    glBindVertexArray(0);
}

void pd_instances_free(pd_instances *instances) {
    if (instances->array) glDeleteVertexArrays(1, &instances->array);
    if (instances->buffer) glDeleteBuffers(1, &instances->buffer);
    pd_free(instances->items);
    pd_free(instances->crowding_cells);
    memset(instances, 0, sizeof *instances);
}

static void set_instance_positions(pd_instance *items, int count, const pd_view *view, float alpha) {
    bool between = alpha < 1 && view->previous_x && view->previous_y;
    for (int i = 0; i < count; i++) {
        float x = view->x[i], y = view->y[i];
        if (between) {
            x = view->previous_x[i] + (x - view->previous_x[i]) * alpha;
            y = view->previous_y[i] + (y - view->previous_y[i]) * alpha;
        }
        items[i].x = x;
        items[i].y = y;
        items[i].weight = 1;
    }
}

static void set_instance_material_colours(pd_instance *items, int count, const pd_picture *picture) {
    uint32_t colours[256];
    int materials = picture->view->material_count < 256 ? picture->view->material_count : 256;
    for (int i = 0; i < 256; i++)
        colours[i] = pd_palette_material_colour(picture->palette, picture->view, i < materials ? i : 0);
    for (int i = 0; i < count; i++) items[i].colour = colours[picture->view->material ? picture->view->material[i] : 0];
}

static void set_instance_field_colours(pd_instance *items, int count, const pd_picture *picture,
                                       const pd_field *field) {
    uint32_t map[MAP_SIZE];
    for (int i = 0; i < MAP_SIZE; i++) {
        float rgb[3];
        pd_palette_get_legend_colour(picture->palette, field->low, field->high, (float)i / (MAP_SIZE - 1), rgb);
        map[i] = pd_pack_colour(rgb);
    }
    float scale = (MAP_SIZE - 1) / (field->high - field->low);
    for (int i = 0; i < count; i++) {
        float position = field->values ? (field->values[i] - field->low) * scale + 0.5f : 0;
        items[i].colour = map[position > 0 ? (int)fminf(position, MAP_SIZE - 1) : 0]; /* NAN: colour of the low end */
    }
}

void pd_instances_set_from_view(pd_instances *instances, const pd_picture *picture) {
    const pd_view *view = picture->view;
    const pd_field *field = pd_view_field(view, picture->mode->field);
    instances->count = 0;
    int count = PD_ARRAY_RESERVE(instances->items, instances->capacity, instances->count, view->count)
                    ? view->count
                    : instances->capacity;
    set_instance_positions(instances->items, count, view, picture->alpha);
    if (field && field->info.support == PD_FIELD_OF_PARTICLES)
        set_instance_field_colours(instances->items, count, picture, field);
    else
        set_instance_material_colours(instances->items, count, picture);
    instances->count = count;
}

static void add_instance_at(pd_instances *instances, pd_instance item, float x, float y) {
    if (instances->count == instances->capacity &&
        !PD_ARRAY_RESERVE(instances->items, instances->capacity, instances->count, instances->count + 1))
        return;
    item.x = x;
    item.y = y;
    instances->items[instances->count++] = item;
}

void pd_instances_add_reflections(pd_instances *instances, const pd_container *container, float splat_radius) {
    int count = instances->count;
    for (int i = 0; i < count && container->shape == PD_CONTAINER_CIRCLE; i++) {
        pd_instance item = instances->items[i];
        float distance = sqrtf(item.x * item.x + item.y * item.y);
        if (distance < container->radius - splat_radius || distance < 1e-6f) continue;
        float factor = (2 * container->radius - distance) / distance;
        add_instance_at(instances, item, item.x * factor, item.y * factor);
    }
    float half_width = 0.5f * container->width, half_height = 0.5f * container->height;
    for (int i = 0; i < count && container->shape == PD_CONTAINER_BOX; i++) {
        pd_instance item = instances->items[i];
        bool side = fabsf(item.x) > half_width - splat_radius, end = fabsf(item.y) > half_height - splat_radius;
        float x = copysignf(2 * half_width, item.x) - item.x, y = copysignf(2 * half_height, item.y) - item.y;
        if (side) add_instance_at(instances, item, x, item.y);
        if (end) add_instance_at(instances, item, item.x, y);
        if (side && end) add_instance_at(instances, item, x, y);
    }
}

typedef struct crowding_grid {
    float *cells;
    float per_metre;
    /* powers of two; positions outside the grid wrap around, which is exact enough for weights */
    unsigned columns, rows;
} crowding_grid;

/* Computes the quadratic B-spline weights of three neighbouring cells. d: offset from the middle cell's centre,
 * -0.5..0.5 cells. */
static void compute_spline_weights(float d, float weight[3]) {
    weight[0] = 0.5f * (0.5f - d) * (0.5f - d);
    weight[1] = 0.75f - d * d;
    weight[2] = 0.5f * (0.5f + d) * (0.5f + d);
}

/* Finds the 3 x 3 cells around a particle: index of each column, index of each row's first cell, and the particle's
 * spline weight in each column and row. */
static void find_cells_of_particle(const crowding_grid *grid, float x, float y, unsigned column[3], unsigned row[3],
                                   float column_weight[3], float row_weight[3]) {
    float gx = x * grid->per_metre, gy = y * grid->per_metre;
    gx = fabsf(gx) < 1e9f ? gx : 0; /* NAN and values beyond the range of int become 0 */
    gy = fabsf(gy) < 1e9f ? gy : 0;
    float cx = floorf(gx + 0.5f), cy = floorf(gy + 0.5f);
    compute_spline_weights(gx - cx, column_weight);
    compute_spline_weights(gy - cy, row_weight);
    for (int i = 0; i < 3; i++) {
        column[i] = (unsigned)((int)cx + i - 1) & (grid->columns - 1);
        row[i] = ((unsigned)((int)cy + i - 1) & (grid->rows - 1)) * grid->columns;
    }
}

static bool prepare_crowding_grid(pd_instances *instances, float cell_side, crowding_grid *grid) {
    float low_x = 0, high_x = 0, low_y = 0, high_y = 0;
    for (int i = 0; i < instances->count; i++) {
        low_x = fminf(low_x, instances->items[i].x);
        high_x = fmaxf(high_x, instances->items[i].x);
        low_y = fminf(low_y, instances->items[i].y);
        high_y = fmaxf(high_y, instances->items[i].y);
    }
    grid->columns = 4;
    grid->rows = 4;
    while (grid->columns < MAX_GRID_SIDE && (float)grid->columns * cell_side < high_x - low_x + 4 * cell_side)
        grid->columns *= 2;
    while (grid->rows < MAX_GRID_SIDE && (float)grid->rows * cell_side < high_y - low_y + 4 * cell_side)
        grid->rows *= 2;
    grid->per_metre = 1 / cell_side;
    int cells = (int)(grid->columns * grid->rows);
    if (!PD_ARRAY_RESERVE(instances->crowding_cells, instances->crowding_capacity, 0, cells)) return false;
    memset(instances->crowding_cells, 0, (size_t)cells * sizeof(float));
    grid->cells = instances->crowding_cells;
    return true;
}

/* Returns the splat weight of a particle from its crowding: the local density in units of the rest density. At the
 * surface of a body at rest crowding is 0.6, and the weight must be 1. A lone particle has the crowding 0.13 and
 * needs several times the weight to show as a droplet. */
static float compute_splat_weight(float crowding) {
    const float sparse = 0.50f, crowded = 1.25f;
    if (crowding < sparse) return powf(sparse / crowding, 0.95f);
    return crowding > crowded ? crowded / crowding : 1;
}

void pd_instances_compute_weights(pd_instances *instances, float spacing) {
    float cell = 1.5f * spacing;
    crowding_grid grid;
    unsigned column[3], row[3];
    float column_weight[3], row_weight[3];
    if (!(cell > 0) || !prepare_crowding_grid(instances, cell, &grid)) return;
    for (int i = 0; i < instances->count; i++) {
        find_cells_of_particle(&grid, instances->items[i].x, instances->items[i].y, column, row, column_weight,
                               row_weight);
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++) grid.cells[row[r] + column[c]] += column_weight[c] * row_weight[r];
    }
    float at_rest = cell * cell / (spacing * spacing);
    for (int i = 0; i < instances->count; i++) {
        find_cells_of_particle(&grid, instances->items[i].x, instances->items[i].y, column, row, column_weight,
                               row_weight);
        /* A particle's contribution to its own crowding varies with its position in the cell. Replaces it by its mean,
         * 0.3. */
        float own_x = column_weight[0] * column_weight[0] + column_weight[1] * column_weight[1] +
                      column_weight[2] * column_weight[2];
        float own_y = row_weight[0] * row_weight[0] + row_weight[1] * row_weight[1] + row_weight[2] * row_weight[2];
        float sum = 0.3f - own_x * own_y;
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++) sum += grid.cells[row[r] + column[c]] * column_weight[c] * row_weight[r];
        instances->items[i].weight = compute_splat_weight(sum / at_rest);
    }
}

void pd_instances_upload(pd_instances *instances) {
    size_t size = (size_t)instances->count * sizeof(pd_instance);
    glBindBuffer(GL_ARRAY_BUFFER, instances->buffer);
    /* New storage in every frame: the driver need not wait until the previous frame is drawn. */
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)size, instances->items, GL_STREAM_DRAW);
}

void pd_instances_draw(const pd_instances *instances) {
    if (!instances->count) return;
    glBindVertexArray(instances->array);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, instances->count);
}
