/* Computes positions, colours and splat weights of particles for the GPU. */
#include "render/particles/instances.h"

#include "core/array.h"
#include "core/memory.h"
#include "render/palette.h"
#include <epoxy/gl.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

enum { LEGEND_COLOURS = 256 }; /* number of colours into which a legend is divided */

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
    pd_particle_grid_free(&instances->crowding);
    pd_particle_grid_free(&instances->colour_sums);
    pd_particle_grid_free(&instances->mixtures);
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
    uint32_t map[LEGEND_COLOURS];
    for (int i = 0; i < LEGEND_COLOURS; i++) {
        float rgb[3];
        pd_palette_get_legend_colour(picture->palette, field->low, field->high, (float)i / (LEGEND_COLOURS - 1), rgb);
        map[i] = pd_pack_colour(rgb);
    }
    float scale = (LEGEND_COLOURS - 1) / (field->high - field->low);
    for (int i = 0; i < count; i++) {
        float position = field->values ? (field->values[i] - field->low) * scale + 0.5f : 0;
        items[i].colour =
            map[position > 0 ? (int)fminf(position, LEGEND_COLOURS - 1) : 0]; /* NAN: colour of the low end */
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

static void add_copy_at_position(pd_instances *instances, pd_instance item, float x, float y) {
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
        add_copy_at_position(instances, item, item.x * factor, item.y * factor);
    }
    float half_width = 0.5f * container->width, half_height = 0.5f * container->height;
    for (int i = 0; i < count && container->shape == PD_CONTAINER_BOX; i++) {
        pd_instance item = instances->items[i];
        bool side = fabsf(item.x) > half_width - splat_radius, end = fabsf(item.y) > half_height - splat_radius;
        float x = copysignf(2 * half_width, item.x) - item.x, y = copysignf(2 * half_height, item.y) - item.y;
        if (side) add_copy_at_position(instances, item, x, item.y);
        if (end) add_copy_at_position(instances, item, item.x, y);
        if (side && end) add_copy_at_position(instances, item, x, y);
    }
}

/* Computes a particle's quadratic B-spline weights in three successive cells. d: offset of the particle from the centre of
 * the middle cell, -0.5..0.5 cells. */
static void compute_spline_weights(float d, float weight[3]) {
    weight[0] = 0.5f * (0.5f - d) * (0.5f - d);
    weight[1] = 0.75f - d * d;
    weight[2] = 0.5f * (0.5f + d) * (0.5f + d);
}

/* Finds the 3 x 3 cells around a particle at (x, y). column: index of each column. row: index of the first cell of each row.
 * column_weight, row_weight: the particle's spline weight in each column and row. */
static void find_cells_of_particle(const pd_particle_grid *grid, float x, float y, unsigned column[3], unsigned row[3],
                                   float column_weight[3], float row_weight[3]) {
    float gx = pd_particle_grid_convert_to_cells(grid, x), gy = pd_particle_grid_convert_to_cells(grid, y);
    float cx = floorf(gx + 0.5f), cy = floorf(gy + 0.5f);
    compute_spline_weights(gx - cx, column_weight);
    compute_spline_weights(gy - cy, row_weight);
    for (int i = 0; i < 3; i++) {
        column[i] = (unsigned)((int)cx + i - 1) & (grid->columns - 1);
        row[i] = ((unsigned)((int)cy + i - 1) & (grid->rows - 1)) * grid->columns;
    }
}

/* Returns the splat weight of a particle. crowding: density around the particle, in units of the rest density. At the
 * surface of fluid at rest it is 0.6, and the weight must be 1. For a lone particle it is 0.13, and the weight must be
 * several times larger to show a droplet. */
static float compute_splat_weight(float crowding) {
    const float sparse = 0.50f, crowded = 1.25f; /* the weight is 1 between these values of crowding */
    if (crowding < sparse) return powf(sparse / crowding, 0.95f);
    return crowding > crowded ? crowded / crowding : 1;
}

void pd_instances_compute_weights(pd_instances *instances, float spacing) {
    float cell = 1.5f * spacing;
    pd_particle_grid *grid = &instances->crowding;
    unsigned column[3], row[3];
    float column_weight[3], row_weight[3];
    if (!(cell > 0) || !pd_particle_grid_resize_and_clear(grid, instances, cell, 1)) return;
    for (int i = 0; i < instances->count; i++) {
        find_cells_of_particle(grid, instances->items[i].x, instances->items[i].y, column, row, column_weight,
                               row_weight);
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++) grid->cells[row[r] + column[c]] += column_weight[c] * row_weight[r];
    }
    float at_rest = cell * cell / (spacing * spacing);
    for (int i = 0; i < instances->count; i++) {
        find_cells_of_particle(grid, instances->items[i].x, instances->items[i].y, column, row, column_weight,
                               row_weight);
        /* The part of the crowding by the particle itself varies with its position in the cell. Replaces this part by its
         * mean, 0.3. */
        float own_x = column_weight[0] * column_weight[0] + column_weight[1] * column_weight[1] +
                      column_weight[2] * column_weight[2];
        float own_y = row_weight[0] * row_weight[0] + row_weight[1] * row_weight[1] + row_weight[2] * row_weight[2];
        float sum = 0.3f - own_x * own_y;
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++) sum += grid->cells[row[r] + column[c]] * column_weight[c] * row_weight[r];
        instances->items[i].weight = compute_splat_weight(sum / at_rest);
    }
}

void pd_instances_upload(pd_instances *instances) {
    size_t size = (size_t)instances->count * sizeof(pd_instance);
    glBindBuffer(GL_ARRAY_BUFFER, instances->buffer);
    /* Allocates new storage for every frame, so that the driver need not wait until the previous frame is drawn. */
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)size, instances->items, GL_STREAM_DRAW);
}

void pd_instances_draw(const pd_instances *instances) {
    if (!instances->count) return;
    glBindVertexArray(instances->array);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, instances->count);
}
