#include "render/picture.h"

bool pd_picture_legend(const pd_view *view, const pd_view_mode *mode, pd_legend *legend) {
    const pd_field *field = mode->kind == PD_VIEW_DYES ? NULL : pd_view_field(view, mode->field);
    if (!field) return false;
    *legend = (pd_legend){field->info.title, field->info.unit, field->low, field->high};
    return true;
}
