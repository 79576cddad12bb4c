#include "render/fields/dyes.h"

#include "core/array.h"
#include "core/oklab.h"
#include "render/canvas.h"
#include "render/palette.h"
#include "render/shader.h"
#include "render/solid.h"
#include <epoxy/gl.h>
#include <math.h>
#include <string.h>

/* ---- The texture: one colour for the dyes of each cell, interpolated by a cubic filter ---- */

enum {
    SOLID =
        255, /* value in pd_dye_grid.rings: the cell is in a wall or an obstacle, and has no extrapolated colour yet */
    MAX_BORDER = 32,          /* greatest width of the border around the field, cells */
    MAX_TEXELS_PER_CELL = 16, /* greatest number of texels per cell along a side */
    TABLE_SIZE = 1024,        /* number of entries of the table from linear light to sRGB */
};

/* greatest side of a texel, pixels: linear interpolation between texels of this size is not visible */
static const float max_texel_pixels = 2;
static const float absorption = 1.9f;        /* absorption coefficient of dye, per unit of its amount */
static const float saturation = 0.35f;       /* greatest relative increase of the colour's saturation, in thin dye */
static const float shading_strength = 0.30f; /* greatest relative change of brightness by shading */
/* An edge of dye where the opacity rises from 0 to 1 within this width is shaded strongly, interface units. */
static const float shading_width = 11;
/* A cell without fluid is solid if its centre is nearer than this to a wall or an obstacle, in units of the cell's side.
 * The same value as in field.c. */
static const float solid_margin = 0.25f;

#define ARRAYS(grid, cell_count, texel_count)                                                                          \
    PD_ARRAYS(PD_ARRAY((grid)->cells, 0, cell_count), PD_ARRAY((grid)->srgb_cells, 0, cell_count),                     \
              PD_ARRAY((grid)->rings, 0, cell_count), PD_ARRAY((grid)->wide_cells, 0, texel_count),                    \
              PD_ARRAY((grid)->texels, 0, 4 * (texel_count)))

static bool reserve_cells(pd_dye_grid *grid, const pd_dye_grid_sizes *sizes) {
    int cells = sizes->columns * sizes->rows, texels = sizes->width * sizes->height;
    if (cells > grid->cell_capacity || texels > grid->texel_capacity) {
        if (!pd_arrays_resize(ARRAYS(grid, cells, texels))) return false;
        grid->cell_capacity = cells;
        grid->texel_capacity = texels;
    }
    grid->sizes = *sizes;
    return true;
}

/* ---- Colours ---- */

typedef struct dye_colours {
    int count;                         /* number of dyes */
    float colour[PD_MAX_MATERIALS][3]; /* colour of each dye in linear light */
} dye_colours;

static dye_colours read_dye_colours(const pd_field *field, const pd_picture *picture) {
    dye_colours dyes = {.count = field->layers > 1 ? field->layers : 1};
    if (dyes.count > PD_MAX_MATERIALS) dyes.count = PD_MAX_MATERIALS;
    for (int m = 0; m < dyes.count; m++) {
        uint32_t packed = pd_palette_material_colour(picture->palette, picture->view, m);
        for (int c = 0; c < 3; c++) dyes.colour[m][c] = (float)pd_srgb_to_linear((packed >> (8 * c) & 255) / 255.0);
    }
    return dyes;
}

/* Returns the opacity of an amount of dye (Beer-Lambert law), scaled so that amount 1 is opaque. */
static float compute_opacity(float amount) {
    return amount < 1 ? (1 - expf(-absorption * amount)) / (1 - expf(-absorption)) : 1;
}

/* Computes the mean amount of each dye over the cells with fluid in a block of block_side x block_side cells. Returns
 * false if fewer than half of the cells have fluid. */
static bool compute_mean_amounts(const pd_field *field, int column, int row, int block_side, int count,
                                 float amounts[PD_MAX_MATERIALS]) {
    int right = column + block_side < field->nx ? column + block_side : field->nx;
    int top = row + block_side < field->ny ? row + block_side : field->ny, found = 0;
    size_t layer = (size_t)field->nx * (size_t)field->ny;
    for (int m = 0; m < count; m++) amounts[m] = 0;
    for (int y = row; y < top; y++)
        for (int x = column; x < right; x++) {
            const float *value = &field->values[(size_t)y * (size_t)field->nx + (size_t)x];
            if (isnan(*value)) continue;
            for (int m = 0; m < count; m++) {
                float amount = value[(size_t)m * layer];
                amounts[m] += amount > 0 ? (amount < 1 ? amount : 1) : 0;
            }
            found++;
        }
    for (int m = 0; m < count && found; m++) amounts[m] /= (float)found;
    return found && 2 * found >= (right - column) * (top - row);
}

