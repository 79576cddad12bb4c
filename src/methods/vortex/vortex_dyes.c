/* Fractions of the materials in the cells of a view, computed from the tracers. */
#include "core/memory.h"
#include "methods/spread.h"
#include "methods/vortex/vortex.h"

#include <math.h>
#include <string.h>

/* Radii, in units of the tracers' spacing. KERNEL: radius of the kernel with which a tracer deposits its dye. Strain lines
 * the tracers up, and a kernel of twice their spacing shows these lines as jagged edges. WIDE: radius of the region over
 * which mixed dyes are averaged. */
static const float KERNEL = 3.4f, WIDE = 4;
/* Thresholds of the intensity of segregation (see smooth_dyes_of_cell). Below MIXED the dyes count as mixed, and are
 * averaged. Above LAYERED they form layers that the tracers resolve, and remain sharp. */
static const float MIXED = 0.05f, LAYERED = 0.15f;
/* Thresholds of the mean fraction of clear fluid (without dye) in the cells around a cell. Below GAPS it consists of
 * gaps between tracers, which are filled with dye. Above EDGE it remains clear. If the tracers' area is FULL of the fluid's,
 * all clear cells are gaps. */
static const float GAPS = 0.15f, EDGE = 0.35f, FULL = 0.97f;

float pd_vortex_tracer_spacing(const pd_world *world, const vortex_state *state) {
    return state->tracer_spacing > 0 ? state->tracer_spacing : world->resolution.spacing;
}

static void deposit_tracer_dyes_in_cells(const pd_world *world, float spacing, const pd_grid *g, float *values) {
    const pd_particles *p = &world->particles;
    size_t cells = (size_t)g->nx * (size_t)g->ny;
    float cell = (float)g->cell, radius = KERNEL * fmaxf(spacing, cell), inverse = 1 / radius;
    float share = spacing * spacing * 3 / (3.14159265f * radius * radius);
    memset(values, 0, cells * (size_t)world->scene.material_count * sizeof *values);
    for (int n = 0; n < p->count; n++) {
        double x = ((double)p->x[n] - g->origin.x) / g->cell, y = ((double)p->y[n] - g->origin.y) / g->cell;
        double reach = (double)(radius / cell);
        int left = (int)fmax(floor(x - reach), 0), right = (int)fmin(floor(x + reach), g->nx - 1);
        int bottom = (int)fmax(floor(y - reach), 0), top = (int)fmin(floor(y + reach), g->ny - 1);
        float *layer = values + cells * p->material[n];
        for (int j = bottom; j <= top; j++)
            for (int i = left; i <= right; i++) {
                float dx = (float)(i + 0.5 - x) * cell, dy = (float)(j + 0.5 - y) * cell;
                layer[i + j * g->nx] += share * pd_spread_kernel(dx, dy, inverse);
            }
    }
}

/* Divides the dyes of each cell by their sum, but at least by 0.6: kernel sums vary between tracers, and the sum
 * becomes 1 except where tracers are rare. fluid, by cell: 1, or 0 in cells without fluid, whose dyes become 0. */
static void normalize_dye_fractions(const pd_grid *g, int dyes, const float *fluid, float *values) {
    size_t cells = (size_t)g->nx * (size_t)g->ny;
    for (size_t k = 0; k < cells; k++) {
        float total = 0;
        for (int m = 0; m < dyes; m++) total += values[k + cells * (size_t)m];
        float scale = fluid[k] / fmaxf(total, 0.6f);
        for (int m = 0; m < dyes; m++) values[k + cells * (size_t)m] *= scale;
    }
}

/* Sets to[i] to the sum of from[i - reach] to from[i + reach], for a line of `count` values with the index difference
 * `stride`. Values beyond the ends of the line count as 0. */
static void sum_neighbours_along_line(const float *from, float *to, int count, int stride, int reach) {
    float sum = 0;
    for (int i = 0; i < count && i < reach; i++) sum += from[i * stride];
    for (int i = 0; i < count; i++) {
        if (i + reach < count) sum += from[(i + reach) * stride];
        to[i * stride] = sum;
        if (i >= reach) sum -= from[(i - reach) * stride];
    }
}

/* Replaces each value by the sum over the (2 reach + 1)^2 cells around it. Does so twice, which gives a nearly round
 * kernel. */
static void sum_neighbours_twice(const pd_grid *g, int reach, float *values, float *work) {
    for (int pass = 0; pass < 2; pass++) {
        for (int j = 0; j < g->ny; j++)
            sum_neighbours_along_line(values + j * g->nx, work + j * g->nx, g->nx, 1, reach);
        for (int i = 0; i < g->nx; i++) sum_neighbours_along_line(work + i, values + i, g->ny, g->nx, reach);
    }
}

static float *reserve_work_array(vortex_state *state, size_t floats) {
    if (state->dye_work_capacity >= floats) return state->dye_work;
    pd_free(state->dye_work);
    state->dye_work = pd_allocate(floats + PD_PADDING, sizeof(float));
    state->dye_work_capacity = state->dye_work ? floats : 0;
    return state->dye_work;
}

