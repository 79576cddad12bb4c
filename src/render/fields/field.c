#include "render/fields/field.h"

#include "core/array.h"
#include "render/canvas.h"
#include "render/palette.h"
#include "render/shader.h"
#include "render/solid.h"
#include <epoxy/gl.h>
#include <math.h>
#include <string.h>

/* ---- The grid for the shader: values beyond the fluid, their slopes, and the fractions of fluid ---- */

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

/* Computes the grid from the values of a field. Averages cells smaller than half a pixel. Extrapolates values into walls
 * and obstacles, so that no staircase of cells is visible beside them. pixel_size: side of a pixel, m. max_side: greatest
 * side of the grid, texels. Returns false if there is nothing to draw: no cells, no values, or out of memory. */
static bool compute_grid(pd_field_grid *grid, const pd_field *field, const pd_view *view, float pixel_size,
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

/* ---- Drawing ---- */

enum { LEGEND_COLOURS = 256 }; /* number of colours into which a legend is divided */

static unsigned create_texture(void) {
    GLuint texture;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    pd_texture_set_filter(GL_NEAREST);
    return texture;
}

pd_result pd_field_image_create(pd_field_image *image, pd_error *error) {
    static const char *const definitions[PD_FIELD_PROGRAMS] = {"#define NO_HOLES\n#define NO_LINES\n",
                                                               "#define NO_LINES\n", "#define NO_HOLES\n", ""};
    for (int i = 0; i < PD_FIELD_PROGRAMS; i++) {
        pd_result result =
            pd_shader_load_variant(&image->programs[i], "screen.vert", "field.frag", definitions[i], error);
        if (result) return result;
        pd_shader_set_sampler(image->programs[i], "values", 0);
        pd_shader_set_sampler(image->programs[i], "covers", 1);
        pd_shader_set_sampler(image->programs[i], "colours", 2);
    }
    glGenVertexArrays(1, &image->empty_array);
    image->values.texture = create_texture();
    image->fluid_fractions.texture = create_texture();
    image->colour_texture = create_texture();
    image->colour_source.palette = -1;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &image->texture_limit);
    return PD_OK;
}

void pd_field_image_free(pd_field_image *image) {
    unsigned textures[] = {image->values.texture, image->fluid_fractions.texture, image->colour_texture};
    glDeleteTextures(3, textures); /* textures that were not created have the name 0, which OpenGL ignores */
    if (image->empty_array) glDeleteVertexArrays(1, &image->empty_array);
    for (int i = 0; i < PD_FIELD_PROGRAMS; i++)
        if (image->programs[i]) glDeleteProgram(image->programs[i]);
    pd_arrays_free(TEXEL_ARRAYS(&image->grid, 0));
    memset(&image->grid, 0, sizeof image->grid);
    memset(image, 0, sizeof *image);
}

/* Uploads the texels. If the size is unchanged, the texture's storage is used again. */
static void upload_texels(pd_field_texture *texture, int unit, const pd_field_grid *grid,
                          const pd_field_texel *texels) {
    glActiveTexture(GL_TEXTURE0 + (GLenum)unit);
    glBindTexture(GL_TEXTURE_2D, texture->texture);
    if (texture->width == grid->width && texture->height == grid->height) {
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, grid->width, grid->height, GL_RGBA, GL_FLOAT, texels);
        return;
    }
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32F, grid->width, grid->height, 0, GL_RGBA, GL_FLOAT, texels);
    texture->width = grid->width;
    texture->height = grid->height;
}

/* Returns whether an sRGB colour is brighter than middle grey. The square of a component approximates its linear light. */
static bool is_bright_colour(const float rgb[3]) {
    return 0.2126f * rgb[0] * rgb[0] + 0.7152f * rgb[1] * rgb[1] + 0.0722f * rgb[2] * rgb[2] > 0.18f;
}

static void bind_colour_texture(pd_field_image *image, const pd_field *field, int palette) {
    pd_field_colours wanted = {palette, field->low, field->high};
    glActiveTexture(GL_TEXTURE2);
    glBindTexture(GL_TEXTURE_2D, image->colour_texture);
    if (!memcmp(&wanted, &image->colour_source, sizeof wanted)) return;
    float map[LEGEND_COLOURS][4] = {0};
    for (int i = 0; i < LEGEND_COLOURS; i++)
        pd_palette_get_legend_colour(palette, field->low, field->high, (float)i / (LEGEND_COLOURS - 1), map[i]);
    int dark = 0, end = LEGEND_COLOURS;
    while (dark < LEGEND_COLOURS && is_bright_colour(map[dark])) dark++;
    while (end > dark && is_bright_colour(map[end - 1])) end--;
    image->bright_range[0] = (float)(dark - 1) / (LEGEND_COLOURS - 1);
    image->bright_range[1] = (float)end / (LEGEND_COLOURS - 1);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32F, LEGEND_COLOURS, 1, 0, GL_RGBA, GL_FLOAT, map);
    image->colour_source = wanted;
}