/* Mixes dyes by their amounts, in linear light. */
static pd_dye_cell mix_dyes(const dye_colours *dyes, const float *amounts) {
    pd_dye_cell cell = {0};
    float sum = 0;
    for (int m = 0; m < dyes->count; m++) {
        for (int c = 0; c < 3; c++) cell.colour[c] += amounts[m] * dyes->colour[m][c];
        sum += amounts[m];
    }
    if (!(sum > 0)) return (pd_dye_cell){0};
    for (int c = 0; c < 3; c++) cell.colour[c] /= sum;
    cell.opacity = compute_opacity(sum);
    return cell;
}

static void mix_dyes_of_cells(pd_dye_grid *grid, const pd_field *field, const dye_colours *dyes) {
    int border = grid->sizes.border, block_side = grid->sizes.block_side;
    float amounts[PD_MAX_MATERIALS];
    for (int row = 0; row < grid->sizes.rows - 2 * border; row++)
        for (int column = 0; column < grid->sizes.columns - 2 * border; column++) {
            if (!compute_mean_amounts(field, column * block_side, row * block_side, block_side, dyes->count, amounts))
                continue;
            int i = (row + border) * grid->sizes.columns + column + border;
            grid->cells[i] = mix_dyes(dyes, amounts);
            grid->rings[i] = 1;
        }
}

/* ---- Cells under solids ---- */

/* Marks as SOLID the cells without fluid that are in a wall or an obstacle. Cells of air remain unmarked. */
static void mark_solid_cells(pd_dye_grid *grid, const pd_view *view) {
    const pd_dye_grid_sizes *sizes = &grid->sizes;
    float reach = solid_margin * (float)sizes->side;
    for (int y = 0; y < sizes->rows; y++)
        for (int x = 0; x < sizes->columns; x++) {
            if (grid->rings[y * sizes->columns + x]) continue;
            pd_vec2 centre = {(float)(sizes->x + (x + 0.5) * sizes->side), (float)(sizes->y + (y + 0.5) * sizes->side)};
            /* + half a rest spacing, by which renderer.c draws walls farther outwards */
            if (pd_is_point_near_solid(view, centre, reach + 0.5f * view->spacing, reach))
                grid->rings[y * sizes->columns + x] = SOLID;
        }
}

/* Sets the colour of a SOLID cell to the mean colour of its neighbours in the rings 1 to `ring` (pd_dye_grid.rings), if
 * there are any. */
static void extrapolate_colour_into_cell(pd_dye_grid *grid, int x, int y, int ring) {
    const pd_dye_grid_sizes *sizes = &grid->sizes;
    pd_dye_cell sum = {0};
    int found = 0;
    for (int j = y > 0 ? y - 1 : 0; j <= y + 1 && j < sizes->rows; j++)
        for (int i = x > 0 ? x - 1 : 0; i <= x + 1 && i < sizes->columns; i++) {
            const pd_dye_cell *other = &grid->cells[j * sizes->columns + i];
            int of = grid->rings[j * sizes->columns + i];
            if (of == 0 || of > ring) continue;
            for (int c = 0; c < 3; c++) sum.colour[c] += other->opacity * other->colour[c];
            sum.opacity += other->opacity;
            found++;
        }
    if (!found) return;
    pd_dye_cell *cell = &grid->cells[y * sizes->columns + x];
    for (int c = 0; c < 3; c++) cell->colour[c] = sum.opacity > 0 ? sum.colour[c] / sum.opacity : 0;
    cell->opacity = sum.opacity / (float)found;
    grid->rings[y * sizes->columns + x] = (uint8_t)(ring + 1);
}

/* ---- Light ---- */

static float *get_srgb_table(void) {
    static float table[TABLE_SIZE];
    for (int i = 0; i < TABLE_SIZE && !table[TABLE_SIZE - 1]; i++) {
        float root = (float)i / (TABLE_SIZE - 1), c = root * root;
        table[i] = c <= 0.0031308f ? c * 12.92f : 1.055f * powf(c, 1 / 2.4f) - 0.055f;
    }
    return table;
}

