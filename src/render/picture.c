#include "render/picture.h"

#include <string.h>

static const char *const look_names[PD_LOOKS] = {"surface", "sprites", "speed", "density", "pressure"};

const char *pd_look_name(pd_look look) { return look_names[look]; }

int pd_look_find(const char *name) {
    for (int i = 0; i < PD_LOOKS; i++)
        if (!strcmp(look_names[i], name)) return i;
    return -1;
}

/* Scales are fixed by the scene, never by the frame: a colour means the same value all the time. */
bool pd_look_legend(pd_look look, const pd_view *view, pd_legend *legend) {
    float speed = view->speed_scale > 0 ? view->speed_scale : 1,
          pressure = view->pressure_scale > 0 ? view->pressure_scale : 1;
    float density = view->rest_density > 0 ? view->rest_density : 1;
    switch (look) {
    case PD_LOOK_SPEED:
        *legend = (pd_legend){"speed", "m/s", 0, 2 * speed};
        return true;
    case PD_LOOK_DENSITY:
        *legend = (pd_legend){"density", view->density_unit, 0, 2 * density};
        return true;
    case PD_LOOK_PRESSURE:
        *legend = (pd_legend){view->pressure_name, view->pressure_unit, -pressure, pressure};
        return true;
    default:
        return false;
    }
}
