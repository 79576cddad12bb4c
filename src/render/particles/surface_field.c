/* Computes the field of the surface view on the CPU, by the same steps as surface.c and its shaders: splats, glow, cubic
 * filter, closed holes. */
#include "render/particles/surface_field.h"

#include "core/error.h"
#include "core/memory.h"
#include "render/particles/instances.h"
#include "render/solid.h"
#include <math.h>
#include <string.h>

#define CONSTANT(name, value) static const float name = (float)(value);
PD_SURFACE_CONSTANTS(CONSTANT)

/* Splats are so wide that their sum is constant inside fluid at rest, and that no single particles show at its edge. */
static const float splat_radius_per_spacing = 2.8f;
static const float fluid_threshold = 0.42f;
/* Tracers drift apart, so that fluid_threshold would show holes. */
static const float tracer_threshold = 0.2f;

enum {
    MAX_SIDE = 4096, /* greatest number of steps between the nodes of a row or a column */
    /* Width of the border around the nodes, in steps: more than the radius of a splat, 5.6, and a multiple of
     * PD_SURFACE_GLOW_REDUCTION. */
    MARGIN = 8,
};

float pd_surface_threshold(const pd_view *view) {
    return view->particles_are_tracers ? tracer_threshold : fluid_threshold;
}

float pd_surface_closing(const pd_view *view) { return view->particles_are_tracers ? 1 : 0; }

float pd_surface_splat_radius_of_spacing(float spacing) { return splat_radius_per_spacing * spacing; }

float pd_surface_splat_height(float rest_spacing, float splat_radius) {
    return 4 * rest_spacing * rest_spacing / (3.14159265f * splat_radius * splat_radius);
}

static float smooth_step(float low, float high, float value) {
    float t = fminf(fmaxf((value - low) / (high - low), 0), 1);
    return t * t * (3 - 2 * t);
}

/* Memory of the computation. The arrays have the size of pd_surface_field.total unless stated. */
typedef struct workspace {
    pd_instances instances; /* particles and mirror images; the member `colour` is the index in field->material */
    float *nearness;        /* nearness of obstacles: 1 inside, 0 from the splat radius on; NULL: no obstacles */
    float *rows;            /* field filtered along the rows */
    float *glow[2];         /* glow, and its blur along the rows; glow_columns x glow_rows values */
    int glow_columns, glow_rows;
} workspace;

/* Sets the instances' positions, weights and materials, and lists the materials that occur. view: with its walls moved
 * outwards. */
static void place_instances(pd_surface_field *field, workspace *work, const pd_view *view, float alpha) {
    static const pd_view_mode surface = {"surface", PD_VIEW_SURFACE, NULL, PD_LINES_NONE};
    pd_picture picture = {.view = view, .mode = &surface, .alpha = alpha};
    bool occurs[256] = {false};
    uint32_t place[256] = {0};
    pd_instances_set_from_view(&work->instances, &picture);
    for (int i = 0; i < work->instances.count; i++) occurs[view->material ? view->material[i] : 0] = true;
    for (int m = 0; m < 256; m++) {
        if (!occurs[m]) continue;
        place[m] = (uint32_t)field->material_count;
        field->material[field->material_count++] = (uint8_t)m;
    }
    for (int i = 0; i < work->instances.count; i++)
        work->instances.items[i].colour = place[view->material ? view->material[i] : 0];
    pd_instances_add_reflections(&work->instances, &view->container, pd_surface_splat_radius_of_spacing(view->spacing));
    pd_instances_compute_weights(&work->instances, view->spacing);
}

/* Finds the rectangle of the grid: the container, or without one a box around the surface of the fluid. */
static void find_rectangle(const pd_surface_field *field, const workspace *work, float reach, pd_vec2 *low,
                           pd_vec2 *high) {
    if (field->container.shape != PD_CONTAINER_NONE) {
        pd_rounded_box box = pd_container_as_rounded_box(&field->container);
        *high = (pd_vec2){box.half_width + box.radius, box.half_height + box.radius};
        *low = (pd_vec2){-high->x, -high->y};
        return;
    }
    *low = (pd_vec2){INFINITY, INFINITY};
    *high = (pd_vec2){-INFINITY, -INFINITY};
    for (int i = 0; i < work->instances.count; i++) {
        const pd_instance *item = &work->instances.items[i];
        *low = (pd_vec2){fminf(low->x, item->x - reach), fminf(low->y, item->y - reach)};
        *high = (pd_vec2){fmaxf(high->x, item->x + reach), fmaxf(high->y, item->y + reach)};
    }
}