double pd_compute_contour_interval(float low, float high) {
    const double lines = 10.5; /* mean number of contours */
    double wanted = ((double)high - (double)low) / lines;
    if (!(wanted > 0) || !isfinite(wanted)) return 0;
    double power = pow(10, floor(log10(wanted))), nearest = power;
    const double factors[] = {2, 5, 10};
    for (int i = 0; i < 3; i++)
        if (fabs(log(factors[i] * power / wanted)) < fabs(log(nearest / wanted))) nearest = factors[i] * power;
    return nearest;
}

/* Sets the shader's uniforms that fade contours out near sides with outflow, where the pressure is nearly constant and
 * contours would be noise. texel_side: side of a texel, m. */
static void set_outflow_fade_uniforms(unsigned program, const pd_view *view, const pd_rounded_box *wall,
                                      float texel_side) {
    const pd_wall *walls = view->container.walls;
    bool box = view->container.shape == PD_CONTAINER_BOX;
    float place[PD_WALLS] = {-wall->half_width, wall->half_width, -wall->half_height, wall->half_height};
    for (int k = 0; k < PD_WALLS; k++)
        if (!box || !walls[k].outflow) place[k] = k == PD_WALL_LEFT || k == PD_WALL_BOTTOM ? -1e30f : 1e30f;
    glUniform4fv(glGetUniformLocation(program, "outflow"), 1, place);
    glUniform2f(glGetUniformLocation(program, "outflow_fade"), 0.5f * view->spacing + 2 * texel_side, 1 / texel_side);
}

void pd_field_image_draw(pd_field_image *image, const pd_picture *picture, const pd_camera *camera) {
    const pd_field *field = pd_view_field(picture->view, picture->mode->field);
    pd_field_grid *grid = &image->grid;
    float pixel = 1 / camera->pixels_per_metre, rectangle[4];
    if (!field || field->info.support != PD_FIELD_OF_CELLS ||
        !compute_grid(grid, field, picture->view, pixel, image->texture_limit) ||
        !pd_camera_clip_rectangle(camera, &picture->area, &picture->view->container, grid->x, grid->y,
                                  grid->width * grid->side, grid->height * grid->side, rectangle))
        return;
    upload_texels(&image->values, 0, grid, grid->values);
    if (grid->has_open_texels) upload_texels(&image->fluid_fractions, 1, grid, grid->fraction_splines);
    bind_colour_texture(image, field, picture->palette);

    double step = picture->lines == PD_LINES_CONTOURS ? pd_compute_contour_interval(field->low, field->high) : 0;
    unsigned program = image->programs[(grid->has_open_texels ? 1 : 0) + (step > 0 ? 2 : 0)];
    pd_rounded_box wall = pd_container_as_rounded_box(&picture->view->container);
    pd_vec2 origin = pd_camera_pixels_to_world(camera, 0, (float)picture->height);
    double half_width = 0.5 * picture->width / (double)camera->pixels_per_metre;
    double half_height = 0.5 * picture->height / (double)camera->pixels_per_metre;
    pd_shader_set_area(program, &picture->area);
    glUniform2i(glGetUniformLocation(program, "last"), grid->width - 2, grid->height - 2);
    glUniform3f(glGetUniformLocation(program, "to_texels"), (float)((double)pixel / grid->side),
                (float)(((double)camera->center.x - half_width - grid->x) / grid->side - 0.5),
                (float)(((double)camera->center.y - half_height - grid->y) / grid->side - 0.5));
    glUniform2f(glGetUniformLocation(program, "origin"), origin.x, origin.y);
    glUniform1f(glGetUniformLocation(program, "pixel"), pixel);
    glUniform3f(glGetUniformLocation(program, "container"), wall.half_width, wall.half_height, wall.radius);
    glUniform1f(glGetUniformLocation(program, "scale"), picture->scale);
    glUniform2f(glGetUniformLocation(program, "bright"), image->bright_range[0], image->bright_range[1]);
    /* Sets the shader's uniform that fades the picture out near the field's edge if the view shows tracers without a
     * container, because the fluid then continues beyond the edge. */
    const float part = 0.07f; /* width of the faded edge, as a fraction of the field's smaller side */
    bool open = picture->view->container.shape == PD_CONTAINER_NONE && picture->view->particles_are_tracers;
    float smaller = (float)(grid->width < grid->height ? grid->width : grid->height);
    glUniform2f(glGetUniformLocation(program, "fade"), (float)grid->border - 0.5f, open ? fmaxf(part * smaller, 1) : 0);
    /* Sets the shader's uniform "levels": the values at the legend's ends, in units of the contour interval. They
     * are relative to the multiple of `interval` below the low end, because floats are too coarse for a narrow range
     * far from 0. */
    if (step > 0) {
        double low = (double)field->low, range = (double)field->high - low;
        glUniform2f(glGetUniformLocation(program, "levels"), (float)(range / step),
                    (float)(low / step - floor(low / step)));
        glUniform1f(glGetUniformLocation(program, "zero"), low < 0 && low + range > 0 ? (float)(-low / range) : -1);
    }
    if (step > 0) set_outflow_fade_uniforms(program, picture->view, &wall, (float)grid->side);
    glUniform4fv(glGetUniformLocation(program, "rectangle"), 1, rectangle);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    glBindVertexArray(image->empty_array);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glDisable(GL_BLEND);
    glActiveTexture(GL_TEXTURE0);
}