/* Returns the opacity of cell i + step. If this cell has no fluid or does not exist, returns the opacity of cell i, so
 * that the edge of the fluid is not shaded. */
static float get_neighbour_opacity(const pd_dye_grid *grid, int i, int step, bool exists) {
    bool fluid = exists && grid->rings[i + step] && grid->rings[i + step] != SOLID;
    return grid->cells[fluid ? i + step : i].opacity;
}

/* Returns the factor by which light from the upper left brightens a cell: above 1 where the opacity rises towards the
 * lower right. steepness: strength of the shading per difference of opacity between two cells. */
static float compute_brightness(const pd_dye_grid *grid, int x, int y, float steepness) {
    int columns = grid->sizes.columns, i = y * columns + x;
    float along = get_neighbour_opacity(grid, i, 1, x < columns - 1) - get_neighbour_opacity(grid, i, -1, x > 0);
    float up = get_neighbour_opacity(grid, i, columns, y < grid->sizes.rows - 1) -
               get_neighbour_opacity(grid, i, -columns, y > 0);
    float rise = 0.5f * steepness * (0.55f * along - 0.83f * up);
    return 1 + shading_strength * rise / sqrtf(1 + rise * rise);
}

/* Computes grid->srgb_cells from grid->cells: shaded sRGB colours, premultiplied by the opacity. Thin dye becomes more
 * saturated. steepness: strength of the shading per difference of opacity between two cells. */
static void convert_cell_colours_to_srgb(pd_dye_grid *grid, float steepness) {
    const float *srgb = get_srgb_table();
    for (int y = 0; y < grid->sizes.rows; y++)
        for (int x = 0; x < grid->sizes.columns; x++) {
            int i = y * grid->sizes.columns + x;
            const pd_dye_cell *cell = &grid->cells[i];
            pd_dye_cell *encoded = &grid->srgb_cells[i];
            *encoded = (pd_dye_cell){0};
            if (!(cell->opacity > 0)) continue;
            float light = compute_brightness(grid, x, y, steepness), vivid = 1 + saturation * (1 - cell->opacity);
            float grey = 0.2126f * cell->colour[0] + 0.7152f * cell->colour[1] + 0.0722f * cell->colour[2];
            for (int c = 0; c < 3; c++) {
                float value = light * (grey + vivid * (cell->colour[c] - grey));
                value = value > 0 ? (value < 1 ? value : 1) : 0;
                encoded->colour[c] = cell->opacity * srgb[(int)(sqrtf(value) * (TABLE_SIZE - 1) + 0.5f)];
            }
            encoded->opacity = cell->opacity;
        }
}

/* ---- Enlarging ---- */

/* Returns the weight at distance t (cells) of the cubic filter of D. P. Mitchell and A. N. Netravali, Reconstruction
 * filters in computer graphics, 1988. It is smooth and causes no visible rings. */
static float evaluate_mitchell_filter(float t) {
    t = fabsf(t);
    if (t < 1) return (7 * t * t * t - 12 * t * t + 16.f / 3) / 6;
    return t < 2 ? (-7.f / 3 * t * t * t + 12 * t * t - 20 * t + 32.f / 3) / 6 : 0;
}

/* Cells from which a texel is interpolated along an axis. */
typedef struct filter_taps {
    int at[4];       /* indices of four successive cells, clamped to the first and last cell */
    float weight[4]; /* weights of these cells */
} filter_taps;

/* Returns the four cells along an axis from which a texel is interpolated, and their weights. count: number of cells along
 * the axis. */
static filter_taps find_filter_taps(int texel, int texels_per_cell, int count) {
    filter_taps filter_taps;
    float place = ((float)texel + 0.5f) / (float)texels_per_cell - 0.5f, low = floorf(place);
    for (int k = 0; k < 4; k++) {
        int at = (int)low + k - 1;
        filter_taps.at[k] = at < 0 ? 0 : at >= count ? count - 1 : at;
        filter_taps.weight[k] = evaluate_mitchell_filter(place - low - (float)(k - 1));
    }
    return filter_taps;
}

