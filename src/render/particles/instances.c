#include "render/particles/instances.h"

#include "core/array.h"
#include "core/memory.h"
#include "render/palette.h"
#include "render/shader.h"
#include <epoxy/gl.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

enum { MAX_GRID_SIDE = 1024 };

/* Makes the grid as large as the area of the instances, and sets all sums to 0. cell_side: m. Returns false if memory runs
 * out. */
static bool resize_and_clear_grid(pd_particle_grid *grid, const pd_instances *instances, float cell_side,
                                  int sums_per_cell) {
    float low_x = 0, high_x = 0, low_y = 0, high_y = 0;
    for (int i = 0; i < instances->count; i++) {
        float x = instances->items[i].x, y = instances->items[i].y;
        low_x = x < low_x ? x : low_x;
        high_x = x > high_x ? x : high_x;
        low_y = y < low_y ? y : low_y;
        high_y = y > high_y ? y : high_y;
    }
    grid->columns = 4;
    grid->rows = 4;
    while (grid->columns < MAX_GRID_SIDE && (float)grid->columns * cell_side < high_x - low_x + 4 * cell_side)
        grid->columns *= 2;
    while (grid->rows < MAX_GRID_SIDE && (float)grid->rows * cell_side < high_y - low_y + 4 * cell_side)
        grid->rows *= 2;
    grid->per_metre = 1 / cell_side;
    grid->sums_per_cell = sums_per_cell;
    int count = (int)(grid->columns * grid->rows) * sums_per_cell;
    if (!PD_ARRAY_RESERVE(grid->cells, grid->capacity, 0, count)) return false;
    memset(grid->cells, 0, (size_t)count * sizeof(float));
    return true;
}

static void free_grid(pd_particle_grid *grid) {
    pd_free(grid->cells);
    memset(grid, 0, sizeof *grid);
}

/* Converts a coordinate from metres to cells. Returns 0 for NAN and for values beyond the range of int. */
static float convert_to_cells(const pd_particle_grid *grid, float coordinate) {
    float place = coordinate * grid->per_metre;
    return fabsf(place) < 1e9f ? place : 0;
}

/* ---- Positions, colours and splat weights ---- */

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
    free_grid(&instances->crowding);
    free_grid(&instances->colour_sums);
    free_grid(&instances->mixtures);
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
    else {
        uint32_t colours[256];
        int materials = picture->view->material_count < 256 ? picture->view->material_count : 256;
        for (int i = 0; i < 256; i++)
            colours[i] = pd_palette_material_colour(picture->palette, picture->view, i < materials ? i : 0);
        for (int i = 0; i < count; i++)
            instances->items[i].colour = colours[picture->view->material ? picture->view->material[i] : 0];
    }
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
    float gx = convert_to_cells(grid, x), gy = convert_to_cells(grid, y);
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
    if (!(cell > 0) || !resize_and_clear_grid(grid, instances, cell, 1)) return;
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

/* ---- Mixed colours ---- */

/* Distinguishes mixtures of particles with different colours from edges, streaks and drops of one colour. For each
 * particle two windows around it are compared:
 * - wide window (about 40 particles): linear regression of the colours on the position. At an edge between two colours the
 *   position explains much of the colours' variance, in a mixture nearly nothing.
 * - narrow window (about 16 particles): in a streak or a drop its mean colour is near the particle's own colour. */

/* Side of a cell in units of the rest spacing. The narrow window is the four cells around a particle, the wide window 3 x
 * 3 cells: enough particles for a mean without speckle. */
static const float cell_per_spacing = 1.95f;
/* If position explains less than mixed_fraction of the colours' variance, colours are blended; if more than edge_fraction,
 * they remain. At a straight edge it explains 0.47. */
static const float mixed_fraction = 0.12f, edge_fraction = 0.32f;
/* Ratio = (squared distance of a particle's colour from the mean of the narrow window) / (the same for the wide window).
 * Below streak_ratio the colour remains, above mixed_ratio it is blended. The ratio is about 1 in a mixture, and 0.2 in
 * the middle of a streak of three particles. */
static const float streak_ratio = 0.12f, mixed_ratio = 0.4f;
static const float visible = 1e-5f; /* squared distance between two colours whose difference is just visible */

/* indices of the sums over particles in a cell: number, red, green, blue, red^2 + green^2 + blue^2 */
enum { WEIGHT, RED, SQUARE = RED + 3, SUMS };
/* indices of the values of a cell's mixture: 0 to 2: mean colour of the wide window; BLENDING: strength of the blending, 0
 * to 1 */
enum { BLENDING = 3, MIXTURE_VALUES };

/* The four cells nearest to a particle, and the particle's weight in each of them. */
typedef struct bilinear_cells {
    unsigned cell[4]; /* indices of the cells */
    float weight[4];  /* bilinear weights, whose sum is 1 */
} bilinear_cells;

