/* Computes a field grid for the shader: extrapolates values beyond the fluid, and computes their slopes and the fractions
 * of fluid. */
#include "render/fields/field_grid.h"

#include "core/array.h"
#include "render/solid.h"
#include <math.h>
#include <string.h>

enum {
    MAX_BORDER = 32,      /* greatest width of the border around the field, texels */
    MAX_SLOPED_RINGS = 3, /* number of rings with linear extrapolation; farther rings are extrapolated as constants */
};

/* Scaled values are clamped to [-8, 9] (the legend is [0, 1]): infinite values become finite, without a visible effect. */
static const float beyond_range = 8;
/* A cell without a value is solid if its centre is nearer than this to a wall or an obstacle, in units of the cell's side.
 * Above 0, since some methods decide by the cell's open fraction, not by its centre. */
static const float solid_margin = 0.25f;
/* Offsets from a texel to its neighbours: first the four that share a side, then the four that share a corner. */
static const struct {
    int x, y;
} neighbour_offsets[8] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {-1, 1}, {1, -1}, {-1, -1}};

/* The arrays of a pd_field_grid, with `count` texels each, for pd_arrays_resize. */
#define TEXEL_ARRAYS(grid, count)                                                                                      \
    PD_ARRAYS(PD_ARRAY((grid)->values, 0, count), PD_ARRAY((grid)->fraction_splines, 0, count),                        \
              PD_ARRAY((grid)->fluid_fraction, 0, count), PD_ARRAY((grid)->rings, 0, count),                           \
              PD_ARRAY((grid)->open, 0, count))

void pd_field_grid_free(pd_field_grid *grid) {
    pd_arrays_free(TEXEL_ARRAYS(grid, 0));
    memset(grid, 0, sizeof *grid);
}

static bool reserve_texels(pd_field_grid *grid, int count) {
    if (count <= grid->capacity) return true;
    if (!pd_arrays_resize(TEXEL_ARRAYS(grid, count))) return false;
    grid->capacity = count;
    return true;
}

/* Returns the mean of the values in a block of block_side x block_side cells, or NAN if fewer than half of the cells
 * have a value. */
static float compute_block_mean(const pd_field *field, int column, int row, int block_side) {
    int right = column + block_side < field->nx ? column + block_side : field->nx;
    int top = row + block_side < field->ny ? row + block_side : field->ny, found = 0;
    float sum = 0;
    for (int y = row; y < top; y++)
        for (int x = column; x < right; x++) {
            float value = field->values[(size_t)y * (size_t)field->nx + (size_t)x];
            if (isnan(value)) continue;
            sum += fminf(fmaxf(value, -1e30f), 1e30f); /* infinite values become finite, since inf - inf would be NAN */
            found++;
        }
    return 2 * found >= (right - column) * (top - row) ? sum / (float)found : NAN;
}

/* Copies the field's values into the grid, scaled so that the legend's range becomes 0 to 1. Returns false if no cell has a
 * value. */
static bool read_scaled_values(pd_field_grid *grid, const pd_field *field, int border, int block_side) {
    float range = field->high - field->low, scale = range > 0 && isfinite(range) ? 1 / range : 0;
    bool any = false;
    for (int row = 0; row < grid->height - 2 * border; row++)
        for (int column = 0; column < grid->width - 2 * border; column++) {
            float value = block_side == 1
                              ? field->values[(size_t)row * (size_t)field->nx + (size_t)column]
                              : compute_block_mean(field, column * block_side, row * block_side, block_side);
            if (isnan(value)) continue;
            int i = (row + border) * grid->width + column + border;
            /* An infinite value times scale = 0 (an empty range) is NAN. The next line changes NAN to -beyond_range. */
            value = (value - field->low) * scale;
            value = value > -beyond_range ? value : -beyond_range;
            grid->values[i].value = value < 1 + beyond_range ? value : 1 + beyond_range;
            grid->rings[i] = 1;
            grid->fluid_fraction[i] = 1;
            any = true;
        }
    return any;
}

static bool is_in_grid(const pd_field_grid *grid, int x, int y) {
    return x >= 0 && y >= 0 && x < grid->width && y < grid->height;
}

/* Returns whether texel (x, y) is in the grid and in one of the rings 1 to `ring` (pd_field_grid.rings), which have
 * values. */
static bool has_value_within_ring(const pd_field_grid *grid, int x, int y, int ring) {
    if (!is_in_grid(grid, x, y)) return false;
    int of = grid->rings[y * grid->width + x];
    return of && of <= ring;
}