static float smooth_step_between(float from, float to, float value) {
    float part = fminf(fmaxf((value - from) / (to - from), 0), 1);
    return part * part * (3 - 2 * part);
}

/* By cell: sums over the cells around the cell. fluid: number of fluid cells; squares: sum of the squared fractions of
 * all dyes and of clear fluid; dye: for each dye an array with the sums of its fractions. */
typedef struct surroundings {
    float *fluid, *squares, *dye;
} surroundings;

static void sum_dyes_around_cells(const pd_grid *g, int dyes, int reach, const float *fluid, const float *values,
                                  const surroundings *s, float *work) {
    size_t cells = (size_t)g->nx * (size_t)g->ny;
    memcpy(s->fluid, fluid, cells * sizeof *fluid);
    memcpy(s->dye, values, (size_t)dyes * cells * sizeof *values);
    for (size_t k = 0; k < cells; k++) {
        float clear = fluid[k];
        s->squares[k] = 0;
        for (int m = 0; m < dyes; m++) {
            float value = values[k + cells * (size_t)m];
            clear -= value;
            s->squares[k] += value * value;
        }
        s->squares[k] += clear * clear;
    }
    sum_neighbours_twice(g, reach, s->fluid, work);
    sum_neighbours_twice(g, reach, s->squares, work);
    for (int m = 0; m < dyes; m++) sum_neighbours_twice(g, reach, s->dye + cells * (size_t)m, work);
}

/* Smooths the dyes of cell k: sharpens the edges that the kernel has blurred, and fills gaps between tracers with the mean of
 * the dyes around. full: all clear cells are gaps.
 *
 * Where the flow has folded dyes into layers thinner than the tracers' spacing, kernels show random specks. The
 * intensity of segregation measures the mixing: variance of the dyes in units of the greatest variance for their
 * means (Danckwerts, "The definition and measurement of some characteristics of mixtures", 1952). Mixtures get means
 * over more tracers. */
static void smooth_dyes_of_cell(int dyes, size_t cells, size_t k, const surroundings *s, bool full, float *values) {
    float inverse = 1 / s->fluid[k], mean[PD_MAX_MATERIALS], mean_clear = 1, clear = 1, squares = 0;
    for (int m = 0; m < dyes; m++) {
        mean[m] = s->dye[k + cells * (size_t)m] * inverse;
        mean_clear -= mean[m];
        clear -= values[k + cells * (size_t)m];
        squares += mean[m] * mean[m];
    }
    squares += mean_clear * mean_clear;
    float gap = clear * smooth_step_between(EDGE, GAPS, mean_clear) / (1 - fminf(mean_clear, EDGE));
    if (full) gap = mean_clear < 1 ? clear / (1 - mean_clear) : 0;
    float mixed = 0, most = 1 - squares;
    if (most > 0.02f) mixed = smooth_step_between(LAYERED, MIXED, (s->squares[k] * inverse - squares) / most);
    float sum = 0, sum_of_squares = 0;
    for (int m = 0; m < dyes; m++) {
        float value = values[k + cells * (size_t)m];
        sum += value;
        sum_of_squares += value * value;
    }
    for (int m = 0; m < dyes; m++) {
        float *value = &values[k + cells * (size_t)m];
        if (sum_of_squares > 0) *value *= *value * sum / sum_of_squares; /* squares in proportion: sharper */
        *value += gap * mean[m];
        *value = fminf(*value + mixed * (mean[m] - *value), 1);
    }
}

void pd_vortex_compute_dye_fractions(const pd_world *world, vortex_state *state, const pd_grid *g, float *values) {
    size_t cells = (size_t)g->nx * (size_t)g->ny;
    int dyes = world->scene.material_count;
    float spacing = pd_vortex_tracer_spacing(world, state);
    float *fluid = reserve_work_array(state, cells * (size_t)(dyes + 4));
    deposit_tracer_dyes_in_cells(world, spacing, g, values);
    if (!fluid) return;
    for (int j = 0; j < g->ny; j++)
        for (int i = 0; i < g->nx; i++)
            fluid[i + j * g->nx] =
                pd_boundary_allows_position(world->boundary, pd_vortex_cell_center(g, i, j), (float)g->cell);
    normalize_dye_fractions(g, dyes, fluid, values);
    /* Half width, in cells, of the squares of sum_neighbours_twice: both sums together act like a kernel of radius
     * WIDE. */
    int reach = (int)(0.5f * WIDE * fmaxf(spacing / (float)g->cell, 1) + 0.5f);
    surroundings around = {fluid + cells, fluid + 2 * cells, fluid + 4 * cells};
    sum_dyes_around_cells(g, dyes, reach, fluid, values, &around, fluid + 3 * cells);
    float fluid_area = 0, cell_area = (float)(g->cell * g->cell);
    for (size_t k = 0; k < cells; k++) fluid_area += fluid[k] * cell_area;
    bool full = (float)world->particles.count * spacing * spacing >= FULL * fluid_area;
    for (size_t k = 0; k < cells; k++) {
        if (fluid[k] > 0) smooth_dyes_of_cell(dyes, cells, k, &around, full, values);
        for (int m = 0; m < dyes && !(fluid[k] > 0); m++) values[k + cells * (size_t)m] = NAN;
    }
}