static bilinear_cells find_bilinear_cells(const pd_particle_grid *grid, const pd_instance *item) {
    float x = convert_to_cells(grid, item->x), y = convert_to_cells(grid, item->y);
    float left = floorf(x), low = floorf(y), right_weight = x - left, high_weight = y - low;
    unsigned column = (unsigned)(int)left, row = (unsigned)(int)low;
    unsigned right = (column + 1) & (grid->columns - 1), high = ((row + 1) & (grid->rows - 1)) * grid->columns;
    column &= grid->columns - 1;
    row = (row & (grid->rows - 1)) * grid->columns;
    return (bilinear_cells){{row + column, row + right, high + column, high + right},
                            {(1 - right_weight) * (1 - high_weight), right_weight * (1 - high_weight),
                             (1 - right_weight) * high_weight, right_weight * high_weight}};
}

/* Unpacks an sRGB colour to approximately linear light: the squares of its components, as in splat.vert. */
static void convert_to_linear_light(uint32_t colour, float linear[3]) {
    for (int c = 0; c < 3; c++) {
        float value = (float)(colour >> (8 * c) & 255) * (1.f / 255);
        linear[c] = value * value;
    }
}

static float compute_squared_colour_distance(const float a[3], const float b[3]) {
    float sum = 0;
    for (int c = 0; c < 3; c++) sum += (a[c] - b[c]) * (a[c] - b[c]);
    return sum;
}

static float smooth_step(float low, float high, float value) {
    float t = fminf(fmaxf((value - low) / (high - low), 0), 1);
    return t * t * (3 - 2 * t);
}

static bool have_all_instances_one_colour(const pd_instances *instances) {
    for (int i = 1; i < instances->count; i++)
        if (instances->items[i].colour != instances->items[0].colour) return false;
    return true;
}

static void add_instance_to_sums(pd_particle_grid *sums, const pd_instance *item) {
    float linear[3], none[3] = {0};
    convert_to_linear_light(item->colour, linear);
    float added[SUMS] = {1, linear[0], linear[1], linear[2], compute_squared_colour_distance(linear, none)};
    bilinear_cells nearest = find_bilinear_cells(sums, item);
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < SUMS; k++)
            sums->cells[SUMS * nearest.cell[i] + (unsigned)k] += nearest.weight[i] * added[k];
}

/* Sums over the wide window around a cell. */
typedef struct window_moments {
    float sum[SUMS];        /* sums over the particles */
    float x[SUMS], y[SUMS]; /* sums times the offset of their cell along x and y, cells */
    float xx, yy;           /* number of particles times the squared offset of their cell along x and y */
} window_moments;

static window_moments compute_wide_window_moments(const pd_particle_grid *sums, unsigned column, unsigned row) {
    window_moments m = {0};
    for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++) {
            unsigned x = (column + (unsigned)i) & (sums->columns - 1), y = (row + (unsigned)j) & (sums->rows - 1);
            const float *cell = &sums->cells[SUMS * (y * sums->columns + x)];
            float weight = (i ? 1.f : 2.f) * (j ? 1.f : 2.f);
            for (int k = 0; k < SUMS; k++) {
                m.sum[k] += weight * cell[k];
                m.x[k] += (float)i * weight * cell[k];
                m.y[k] += (float)j * weight * cell[k];
            }
            m.xx += (float)(i * i) * weight * cell[WEIGHT];
            m.yy += (float)(j * j) * weight * cell[WEIGHT];
        }
    return m;
}

/* Returns the fraction of the colours' variance in the wide window that a linear regression on the position explains.
 * Returns 1 if there is no visible variance. mean: mean colour of the window. */
static float compute_variance_fraction_explained_by_position(const window_moments *m, const float mean[3]) {
    float w = m->sum[WEIGHT], x = m->x[WEIGHT] / w, y = m->y[WEIGHT] / w;
    float variance = m->sum[SQUARE] / w, by_x = 0, by_y = 0;
    for (int c = 0; c < 3; c++) {
        float with_x = m->x[RED + c] / w - x * mean[c], with_y = m->y[RED + c] / w - y * mean[c];
        variance -= mean[c] * mean[c];
        by_x += with_x * with_x;
        by_y += with_y * with_y;
    }
    if (variance < visible) return 1;
    return (by_x / fmaxf(m->xx / w - x * x, 0.02f) + by_y / fmaxf(m->yy / w - y * y, 0.02f)) / variance;
}