/* Chooses the grid. Returns the spacing that determines the splats: the rest spacing, or a larger one if the grid would be too
 * large, as in pictures where a spacing is less than a pixel. */
static float choose_grid(pd_surface_field *field, const workspace *work, const pd_view *view) {
    pd_vec2 low, high;
    find_rectangle(field, work, pd_surface_splat_radius_of_spacing(view->spacing), &low, &high);
    float width = high.x - low.x, height = high.y - low.y;
    float spacing = fmaxf(view->spacing, PD_SURFACE_TEXELS_PER_SPACING * fmaxf(width, height) / MAX_SIDE);
    int columns = (int)ceilf(width / spacing * PD_SURFACE_TEXELS_PER_SPACING);
    int rows = (int)ceilf(height / spacing * PD_SURFACE_TEXELS_PER_SPACING);
    columns = columns > 2 ? columns : 2;
    rows = rows > 2 ? rows : 2;
    field->origin = low;
    field->step_x = width / (float)columns;
    field->step_y = height / (float)rows;
    field->columns = columns + 1;
    field->rows = rows + 1;
    field->margin = MARGIN;
    field->stride = field->columns + 2 * MARGIN;
    field->size = (size_t)field->stride * (size_t)(field->rows + 2 * MARGIN);
    return spacing;
}

static bool allocate(pd_surface_field *field, workspace *work, bool has_obstacles) {
    work->glow_columns = field->stride / PD_SURFACE_GLOW_REDUCTION;
    work->glow_rows = (field->rows + 2 * MARGIN) / PD_SURFACE_GLOW_REDUCTION;
    size_t glow = (size_t)work->glow_columns * (size_t)work->glow_rows;
    field->total = pd_memory_new_zeroed(field->size, sizeof(float));
    field->amounts = pd_memory_new_zeroed(field->size * (size_t)field->material_count, sizeof(float));
    work->rows = pd_memory_new_zeroed(field->size, sizeof(float));
    if (has_obstacles) work->nearness = pd_memory_new_zeroed(field->size, sizeof(float));
    for (int i = 0; i < 2; i++) work->glow[i] = pd_memory_new_zeroed(glow, sizeof(float));
    return field->total && field->amounts && work->rows && work->glow[0] && work->glow[1] &&
           (work->nearness || !has_obstacles);
}

/* A range of columns and rows of the array, border included. */
typedef struct range {
    int left, right, low, high;
} range;

/* Finds the nodes within `reach` (m) of a point. */
static range find_nodes_near(const pd_surface_field *field, float x, float y, float reach) {
    float column = (x - field->origin.x) / field->step_x + (float)field->margin, columns = reach / field->step_x;
    float row = (y - field->origin.y) / field->step_y + (float)field->margin, rows = reach / field->step_y;
    float last_column = (float)field->stride - 1, last_row = (float)(field->rows + 2 * field->margin) - 1;
    return (range){(int)fminf(fmaxf(ceilf(column - columns), 0), last_column + 1),
                   (int)fmaxf(fminf(floorf(column + columns), last_column), -1),
                   (int)fminf(fmaxf(ceilf(row - rows), 0), last_row + 1),
                   (int)fmaxf(fminf(floorf(row + rows), last_row), -1)};
}

static pd_vec2 find_position_in_array(const pd_surface_field *field, int column, int row) {
    return pd_surface_field_position(field, column - field->margin, row - field->margin);
}

static void add_splats(pd_surface_field *field, const pd_instances *instances, float height, float radius) {
    float per_square = 1 / (radius * radius);
    for (int n = 0; n < instances->count; n++) {
        const pd_instance *item = &instances->items[n];
        float *amounts = field->amounts + item->colour * field->size;
        range near = find_nodes_near(field, item->x, item->y, radius);
        for (int j = near.low; j <= near.high; j++)
            for (int i = near.left; i <= near.right; i++) {
                pd_vec2 node = find_position_in_array(field, i, j);
                float x = node.x - item->x, y = node.y - item->y;
                float inside = fmaxf(1 - (x * x + y * y) * per_square, 0);
                amounts[(size_t)j * (size_t)field->stride + (size_t)i] +=
                    item->weight * height * inside * inside * inside;
            }
    }
    for (int m = 0; m < field->material_count; m++)
        for (size_t k = 0; k < field->size; k++) field->total[k] += field->amounts[(size_t)m * field->size + k];
}