/* Returns the value for the texel before (x, y) in a row of texels (x, y), (x + step_x, y + step_y), ... The difference to
 * (x, y) is the first difference in the row, times its ratio to the second one, at most 1. It is 0 if the two differences
 * have unlike signs. */
static float extrapolate_from_row(const pd_field_grid *grid, int x, int y, int step_x, int step_y, int ring) {
    float value[3];
    for (int k = 0; k < 3; k++) {
        int column = x + k * step_x, row = y + k * step_y;
        if (!has_value_within_ring(grid, column, row, ring) || ring > MAX_SLOPED_RINGS)
            return grid->values[y * grid->width + x].value;
        value[k] = grid->values[row * grid->width + column].value;
    }
    float last = value[0] - value[1], before = value[1] - value[2];
    return value[0] + (last * before > 0 ? last * fminf(last / before, 1) : 0);
}

/* Sets a texel without a value to the mean of the extrapolations from its neighbours with a value: from those that share a
 * side, otherwise from those that share a corner. Returns false if no neighbour has a value. */
static bool extrapolate_value(pd_field_grid *grid, int x, int y, int ring) {
    float sum = 0;
    int found = 0;
    for (int k = 0; k < 8; k++) {
        int column = x + neighbour_offsets[k].x, row = y + neighbour_offsets[k].y;
        if (k == 4 && found) break;
        if (!has_value_within_ring(grid, column, row, ring)) continue;
        sum += extrapolate_from_row(grid, column, row, neighbour_offsets[k].x, neighbour_offsets[k].y, ring);
        found++;
    }
    if (!found) return false;
    int i = y * grid->width + x;
    grid->values[i].value = fminf(fmaxf(sum / (float)found, -beyond_range), 1 + beyond_range);
    grid->rings[i] = (uint8_t)(ring + 1);
    return true;
}

/* Returns the fraction of fluid that is extrapolated into a solid texel: the mean of its neighbours that are air or in the
 * rings 1 to `ring`. */
static float extrapolate_fluid_fraction(const pd_field_grid *grid, int x, int y, int ring) {
    float sum = 0, weight = 0;
    for (int k = 0; k < 8; k++) {
        int column = x + neighbour_offsets[k].x, row = y + neighbour_offsets[k].y, i = row * grid->width + column;
        if (!is_in_grid(grid, column, row) || !(grid->open[i] || has_value_within_ring(grid, column, row, ring)))
            continue;
        sum += grid->fluid_fraction[i];
        weight += 1;
    }
    return sum / weight;
}

/* Returns whether a texel is in a wall or an obstacle, not in air. */
static bool is_texel_in_solid(const pd_field_grid *grid, const pd_view *view, int x, int y) {
    pd_vec2 centre = {(float)(grid->x + (x + 0.5) * grid->side), (float)(grid->y + (y + 0.5) * grid->side)};
    float reach = solid_margin * (float)grid->side;
    /* + half a rest spacing, by which renderer.c draws walls farther outwards */
    return pd_is_point_near_solid(view, centre, reach + 0.5f * view->spacing, reach);
}

/* Extrapolates values into `rings` rings of texels around the fluid, one ring after the other. Extrapolates the fraction
 * of fluid into solids too. */
static void extrapolate_values(pd_field_grid *grid, const pd_view *view, int rings) {
    grid->has_open_texels = false;
    for (int y = 0; y < grid->height; y++)
        for (int x = 0; x < grid->width; x++) {
            int i = y * grid->width + x;
            grid->open[i] = !grid->rings[i] && !is_texel_in_solid(grid, view, x, y);
            grid->has_open_texels = grid->has_open_texels || grid->open[i];
        }
    for (int ring = 1; ring <= rings; ring++)
        for (int y = 0; y < grid->height; y++)
            for (int x = 0; x < grid->width; x++) {
                int i = y * grid->width + x;
                if (!grid->rings[i] && extrapolate_value(grid, x, y, ring) && !grid->open[i])
                    grid->fluid_fraction[i] = extrapolate_fluid_fraction(grid, x, y, ring);
            }
}

/* The lesser and the greater of two numbers that are not NAN. Faster than fminf and fmaxf, which are function calls. */
static float get_lesser(float a, float b) { return a < b ? a : b; }
static float get_greater(float a, float b) { return a > b ? a : b; }

/* Returns the least of the magnitudes of three curvatures, or 0 if their signs differ. */
static float choose_least_curvature(float a, float b, float c) {
    return a * b > 0 && b * c > 0 ? get_lesser(fabsf(a), get_lesser(fabsf(b), fabsf(c))) : 0;
}

