/* Samples the velocity field of a view for streamlines and arrows. */
#include "render/lines/flow.h"

#include "core/array.h"
#include "core/memory.h"
#include <math.h>
#include <string.h>

static const float min_cell_side = 2; /* least distance between two samples, interface units */
/* pd_flow.rest_speed in units of pd_view.speed_scale. Fluid at rest still has speeds up to a third of rest_speed, which
 * the solvers leave. */
static const float rest_fraction = 3e-4f;

void pd_flow_free(pd_flow *flow) {
    pd_free(flow->samples);
    memset(flow, 0, sizeof *flow);
}

/* Returns the mean velocity of a block of block_side x block_side cells, in the unit of the fields x and y. If fewer than
 * half of the cells have a value, the sample has no fluid. */
static pd_flow_sample compute_block_mean(const pd_field *x, const pd_field *y, int column, int row, int block_side) {
    int right = column + block_side < x->nx ? column + block_side : x->nx,
        top = row + block_side < x->ny ? row + block_side : x->ny;
    pd_flow_sample sum = {0};
    int found = 0;
    for (int j = row; j < top; j++)
        for (int i = column; i < right; i++) {
            size_t at = (size_t)j * (size_t)x->nx + (size_t)i;
            float vx = x->values[at], vy = y->values[at];
            if (!isfinite(vx) || !isfinite(vy)) continue;
            sum.x += vx;
            sum.y += vy;
            found++;
        }
    if (2 * found < (right - column) * (top - row)) return (pd_flow_sample){0};
    return (pd_flow_sample){sum.x / (float)found, sum.y / (float)found, 1, 0};
}

static uint32_t add_to_checksum(uint32_t sum, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (sum ^ bits) * 0x9e3779b1u;
}

static void read_samples(pd_flow *flow, const pd_field *x, const pd_field *y, int block_side, float units_per_metre) {
    uint32_t sum = 0;
    for (int j = 0; j < flow->ny; j++)
        for (int i = 0; i < flow->nx; i++) {
            pd_flow_sample *sample = &flow->samples[j * flow->nx + i];
            *sample = compute_block_mean(x, y, i * block_side, j * block_side, block_side);
            sample->x *= units_per_metre;
            sample->y *= -units_per_metre;
            sum = add_to_checksum(add_to_checksum(add_to_checksum(sum, sample->x), sample->y), sample->fluid);
        }
    flow->checksum = sum;
}

/* Sets the velocity of samples without fluid to the mean of their neighbours with fluid. Interpolated velocities near a
 * wall then approach the fluid's velocity instead of zero. */
static void extrapolate_samples(pd_flow *flow) {
    for (int j = 0; j < flow->ny; j++)
        for (int i = 0; i < flow->nx; i++) {
            pd_flow_sample *sample = &flow->samples[j * flow->nx + i];
            if (sample->fluid > 0) continue;
            float x = 0, y = 0, found = 0;
            for (int b = j > 0 ? j - 1 : 0; b <= j + 1 && b < flow->ny; b++)
                for (int a = i > 0 ? i - 1 : 0; a <= i + 1 && a < flow->nx; a++) {
                    const pd_flow_sample *other = &flow->samples[b * flow->nx + a];
                    if (!(other->fluid > 0)) continue;
                    x += other->x;
                    y += other->y;
                    found++;
                }
            if (found > 0) sample->x = x / found, sample->y = y / found;
        }
}

static float get_greatest_legend_value(const pd_field *field) {
    float most = fmaxf(fabsf(field->low), fabsf(field->high));
    return isfinite(most) ? most : 0;
}

bool pd_flow_sample_velocities(pd_flow *flow, const pd_picture *picture, const pd_camera *camera) {
    const pd_field *x = pd_view_field(picture->view, "velocity_x"), *y = pd_view_field(picture->view, "velocity_y");
    if (!x || !y || !x->values || !y->values || x->info.support != PD_FIELD_OF_CELLS || x->nx <= 0 || x->ny <= 0 ||
        x->nx != y->nx || x->ny != y->ny || !(x->cell > 0) || !isfinite(x->cell))
        return false;
    float units_per_metre = camera->pixels_per_metre / picture->scale, cell = x->cell * units_per_metre;
    pd_vec2 corner = pd_camera_world_to_pixels(camera, x->origin);
    int most = x->nx > x->ny ? x->nx : x->ny;
    int block_side = cell < min_cell_side ? (int)fminf(ceilf(min_cell_side / cell), (float)most) : 1;
    flow->sample_spacing = cell * (float)block_side;
    if (!(flow->sample_spacing > 0) || !isfinite(flow->sample_spacing) || !isfinite(corner.x) || !isfinite(corner.y))
        return false;
    flow->samples_per_unit = 1 / flow->sample_spacing;
    flow->nx = (x->nx - 1) / block_side + 1;
    flow->ny = (x->ny - 1) / block_side + 1;
    if (!PD_ARRAY_RESERVE(flow->samples, flow->capacity, 0, flow->nx * flow->ny)) return false;
    flow->x = corner.x / picture->scale + 0.5f * flow->sample_spacing;
    flow->y = corner.y / picture->scale - 0.5f * flow->sample_spacing;
    float scale = fmaxf(get_greatest_legend_value(x), get_greatest_legend_value(y));
    flow->greatest_speed = (scale > 0 ? scale : fmaxf(picture->view->speed_scale, 1e-6f)) * units_per_metre;
    flow->rest_speed = rest_fraction * picture->view->speed_scale * units_per_metre;
    read_samples(flow, x, y, block_side, units_per_metre);
    extrapolate_samples(flow);
    return true;
}
