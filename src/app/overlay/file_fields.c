/* The fields Name and Folder of dialogs that write a file. */
#include "app/overlay/interface.h"

#include "app/io/paths.h"
#include "app/io/settings.h"
#include "core/text.h"
#include <stdio.h>
#include <string.h>

static const float MESSAGE_HEIGHT = 34; /* units: two lines */

void pd_file_fields_begin(pd_file_fields *file, const pd_session *session) {
    *file = (pd_file_fields){0};
    pd_app_make_slug(pd_world_scene(session->world)->name, file->name, PD_MAX_NAME);
    pd_settings_find_output_folder(file->folder, sizeof file->folder);
}

void pd_file_fields_update(pd_file_fields *file, const char *suffix) {
    char folder[PD_MAX_PATH], path[PD_MAX_PATH];
    pd_os_absolute_path(file->folder, NULL, folder, sizeof folder);
    pd_os_absolute_path(file->name, folder, path, sizeof path);
    snprintf(file->path, sizeof file->path, "%s%s", path, pd_text_ends_in(path, suffix) ? "" : suffix);
}

/* Returns whether the last part of the name has a character that is no space. */
static bool has_name(const pd_file_fields *file) {
    const char *last = pd_path_name(file->name);
    return last[strspn(last, " ")] != '\0';
}

/* Draws the field of a row. */
static void draw_field(ui *gui, pd_file_fields *file, const char *label, const char *hint, ui_focus focus, char *text) {
    ui_draw_row_label(gui, label);
    if (ui_edit_text(gui, label, hint, focus, text, PD_MAX_PATH) != UI_MOVED) return;
    *file->problem = '\0';
    file->warned = false;
}

void pd_file_fields_draw(ui *gui, pd_file_fields *file) {
    char text[PD_MAX_PATH + 64];
    const char *slash = strrchr(file->path, '/');
    draw_field(gui, file, "Name", "Name of the file", UI_FOCUS_FIRST, file->name);
    draw_field(gui, file, "Folder", "Folder of the file", UI_FOCUS_BY_CLICK, file->folder);
    if (*file->problem)
        snprintf(text, sizeof text, "%s", file->problem);
    else if (file->exists)
        snprintf(text, sizeof text, "'%s' exists. %s", slash + 1,
                 file->warned ? "Press Enter again to replace it." : "Choose another name, or replace it.");
    else
        snprintf(text, sizeof text, "%s", has_name(file) ? file->path : "");
    ui_scroll_begin(gui, "message", MESSAGE_HEIGHT);
    ui_draw_wrapped_text(gui, UI_SMALL, *file->problem || file->exists ? UI_WARNING : UI_QUIET, text);
    ui_scroll_end(gui);
}

bool pd_file_fields_accept(pd_file_fields *file, bool key) {
    char folder[PD_MAX_PATH];
    pd_error error;
    *file->problem = '\0';
    if (!has_name(file)) {
        snprintf(file->problem, sizeof file->problem, "The file needs a name");
        return false;
    }
    if (strlen(file->path) > PD_MAX_PATH - 64) {
        snprintf(file->problem, sizeof file->problem, "The name is too long");
        return false;
    }
    if (file->exists && key && !file->warned) {
        file->warned = true;
        return false;
    }
    snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(file->path, '/') - file->path), file->path);
    int number = *folder ? pd_os_create_folders(folder, true, NULL) : 0;
    if (!number) return true;
    pd_fail_unwritable(folder, number, &error);
    snprintf(file->problem, sizeof file->problem, "%s", error.message);
    return false;
}

void pd_file_fields_end(const pd_file_fields *file) {
    char folder[PD_MAX_PATH], before[PD_MAX_PATH];
    snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(file->path, '/') - file->path), file->path);
    pd_settings_find_output_folder(before, sizeof before);
    if (strcmp(folder, before) != 0) pd_settings_save(PD_SETTING_FOLDER, *folder ? folder : "/", NULL);
}