static void enlarge_cells_to_texels(pd_dye_grid *grid) {
    const pd_dye_grid_sizes *sizes = &grid->sizes;
    for (int x = 0; x < sizes->width; x++) {
        filter_taps t = find_filter_taps(x, sizes->texels_per_cell, sizes->columns);
        for (int y = 0; y < sizes->rows; y++) {
            const float *a = grid->srgb_cells[y * sizes->columns + t.at[0]].colour;
            const float *b = grid->srgb_cells[y * sizes->columns + t.at[1]].colour;
            const float *c = grid->srgb_cells[y * sizes->columns + t.at[2]].colour;
            const float *d = grid->srgb_cells[y * sizes->columns + t.at[3]].colour;
            float *to = grid->wide_cells[y * sizes->width + x].colour;
            for (int k = 0; k < 4; k++)
                to[k] = t.weight[0] * a[k] + t.weight[1] * b[k] + t.weight[2] * c[k] + t.weight[3] * d[k];
        }
    }
    for (int y = 0; y < sizes->height; y++) {
        filter_taps t = find_filter_taps(y, sizes->texels_per_cell, sizes->rows);
        const float *row[4];
        for (int k = 0; k < 4; k++) row[k] = grid->wide_cells[t.at[k] * sizes->width].colour;
        uint16_t *to = &grid->texels[(size_t)y * (size_t)sizes->width * 4];
        for (int k = 0; k < 4 * sizes->width; k++) {
            float value =
                t.weight[0] * row[0][k] + t.weight[1] * row[1][k] + t.weight[2] * row[2][k] + t.weight[3] * row[3][k];
            value = value > 0 ? (value < 1 ? value : 1) : 0;
            to[k] = (uint16_t)(int)(value * 65535 + 0.5f);
        }
    }
}

/* ---- Filling ---- */

/* Chooses the sizes of grid and texture. particle_spacing: rest spacing of particles, m. pixel_size: side of a pixel, m.
 * Returns false if a side of the texture would exceed max_side texels. */
static bool choose_grid_sizes(pd_dye_grid_sizes *sizes, const pd_field *field, float particle_spacing, float pixel_size,
                              int max_side) {
    int most = field->nx > field->ny ? field->nx : field->ny;
    float per_pixel = pixel_size / field->cell;
    for (sizes->block_side = per_pixel > 1 ? (int)fminf(per_pixel, (float)most) : 1; sizes->block_side <= most;
         sizes->block_side++) {
        sizes->side = (double)field->cell * sizes->block_side;
        float beyond = ceilf(0.5f * particle_spacing / (float)sizes->side);
        sizes->border = 2 + (beyond > 0 ? (int)fminf(beyond, MAX_BORDER) : 0);
        sizes->columns = (field->nx - 1) / sizes->block_side + 1 + 2 * sizes->border;
        sizes->rows = (field->ny - 1) / sizes->block_side + 1 + 2 * sizes->border;
        if (sizes->columns <= max_side && sizes->rows <= max_side) break;
    }
    if (sizes->block_side > most) return false;
    sizes->texels_per_cell =
        (int)fminf(fmaxf(ceilf((float)sizes->side / (max_texel_pixels * pixel_size)), 1), MAX_TEXELS_PER_CELL);
    while (sizes->columns * sizes->texels_per_cell > max_side || sizes->rows * sizes->texels_per_cell > max_side)
        sizes->texels_per_cell--;
    sizes->width = sizes->columns * sizes->texels_per_cell;
    sizes->height = sizes->rows * sizes->texels_per_cell;
    sizes->x = (double)field->origin.x - sizes->border * sizes->side;
    sizes->y = (double)field->origin.y - sizes->border * sizes->side;
    return true;
}

/* Computes the texture of the field's dyes in the picture's palette. Colours are extrapolated into walls and obstacles, so
 * that no gap is visible beside them. max_side: greatest side of the texture, texels. Returns false if there is nothing to
 * draw: no cells, no values, or out of memory. */
static bool compute_grid(pd_dye_grid *grid, const pd_field *field, const pd_picture *picture, const pd_camera *camera,
                         int max_side) {
    pd_dye_grid_sizes sizes;
    float pixel_size = 1 / camera->pixels_per_metre;
    if (!field->values || field->nx <= 0 || field->ny <= 0 || !(field->cell > 0) || !isfinite(field->cell) ||
        !isfinite(field->origin.x) || !isfinite(field->origin.y) ||
        !choose_grid_sizes(&sizes, field, picture->view->spacing, pixel_size, max_side) || !reserve_cells(grid, &sizes))
        return false;
    dye_colours dyes = read_dye_colours(field, picture);
    memset(grid->cells, 0, (size_t)(sizes.columns * sizes.rows) * sizeof *grid->cells);
    memset(grid->rings, 0, (size_t)(sizes.columns * sizes.rows));
    mix_dyes_of_cells(grid, field, &dyes);
    mark_solid_cells(grid, picture->view);
    for (int ring = 1; ring <= grid->sizes.border; ring++)
        for (int y = 0; y < grid->sizes.rows; y++)
            for (int x = 0; x < grid->sizes.columns; x++)
                if (grid->rings[y * grid->sizes.columns + x] == SOLID) extrapolate_colour_into_cell(grid, x, y, ring);
    convert_cell_colours_to_srgb(grid, shading_width * picture->scale * pixel_size / (float)sizes.side);
    enlarge_cells_to_texels(grid);
    return true;
}