/* Returns the slope at the middle one of five values: the central difference, limited so that a step causes no
 * overshoot (F. N. Fritsch and R. E. Carlson, Monotone Piecewise Cubic Interpolation, 1980). Smooth extrema, where the
 * curvature varies little, are not flattened (P. Colella and M. D. Sekora, A limiter for PPM that preserves accuracy at
 * smooth extrema, 2008). */
static float compute_limited_slope(const float v[5]) {
    float before = v[2] - v[1], after = v[3] - v[2], least = get_lesser(fabsf(before), fabsf(after));
    float bound = before * after > 0 ? 3 * least : least;
    bound = get_greater(bound, choose_least_curvature(v[2] - 2 * v[1] + v[0], after - before, v[4] - 2 * v[3] + v[2]));
    return get_lesser(get_greater(0.5f * (before + after), -bound), bound);
}

/* Returns the limited slope at texel i along a row or column of `count` texels. step: difference of the indices of two
 * neighbours. position: position of texel i in the row or column. If one neighbour has no value, returns the slope to the
 * other one. */
static float compute_limited_slope_at(const pd_field_grid *grid, int i, int step, int position, int count) {
    float v[5];
    bool has[5];
    const uint8_t *ring = &grid->rings[i];
    const pd_field_texel *texel = &grid->values[i];
    if (position >= 2 && position < count - 2 && ring[-2 * step] && ring[-step] && ring[step] && ring[2 * step]) {
        const float all[5] = {texel[-2 * step].value, texel[-step].value, texel[0].value, texel[step].value,
                              texel[2 * step].value};
        return compute_limited_slope(all);
    }
    for (int k = 0; k < 5; k++) {
        int at = position + k - 2, from = i + (k - 2) * step;
        has[k] = at >= 0 && at < count && grid->rings[from];
        v[k] = has[k] ? grid->values[from].value : 0;
    }
    if (!has[1] && !has[3]) return 0;
    if (!has[1]) return v[3] - v[2];
    if (!has[3]) return v[2] - v[1];
    if (!has[0]) v[0] = 2 * v[1] - v[2];
    if (!has[4]) v[4] = 2 * v[3] - v[2];
    return compute_limited_slope(v);
}

static void compute_texel_slopes(pd_field_grid *grid) {
    int width = grid->width, height = grid->height;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            int i = y * width + x;
            if (!grid->rings[i]) continue;
            pd_field_texel *texel = &grid->values[i];
            texel->along_x = compute_limited_slope_at(grid, i, 1, x, width);
            texel->along_y = compute_limited_slope_at(grid, i, width, y, height);
            if (x == 0 || y == 0 || x == width - 1 || y == height - 1) continue;
            if (grid->rings[i - width - 1] && grid->rings[i - width + 1] && grid->rings[i + width - 1] &&
                grid->rings[i + width + 1])
                texel->twist = 0.25f * (texel[width + 1].value - texel[width - 1].value - texel[1 - width].value +
                                        texel[-1 - width].value);
        }
}

/* Copies the fractions of fluid of the 3 x 3 texels around (x, y). Beyond the grid's edge the edge texels are repeated. */
static void read_neighbour_fractions(const pd_field_grid *grid, int x, int y, float fractions[3][3]) {
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++) {
            int column = x + i - 1, row = y + j - 1;
            column = column < 0 ? 0 : column >= grid->width ? grid->width - 1 : column;
            row = row < 0 ? 0 : row >= grid->height ? grid->height - 1 : row;
            fractions[j][i] = grid->fluid_fraction[row * grid->width + column];
        }
}

/* Returns value and derivatives of a bicubic B-spline at the middle one of its 3 x 3 coefficients. */
static pd_field_texel evaluate_b_spline_at_middle(float coefficients[3][3]) {
    float row[3], rise[3];
    for (int j = 0; j < 3; j++) {
        row[j] = (coefficients[j][0] + 4 * coefficients[j][1] + coefficients[j][2]) / 6;
        rise[j] = 0.5f * (coefficients[j][2] - coefficients[j][0]);
    }
    return (pd_field_texel){(row[0] + 4 * row[1] + row[2]) / 6, (rise[0] + 4 * rise[1] + rise[2]) / 6,
                            0.5f * (row[2] - row[0]), 0.5f * (rise[2] - rise[0])};
}

/* Smooths the fractions of fluid, so that the edge of the fluid shows no staircase of cells. A single cell and a single
 * hole would vanish: their fraction is corrected so that the spline is above 0.6 or below 0.4. 9/4 = 1 / (value of the
 * spline at a single cell). */
