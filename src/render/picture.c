#include "render/picture.h"

#include "render/solid.h"
#include <cglm/cglm.h>
#include <math.h>
#include <string.h>

bool pd_picture_find_legend(const pd_view *view, const pd_view_mode *mode, pd_legend *legend) {
    if (mode->kind == PD_VIEW_VORTICES) {
        /* A colour is for the square root of a circulation. The legend ends at twice the characteristic circulation, so
         * that the latter is vivid instead of light, as the end of the colour map is. */
        float end = view->circulation_scale > 0 ? 2 * view->circulation_scale : 1;
        *legend = (pd_legend){"circulation", "m²/s", -end, end};
        return true;
    }
    const pd_field *field = mode->kind == PD_VIEW_DYES ? NULL : pd_view_field(view, mode->field);
    if (!field) return false;
    *legend = (pd_legend){field->info.title, field->info.unit, field->low, field->high};
    return true;
}

pd_view pd_picture_move_walls_outwards(const pd_view *view) {
    pd_view drawn = *view;
    drawn.container.radius += view->spacing / 2;
    drawn.container.width += view->spacing;
    drawn.container.height += view->spacing;
    return drawn;
}

const char *pd_lines_name(pd_view_lines lines) {
    static const char *const names[PD_LINES_COUNT] = {"none", "contours", "streamlines", "arrows"};
    return names[lines];
}

static bool is_cell_field(const pd_view *view, const char *name) {
    for (int i = 0; name && i < view->field_count; i++) {
        const pd_field_info *info = &view->fields[i]->info;
        if (strcmp(info->name, name) == 0) return info->support == PD_FIELD_OF_CELLS;
    }
    return false;
}

bool pd_lines_can_be_drawn(const pd_view *view, const pd_view_mode *mode, pd_view_lines lines) {
    if (lines == PD_LINES_NONE) return true;
    if (lines == PD_LINES_CONTOURS) return mode->kind == PD_VIEW_IMAGE && is_cell_field(view, mode->field);
    return is_cell_field(view, "velocity_x") && is_cell_field(view, "velocity_y");
}

/* ---- Camera ---- */

/* Margin around the view for the container's outline and glow, as a fraction of the smaller side of the picture. */
static const float margin = 0.035f;

void pd_camera_fit_view(pd_camera *camera, const pd_view *view, int width, int height) {
    camera->width = width > 0 ? width : 1;
    camera->height = height > 0 ? height : 1;
    float across = view->high.x - view->low.x, up = view->high.y - view->low.y;
    if (!(across > 1e-6f) || !isfinite(across)) across = 1e-6f;
    if (!(up > 1e-6f) || !isfinite(up)) up = 1e-6f;
    float room = 1 - 2 * margin;
    float border = 2 * margin * fminf((float)camera->width, (float)camera->height);
    float free_width = fmaxf((float)camera->width - border, room);
    float free_height = fmaxf((float)camera->height - border, room);
    camera->zoom = 1;
    camera->pixels_per_metre = fminf(free_width / across, free_height / up);
    camera->center = (pd_vec2){0.5f * (view->low.x + view->high.x), 0.5f * (view->low.y + view->high.y)};
    if (!isfinite(camera->center.x) || !isfinite(camera->center.y)) camera->center = (pd_vec2){0, 0};
}

void pd_camera_fit_framed_view(pd_camera *camera, const pd_view *view, const pd_framing *framing, int width,
                               int height) {
    int left = (int)framing->left, top = (int)framing->top, right = (int)framing->right, bottom = (int)framing->bottom;
    pd_camera_fit_view(camera, view, width - left - right, height - top - bottom);
    if (framing->zoom > 0) camera->zoom = framing->zoom;
    camera->pixels_per_metre *= camera->zoom;
    camera->center.x += framing->shift.x - 0.5f * (float)(left - right) / camera->pixels_per_metre;
    camera->center.y += framing->shift.y + 0.5f * (float)(top - bottom) / camera->pixels_per_metre;
    camera->width = width > 0 ? width : 1;
    camera->height = height > 0 ? height : 1;
}

pd_vec2 pd_camera_pixels_to_world(const pd_camera *camera, float pixel_x, float pixel_y) {
    return (pd_vec2){camera->center.x + (pixel_x - 0.5f * (float)camera->width) / camera->pixels_per_metre,
                     camera->center.y - (pixel_y - 0.5f * (float)camera->height) / camera->pixels_per_metre};
}

pd_vec2 pd_camera_world_to_pixels(const pd_camera *camera, pd_vec2 point) {
    return (pd_vec2){0.5f * (float)camera->width + (point.x - camera->center.x) * camera->pixels_per_metre,
                     0.5f * (float)camera->height - (point.y - camera->center.y) * camera->pixels_per_metre};
}

bool pd_camera_rectangle_meets_container(const pd_camera *camera, const pd_container *container, pd_vec2 low,
                                         pd_vec2 high) {
    pd_vec2 center = pd_camera_world_to_pixels(camera, (pd_vec2){0, 0});
    float x = fmaxf(fmaxf(low.x - center.x, center.x - high.x), 0) / camera->pixels_per_metre;
    float y = fmaxf(fmaxf(low.y - center.y, center.y - high.y), 0) / camera->pixels_per_metre;
    if (container->shape == PD_CONTAINER_BOX) return x < 0.5f * container->width && y < 0.5f * container->height;
    return container->shape == PD_CONTAINER_NONE || hypotf(x, y) < container->radius;
}

void pd_camera_compute_clip_matrix(const pd_camera *camera, float matrix[4][4]) {
    float half_width = 0.5f * (float)camera->width / camera->pixels_per_metre;
    float half_height = 0.5f * (float)camera->height / camera->pixels_per_metre;
    mat4 result;
    glm_ortho(camera->center.x - half_width, camera->center.x + half_width, camera->center.y - half_height,
              camera->center.y + half_height, -1, 1, result);
    for (int column = 0; column < 4; column++)
        for (int row = 0; row < 4; row++) matrix[column][row] = result[column][row];
}

bool pd_camera_clip_rectangle(const pd_camera *camera, const pd_pixel_area *area, const pd_container *container,
                              double x, double y, double width, double height, float clip_rectangle[4]) {
    pd_rounded_box wall = pd_container_as_rounded_box(container);
    double half[2] = {(double)(wall.half_width + wall.radius), (double)(wall.half_height + wall.radius)};
    double low[2] = {x, y}, high[2] = {x + width, y + height}, size[2] = {camera->width, camera->height};
    double start[2] = {area->x, area->y}, part[2] = {area->width, area->height};
    double middle[2] = {(double)camera->center.x, (double)camera->center.y};
    for (int i = 0; i < 2; i++) {
        double from = (fmax(low[i], -half[i]) - middle[i]) * (double)camera->pixels_per_metre + 0.5 * size[i];
        double to = (fmin(high[i], half[i]) - middle[i]) * (double)camera->pixels_per_metre + 0.5 * size[i];
        /* Bounds of the clip_rectangle are whole pixels, so that the picture does not depend on its division into areas. */
        clip_rectangle[i] = (float)fmax((floor(from) - 1 - start[i]) * 2 / part[i] - 1, -1);
        clip_rectangle[i + 2] = (float)fmin((ceil(to) + 1 - start[i]) * 2 / part[i] - 1, 1);
        if (!(clip_rectangle[i] < clip_rectangle[i + 2])) return false;
    }
    return true;
}