/* Returns the radius of a circle around area->center that contains the area, m. */
static float find_outer_radius(const pd_area *area) {
    float radius = area->shape == PD_SHAPE_CIRCLE ? area->radius : 0;
    if (area->shape == PD_SHAPE_BOX) radius = 0.5f * hypotf(area->size.x, area->size.y);
    for (int i = 0; i < area->point_count; i++)
        radius = fmaxf(radius, hypotf(area->points[i].x, area->points[i].y) + 0.5f * area->thickness);
    return radius;
}

/* Updates the nearness by an obstacle: the glow of shape.frag, (1 - distance / reach)^3. */
static void add_nearness(const pd_surface_field *field, float *nearness, const pd_area *area, float reach) {
    range near = find_nodes_near(field, area->center.x, area->center.y, find_outer_radius(area) + reach);
    for (int j = near.low; j <= near.high; j++)
        for (int i = near.left; i <= near.right; i++) {
            float distance = pd_distance_to_area(find_position_in_array(field, i, j), area);
            float fade = fmaxf(1 - fmaxf(distance, 0) / reach, 0);
            float *value = &nearness[(size_t)j * (size_t)field->stride + (size_t)i];
            *value = fmaxf(*value, fade * fade * fade);
        }
}

static float compute_mean_of_4(const pd_surface_field *field, const float *values, int column, int row) {
    const float *low = &values[(size_t)row * (size_t)field->stride + (size_t)column], *high = low + field->stride;
    return 0.25f * (low[0] + low[1] + high[0] + high[1]);
}

/* Computes the coverage, as glow_down.frag does. */
static void compute_coverage(const pd_surface_field *field, workspace *work) {
    for (int j = 0; j < work->glow_rows; j++)
        for (int i = 0; i < work->glow_columns; i++) {
            float sum = 0;
            for (int part = 0; part < 4; part++) {
                int column = PD_SURFACE_GLOW_REDUCTION * i + 2 * (part & 1);
                int row = PD_SURFACE_GLOW_REDUCTION * j + 2 * (part >> 1);
                float cover = smooth_step(COVER_LOW * field->threshold, COVER_HIGH * field->threshold,
                                          compute_mean_of_4(field, field->total, column, row));
                if (work->nearness)
                    cover = fmaxf(cover, smooth_step(SOLID_LOW, SOLID_HIGH,
                                                     compute_mean_of_4(field, work->nearness, column, row)));
                sum += 0.25f * cover;
            }
            work->glow[0][(size_t)j * (size_t)work->glow_columns + (size_t)i] = sum;
        }
}

/* Returns a value of a line at a position, linear between two values. Beyond the ends the value is that of the end. */
static float get_value_between(const float *line, int count, size_t stride, float position) {
    position = fminf(fmaxf(position, 0), (float)(count - 1));
    int near = (int)position, far = near + 1 < count ? near + 1 : near;
    float fraction = position - (float)near;
    return line[(size_t)near * stride] * (1 - fraction) + line[(size_t)far * stride] * fraction;
}

/* Blurs a line of the glow, as glow_blur.frag does. */
static void blur_line(const float *from, float *to, int count, size_t stride) {
    const float offsets[] = {BLUR_OFFSET_1, BLUR_OFFSET_2, BLUR_OFFSET_3};
    const float weights[] = {BLUR_WEIGHT_1, BLUR_WEIGHT_2, BLUR_WEIGHT_3};
    for (int i = 0; i < count; i++) {
        float sum = BLUR_WEIGHT_0 * from[(size_t)i * stride];
        for (int k = 0; k < 3; k++)
            sum += weights[k] * (get_value_between(from, count, stride, (float)i + offsets[k]) +
                                 get_value_between(from, count, stride, (float)i - offsets[k]));
        to[(size_t)i * stride] = sum;
    }
}

/* Applies the cubic B-spline filter of surface.frag at the nodes, where its weights are 1/6, 4/6 and 1/6. */
static void filter(const pd_surface_field *field, float *values, float *rows) {
    size_t stride = (size_t)field->stride;
    for (size_t k = 1; k + 1 < field->size; k++) rows[k] = (values[k - 1] + 4 * values[k] + values[k + 1]) * (1.f / 6);
    for (size_t k = stride; k + stride < field->size; k++)
        values[k] = (rows[k - stride] + 4 * rows[k] + rows[k + stride]) * (1.f / 6);
}