static void smooth_fractions(pd_field_grid *grid) {
    const float least = 0.6f; /* least value of the spline at a single cell */
    int count = grid->width * grid->height;
    float c[3][3];
    /* Stores the unsmoothed fractions in along_x, which is not used before compute_fraction_splines. */
    for (int i = 0; i < count; i++) grid->fraction_splines[i].along_x = grid->fluid_fraction[i];
    for (int y = 0; y < grid->height; y++)
        for (int x = 0; x < grid->width; x++) {
            read_neighbour_fractions(grid, x, y, c);
            grid->fraction_splines[y * grid->width + x].value =
                (c[0][0] + c[0][2] + c[2][0] + c[2][2] + 2 * (c[0][1] + c[1][0] + c[1][2] + c[2][1]) + 4 * c[1][1]) /
                16;
        }
    for (int i = 0; i < count; i++) grid->fluid_fraction[i] = grid->fraction_splines[i].value;
    for (int y = 0; y < grid->height; y++)
        for (int x = 0; x < grid->width; x++) {
            pd_field_texel *texel = &grid->fraction_splines[y * grid->width + x];
            read_neighbour_fractions(grid, x, y, c);
            float now = evaluate_b_spline_at_middle(c).value;
            float change = texel->along_x > 0.5f ? fmaxf(least - now, 0) : fminf(1 - least - now, 0);
            texel->value += change * 9 / 4;
        }
    for (int i = 0; i < count; i++) grid->fluid_fraction[i] = grid->fraction_splines[i].value;
}

/* Computes B-splines of the fraction of fluid. The edge of the fluid is where the spline is 0.5: a straight edge lies exactly
 * between two cells, a corner is rounded. */
static void compute_fraction_splines(pd_field_grid *grid) {
    float c[3][3];
    smooth_fractions(grid);
    for (int y = 0; y < grid->height; y++)
        for (int x = 0; x < grid->width; x++) {
            read_neighbour_fractions(grid, x, y, c);
            grid->fraction_splines[y * grid->width + x] = evaluate_b_spline_at_middle(c);
        }
}

/* Chooses size and position of the grid, *border (width of the border, texels) and *block_side (a texel is the mean of
 * block_side x block_side cells). particle_spacing: rest spacing of particles, m. pixel_size: side of a pixel, m. Returns
 * false if a side of the grid would exceed max_side texels. */
static bool choose_grid_size(pd_field_grid *grid, const pd_field *field, float particle_spacing, float pixel_size,
                             int max_side, int *border, int *block_side) {
    int most = field->nx > field->ny ? field->nx : field->ny;
    float per_pixel = pixel_size / field->cell;
    for (*block_side = per_pixel > 2 ? (int)fminf(per_pixel, (float)most) : 1; *block_side <= most; ++*block_side) {
        grid->side = (double)field->cell * *block_side;
        /* border: 2 texels for the spline, and half a rest spacing, by which walls are drawn farther outwards */
        float beyond = ceilf(0.5f * particle_spacing / (float)grid->side);
        *border = 2 + (beyond > 0 ? (int)fminf(beyond, MAX_BORDER) : 0);
        grid->width = (field->nx - 1) / *block_side + 1 + 2 * *border;
        grid->height = (field->ny - 1) / *block_side + 1 + 2 * *border;
        if (grid->width <= max_side && grid->height <= max_side) return true;
    }
    return false;
}

bool pd_field_grid_compute(pd_field_grid *grid, const pd_field *field, const pd_view *view, float pixel_size,
                           int max_side) {
    int border, block_side;
    if (!field->values || field->nx <= 0 || field->ny <= 0 || !(field->cell > 0) || !isfinite(field->cell) ||
        !isfinite(field->origin.x) || !isfinite(field->origin.y) ||
        !choose_grid_size(grid, field, view->spacing, pixel_size, max_side, &border, &block_side))
        return false;
    int count = grid->width * grid->height;
    if (!reserve_texels(grid, count)) return false;
    memset(grid->values, 0, (size_t)count * sizeof *grid->values);
    memset(grid->fluid_fraction, 0, (size_t)count * sizeof *grid->fluid_fraction);
    memset(grid->rings, 0, (size_t)count);
    grid->border = border;
    grid->x = field->origin.x - border * grid->side;
    grid->y = field->origin.y - border * grid->side;
    if (!read_scaled_values(grid, field, border, block_side)) return false;
    extrapolate_values(grid, view, border);
    compute_texel_slopes(grid);
    if (grid->has_open_texels) compute_fraction_splines(grid);
    return true;
}
