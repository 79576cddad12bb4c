#include "render/picture.h"

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