static void compute_mixture_of_cells(const pd_particle_grid *sums, pd_particle_grid *mixtures) {
    for (unsigned row = 0; row < sums->rows; row++)
        for (unsigned column = 0; column < sums->columns; column++) {
            unsigned cell = row * sums->columns + column;
            if (!(sums->cells[SUMS * cell + WEIGHT] > 0)) continue;
            float *mixture = &mixtures->cells[MIXTURE_VALUES * cell];
            window_moments moments = compute_wide_window_moments(sums, column, row);
            for (int c = 0; c < 3; c++) mixture[c] = moments.sum[RED + c] / moments.sum[WEIGHT];
            mixture[BLENDING] = 1 - smooth_step(mixed_fraction, edge_fraction,
                                                compute_variance_fraction_explained_by_position(&moments, mixture));
        }
}

/* Computes the mean colour of a particle's neighbours in the narrow window. Without neighbours it is the particle's own
 * colour. */
static void compute_neighbour_mean(const pd_particle_grid *sums, const bilinear_cells *nearest, const float own[3],
                                   float mean[3]) {
    float weight = 1e-4f;
    for (int c = 0; c < 3; c++) mean[c] = weight * own[c];
    for (int i = 0; i < 4; i++) {
        const float *cell = &sums->cells[SUMS * nearest->cell[i]];
        weight += nearest->weight[i] * (cell[WEIGHT] - nearest->weight[i]);
        for (int c = 0; c < 3; c++) mean[c] += nearest->weight[i] * (cell[RED + c] - nearest->weight[i] * own[c]);
    }
    for (int c = 0; c < 3; c++) mean[c] /= weight;
}

static uint32_t compute_blended_colour(const pd_particle_grid *sums, const pd_particle_grid *mixtures,
                                       const pd_instance *item) {
    float own[3], neighbours[3], mixture[MIXTURE_VALUES] = {0};
    bilinear_cells nearest = find_bilinear_cells(sums, item);
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < MIXTURE_VALUES; k++)
            mixture[k] += nearest.weight[i] * mixtures->cells[MIXTURE_VALUES * nearest.cell[i] + (unsigned)k];
    if (mixture[BLENDING] < 0.01f) return item->colour;
    convert_to_linear_light(item->colour, own);
    float distance = compute_squared_colour_distance(own, mixture);
    if (!(distance > visible)) return item->colour;
    compute_neighbour_mean(sums, &nearest, own, neighbours);
    float part = mixture[BLENDING] *
                 smooth_step(streak_ratio, mixed_ratio, compute_squared_colour_distance(own, neighbours) / distance);
    for (int c = 0; c < 3; c++) own[c] = sqrtf(own[c] + part * (mixture[c] - own[c]));
    return pd_pack_colour(own);
}

void pd_mixture_blend_colours(pd_instances *instances, float spacing) {
    pd_particle_grid *sums = &instances->colour_sums, *mixtures = &instances->mixtures;
    float side = cell_per_spacing * spacing;
    if (!(side > 0) || have_all_instances_one_colour(instances) ||
        !resize_and_clear_grid(sums, instances, side, SUMS) ||
        !resize_and_clear_grid(mixtures, instances, side, MIXTURE_VALUES))
        return;
    for (int i = 0; i < instances->count; i++) add_instance_to_sums(sums, &instances->items[i]);
    compute_mixture_of_cells(sums, mixtures);
    for (int i = 0; i < instances->count; i++)
        instances->items[i].colour = compute_blended_colour(sums, mixtures, &instances->items[i]);
}

/* ---- Discs ---- */

pd_result pd_sprites_create(pd_sprites *sprites, pd_error *error) {
    pd_result result = pd_shader_load(&sprites->program, "sprite.vert", "sprite.frag", error);
    if (result) return result;
    sprites->to_pixels = glGetUniformLocation(sprites->program, "to_pixels");
    sprites->radius = glGetUniformLocation(sprites->program, "radius");
    sprites->gloss = glGetUniformLocation(sprites->program, "gloss");
    return PD_OK;
}

void pd_sprites_free(pd_sprites *sprites) {
    if (sprites->program) glDeleteProgram(sprites->program);
    sprites->program = 0;
}

void pd_sprites_draw(const pd_sprites *sprites, const pd_instances *instances, const pd_picture *picture,
                     const pd_camera *camera) {
    float scale = camera->pixels_per_metre;
    pd_legend legend;
    bool shows_field = pd_picture_find_legend(picture->view, picture->mode, &legend);
    /* With a radius of 0.52 rest spacings the discs of neighbours touch at rest. A radius of at least 1.1 interface units
     * makes single particles visible. */
    float radius = fmaxf(0.52f * picture->view->spacing * scale, 1.1f * picture->scale);
    pd_shader_set_area(sprites->program, &picture->area);
    glUniform3f(sprites->to_pixels, scale, 0.5f * (float)camera->width - camera->center.x * scale,
                0.5f * (float)camera->height - camera->center.y * scale);
    glUniform1f(sprites->radius, radius);
    glUniform1f(sprites->gloss, shows_field ? 0 : 1); /* a gloss would change the legend's colours */
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    pd_instances_draw(instances);
    glDisable(GL_BLEND);
}
