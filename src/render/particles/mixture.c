/* Tells mixtures from edges and shapes by two windows around a particle.
 * At an edge between two colours, the position in the wide window explains much of the colours' variance. In a mixture
 * the position explains nearly nothing. In a streak or a drop, the narrow window has the particle's own colour. */
#include "render/particles/mixture.h"

#include "render/palette.h"
#include <math.h>

/* Side of a cell / rest spacing. Particles are added to four cells and read from four cells, which makes the narrow
 * window: about 16 particles. The sums of 3 x 3 cells make the wide window: about 40 particles, enough for a mean
 * without speckle. */
static const float cell_per_spacing = 1.95f;
/* Explained part of the variance up to which colours are blended, and from which they are retained. At a straight edge
 * the part is 0.47. */
static const float mixed_part = 0.12f, edge_part = 0.32f;
/* Squared distance of a colour from the narrow mean / from the wide mean, up to which the colour is retained, and from
 * which it is blended. The ratio is about 1 in a mixture, and 0.2 in the middle of a streak of three particles. */
static const float streak_ratio = 0.12f, mixed_ratio = 0.4f;
static const float visible = 1e-5f; /* squared distance of two colours that is hardly visible */

/* sums over the particles: 1, colour, square of the colour */
enum { WEIGHT, RED, SQUARE = RED + 3, SUMS };
/* values of a mixture: mean colour of the wide window, part of the blending that the variance allows */
enum { PART = 3, MIXTURE_VALUES };

/* The four cells around a particle, and the particle's weight in each. */
typedef struct bilinear_cells {
    unsigned cell[4];
    float weight[4];
} bilinear_cells;

static bilinear_cells find_cells(const pd_particle_grid *grid, const pd_instance *item) {
    float x = pd_particle_grid_place(grid, item->x), y = pd_particle_grid_place(grid, item->y);
    float left = floorf(x), low = floorf(y), right_weight = x - left, high_weight = y - low;
    unsigned column = (unsigned)(int)left, row = (unsigned)(int)low;
    unsigned right = (column + 1) & (grid->columns - 1), high = ((row + 1) & (grid->rows - 1)) * grid->columns;
    column &= grid->columns - 1;
    row = (row & (grid->rows - 1)) * grid->columns;
    return (bilinear_cells){{row + column, row + right, high + column, high + right},
                            {(1 - right_weight) * (1 - high_weight), right_weight * (1 - high_weight),
                             (1 - right_weight) * high_weight, right_weight * high_weight}};
}

/* Unpacks a colour to components that are about linear in light, as in splat.vert. */
static void to_linear(uint32_t colour, float linear[3]) {
    for (int c = 0; c < 3; c++) {
        float value = (float)(colour >> (8 * c) & 255) * (1.f / 255);
        linear[c] = value * value;
    }
}

static float square_distance(const float a[3], const float b[3]) {
    float sum = 0;
    for (int c = 0; c < 3; c++) sum += (a[c] - b[c]) * (a[c] - b[c]);
    return sum;
}

static float smooth_step(float low, float high, float value) {
    float t = fminf(fmaxf((value - low) / (high - low), 0), 1);
    return t * t * (3 - 2 * t);
}

static bool have_one_colour(const pd_instances *instances) {
    for (int i = 1; i < instances->count; i++)
        if (instances->items[i].colour != instances->items[0].colour) return false;
    return true;
}

static void add_to_sums(pd_particle_grid *sums, const pd_instance *item) {
    float linear[3], none[3] = {0};
    to_linear(item->colour, linear);
    float added[SUMS] = {1, linear[0], linear[1], linear[2], square_distance(linear, none)};
    bilinear_cells at = find_cells(sums, item);
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < SUMS; k++) sums->cells[SUMS * at.cell[i] + (unsigned)k] += at.weight[i] * added[k];
}

/* Moments of the wide window around a cell. x, y: distance from the cell, cells. */
typedef struct window_moments {
    float sum[SUMS], x[SUMS], y[SUMS];
    float xx, yy; /* of the weight */
} window_moments;

static window_moments sum_window(const pd_particle_grid *sums, unsigned column, unsigned row) {
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

/* Returns the part of the variance of colours that their linear regression on x and y explains. 1: no variance. */
static float explained_part(const window_moments *m, const float mean[3]) {
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

static void compute_mixtures(const pd_particle_grid *sums, pd_particle_grid *mixtures) {
    for (unsigned row = 0; row < sums->rows; row++)
        for (unsigned column = 0; column < sums->columns; column++) {
            unsigned cell = row * sums->columns + column;
            if (!(sums->cells[SUMS * cell + WEIGHT] > 0)) continue;
            float *mixture = &mixtures->cells[MIXTURE_VALUES * cell];
            window_moments moments = sum_window(sums, column, row);
            for (int c = 0; c < 3; c++) mixture[c] = moments.sum[RED + c] / moments.sum[WEIGHT];
            mixture[PART] = 1 - smooth_step(mixed_part, edge_part, explained_part(&moments, mixture));
        }
}

/* Computes the mean colour of the other particles in the narrow window. Without others it is the particle's own
 * colour. */
static void compute_neighbour_mean(const pd_particle_grid *sums, const bilinear_cells *at, const float own[3],
                                   float mean[3]) {
    float weight = 1e-4f;
    for (int c = 0; c < 3; c++) mean[c] = weight * own[c];
    for (int i = 0; i < 4; i++) {
        const float *cell = &sums->cells[SUMS * at->cell[i]];
        weight += at->weight[i] * (cell[WEIGHT] - at->weight[i]);
        for (int c = 0; c < 3; c++) mean[c] += at->weight[i] * (cell[RED + c] - at->weight[i] * own[c]);
    }
    for (int c = 0; c < 3; c++) mean[c] /= weight;
}

static uint32_t blend(const pd_particle_grid *sums, const pd_particle_grid *mixtures, const pd_instance *item) {
    float own[3], neighbours[3], mixture[MIXTURE_VALUES] = {0};
    bilinear_cells at = find_cells(sums, item);
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < MIXTURE_VALUES; k++)
            mixture[k] += at.weight[i] * mixtures->cells[MIXTURE_VALUES * at.cell[i] + (unsigned)k];
    if (mixture[PART] < 0.01f) return item->colour;
    to_linear(item->colour, own);
    float distance = square_distance(own, mixture);
    if (!(distance > visible)) return item->colour;
    compute_neighbour_mean(sums, &at, own, neighbours);
    float part = mixture[PART] * smooth_step(streak_ratio, mixed_ratio, square_distance(own, neighbours) / distance);
    for (int c = 0; c < 3; c++) own[c] = sqrtf(own[c] + part * (mixture[c] - own[c]));
    return pd_pack_colour(own);
}

void pd_mixture_blend_colours(pd_instances *instances, float spacing) {
    pd_particle_grid *sums = &instances->colour_sums, *mixtures = &instances->mixtures;
    float side = cell_per_spacing * spacing;
    if (!(side > 0) || have_one_colour(instances) || !pd_particle_grid_clear(sums, instances, side, SUMS) ||
        !pd_particle_grid_clear(mixtures, instances, side, MIXTURE_VALUES))
        return;
    for (int i = 0; i < instances->count; i++) add_to_sums(sums, &instances->items[i]);
    compute_mixtures(sums, mixtures);
    for (int i = 0; i < instances->count; i++) instances->items[i].colour = blend(sums, mixtures, &instances->items[i]);
}
