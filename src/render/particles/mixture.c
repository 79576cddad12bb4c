/* Distinguishes mixtures of particles with different colours from edges, streaks and drops of one colour. For each
 * particle two windows around it are compared:
 * - wide window (about 40 particles): linear regression of the colours on the position. At an edge between two colours the
 *   position explains much of the colours' variance, in a mixture nearly nothing.
 * - narrow window (about 16 particles): in a streak or a drop its mean colour is near the particle's own colour. */
#include "render/particles/mixture.h"

#include "render/palette.h"
#include <math.h>

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
    float x = pd_particle_grid_convert_to_cells(grid, item->x), y = pd_particle_grid_convert_to_cells(grid, item->y);
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
        !pd_particle_grid_resize_and_clear(sums, instances, side, SUMS) ||
        !pd_particle_grid_resize_and_clear(mixtures, instances, side, MIXTURE_VALUES))
        return;
    for (int i = 0; i < instances->count; i++) add_instance_to_sums(sums, &instances->items[i]);
    compute_mixture_of_cells(sums, mixtures);
    for (int i = 0; i < instances->count; i++)
        instances->items[i].colour = compute_blended_colour(sums, mixtures, &instances->items[i]);
}
