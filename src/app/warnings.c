/* What the scene asks for and the method does otherwise (pd_world_warning): as a message when it comes up, and in the
 * panel as long as it holds. */
#include "app/state.h"

#include <stdio.h>
#include <string.h>

void pd_app_tell_warnings(pd_app *app, const char *first) {
    char text[480], line[256];
    snprintf(text, sizeof text, "%s", first);
    for (int i = 0; pd_world_warning(app->session.world, i, line, sizeof line); i++) {
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s%s", used ? "; " : "", line);
    }
    if (*text) pd_announce(&app->viewport.announcer, "%s", text);
}

void pd_app_draw_warnings(const pd_app *app) {
    char line[256];
    for (int i = 0; pd_world_warning(app->session.world, i, line, sizeof line); i++) ui_note(app->device.ui, line);
}