/* ---- Drawing ---- */

pd_result pd_dyes_create(pd_dyes *dyes, pd_error *error) {
    pd_result result = pd_shader_load(&dyes->program, "screen.vert", "dyes.frag", error);
    if (result) return result;
    pd_shader_set_sampler(dyes->program, "dyes", 0);
    glGenVertexArrays(1, &dyes->empty_array);
    glGenTextures(1, &dyes->texture);
    glBindTexture(GL_TEXTURE_2D, dyes->texture);
    pd_texture_set_filter(GL_LINEAR);
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &dyes->texture_limit);
    return PD_OK;
}

void pd_dyes_free(pd_dyes *dyes) {
    if (dyes->texture) glDeleteTextures(1, &dyes->texture);
    if (dyes->empty_array) glDeleteVertexArrays(1, &dyes->empty_array);
    if (dyes->program) glDeleteProgram(dyes->program);
    pd_arrays_free(ARRAYS(&dyes->grid, 0, 0));
    memset(&dyes->grid, 0, sizeof dyes->grid);
    memset(dyes, 0, sizeof *dyes);
}

/* Uploads the texels. If the size is unchanged, the texture's storage is used again. */
static void upload_texels(pd_dyes *dyes) {
    const pd_dye_grid_sizes *sizes = &dyes->grid.sizes;
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, dyes->texture);
    if (dyes->width == sizes->width && dyes->height == sizes->height) {
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, sizes->width, sizes->height, GL_RGBA, GL_UNSIGNED_SHORT,
                        dyes->grid.texels);
        return;
    }
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA16, sizes->width, sizes->height, 0, GL_RGBA, GL_UNSIGNED_SHORT,
                 dyes->grid.texels);
    dyes->width = sizes->width;
    dyes->height = sizes->height;
}

void pd_dyes_draw(pd_dyes *dyes, const pd_picture *picture, const pd_camera *camera) {
    const pd_field *field = pd_view_field(picture->view, picture->mode->field);
    const pd_dye_grid_sizes *sizes = &dyes->grid.sizes;
    float rectangle[4], pixel = 1 / camera->pixels_per_metre;
    if (!field || field->info.support != PD_FIELD_OF_CELLS ||
        !compute_grid(&dyes->grid, field, picture, camera, dyes->texture_limit) ||
        !pd_camera_clip_rectangle(camera, &picture->area, &picture->view->container, sizes->x, sizes->y,
                                  sizes->side * sizes->columns, sizes->side * sizes->rows, rectangle))
        return;
    upload_texels(dyes);
    unsigned program = dyes->program;
    pd_rounded_box wall = pd_container_as_rounded_box(&picture->view->container);
    pd_vec2 origin = pd_camera_pixels_to_world(camera, 0, (float)picture->height);
    double side = sizes->side / sizes->texels_per_cell;
    pd_shader_set_area(program, &picture->area);
    glUniform4f(glGetUniformLocation(program, "to_texture"), (float)((double)pixel / (side * sizes->width)),
                (float)((double)pixel / (side * sizes->height)),
                (float)(((double)origin.x - sizes->x) / (side * sizes->width)),
                (float)(((double)origin.y - sizes->y) / (side * sizes->height)));
    glUniform2f(glGetUniformLocation(program, "origin"), origin.x, origin.y);
    glUniform1f(glGetUniformLocation(program, "pixel"), pixel);
    glUniform3f(glGetUniformLocation(program, "container"), wall.half_width, wall.half_height, wall.radius);
    glUniform4fv(glGetUniformLocation(program, "rectangle"), 1, rectangle);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    glBindVertexArray(dyes->empty_array);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glDisable(GL_BLEND);
}