/* Returns the glow at a node of the array, linear between the centres of the glow's texels. */
static float get_glow(const workspace *work, int column, int row) {
    const float shift = 0.5f * (PD_SURFACE_GLOW_REDUCTION - 1);
    float y = fminf(fmaxf(((float)row - shift) / PD_SURFACE_GLOW_REDUCTION, 0), (float)(work->glow_rows - 1));
    float x = ((float)column - shift) / PD_SURFACE_GLOW_REDUCTION;
    int near = (int)y, far = near + 1 < work->glow_rows ? near + 1 : near, columns = work->glow_columns;
    float fraction = y - (float)near;
    return get_value_between(&work->glow[0][(size_t)near * (size_t)columns], columns, 1, x) * (1 - fraction) +
           get_value_between(&work->glow[0][(size_t)far * (size_t)columns], columns, 1, x) * fraction;
}

/* Closes holes inside a body, as surface.frag does. */
static void close_holes(pd_surface_field *field, const workspace *work, float closing) {
    if (!work->nearness && closing <= 0) return;
    for (int j = 0; j < field->rows; j++)
        for (int i = 0; i < field->columns; i++) {
            size_t k = pd_surface_field_index(field, i, j);
            float *value = &field->total[k];
            if (*value <= 0 || *value >= 1) continue;
            float glow = get_glow(work, i + field->margin, j + field->margin);
            float near = work->nearness ? work->nearness[k] : 0;
            float closed = fminf(CLOSING_OBSTACLES * near + closing, 1) * smooth_step(CLOSING_LOW, CLOSING_HIGH, glow);
            *value += closed * smooth_step(0, CLOSING_TRACE, *value) * (1 - *value);
        }
}

static void compute_values(pd_surface_field *field, workspace *work, const pd_view *view, float spacing) {
    float radius = pd_surface_splat_radius_of_spacing(spacing);
    add_splats(field, &work->instances, pd_surface_splat_height(view->spacing, radius), radius);
    for (int i = 0; i < view->obstacle_count; i++) add_nearness(field, work->nearness, &view->obstacles[i], radius);
    for (int i = 0; i < view->body_count; i++) add_nearness(field, work->nearness, &view->bodies[i].area, radius);
    compute_coverage(field, work);
    size_t columns = (size_t)work->glow_columns;
    for (int j = 0; j < work->glow_rows; j++)
        blur_line(&work->glow[0][(size_t)j * columns], &work->glow[1][(size_t)j * columns], work->glow_columns, 1);
    for (size_t i = 0; i < columns; i++) blur_line(&work->glow[1][i], &work->glow[0][i], work->glow_rows, columns);
    filter(field, field->total, work->rows);
    for (int m = 0; m < field->material_count; m++) filter(field, field->amounts + (size_t)m * field->size, work->rows);
    close_holes(field, work, pd_surface_closing(view));
}

pd_result pd_surface_field_create(pd_surface_field *field, const pd_view *view, float alpha, pd_error *error) {
    workspace work = {0};
    size_t refused = pd_memory_refused_request_count();
    pd_view drawn = pd_picture_move_walls_outwards(view);
    *field = (pd_surface_field){.threshold = pd_surface_threshold(view), .container = drawn.container};
    place_instances(field, &work, &drawn, alpha);
    /* Instances without memory are left out in pictures. A file has all of them, or is not written. */
    bool complete = pd_memory_refused_request_count() == refused;
    if (complete && view->count) {
        float spacing = choose_grid(field, &work, &drawn);
        complete = allocate(field, &work, view->obstacle_count + view->body_count > 0);
        if (complete) compute_values(field, &work, &drawn, spacing);
    }
    pd_instances_free(&work.instances);
    pd_memory_free(work.nearness);
    pd_memory_free(work.rows);
    pd_memory_free(work.glow[0]);
    pd_memory_free(work.glow[1]);
    if (complete) return PD_OK;
    pd_surface_field_free(field);
    return pd_fail(error, PD_ERROR_OUT_OF_MEMORY,
                   "cannot find the surface of the fluid: not enough memory (use fewer particles)");
}

void pd_surface_field_free(pd_surface_field *field) {
    pd_memory_free(field->total);
    pd_memory_free(field->amounts);
    *field = (pd_surface_field){0};
}
