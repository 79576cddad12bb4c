/* The dialog that saves a snapshot, a scene file or a log under a name. */
#include "app/overlay/interface.h"

#include <stdio.h>

static bool open_form(pd_screen *screen, pd_action action) {
    pd_save_dialog *save = &screen->viewport->save;
    save->kind = action == PD_ACTION_SAVE         ? PD_FILE_SNAPSHOT
                 : action == PD_ACTION_SAVE_SCENE ? PD_FILE_SCENE
                                                  : PD_FILE_LOG;
    pd_file_fields_begin(&save->file, screen->session);
    return true;
}

static void choose_kind(pd_save_dialog *save, int kind) {
    if (kind < 0 || kind >= PD_FILE_KINDS) return;
    save->kind = (pd_file_kind)kind;
    *save->file.problem = '\0';
    save->file.warned = false;
}

static void update_path(pd_save_dialog *save) {
    pd_file_fields_update(&save->file, pd_file_suffix(save->kind));
    save->file.exists = pd_session_would_replace(save->kind, save->file.path);
}

static void accept(pd_screen *screen, bool key) {
    pd_save_dialog *save = &screen->viewport->save;
    pd_error error;
    update_path(save);
    if (!pd_file_fields_accept(&save->file, key)) return;
    if (pd_session_save(screen->session, save->kind, save->file.path, &error)) {
        snprintf(save->file.problem, sizeof save->file.problem, "%s", error.message);
        return;
    }
    pd_file_fields_end(&save->file);
    pd_dialog_close(screen);
}

static void handle_key(pd_screen *screen, int code) {
    pd_save_dialog *save = &screen->viewport->save;
    if (code == PD_KEY_UP || code == PD_KEY_DOWN) choose_kind(save, (int)save->kind + (code == PD_KEY_UP ? -1 : 1));
}

static bool draw(pd_screen *screen) {
    static const char *const names[] = {"Snapshot", "Scene", "Log"};
    static const char *const about[] = {"Continues exactly where the fluid is now",
                                        "The scene as a text file, to change by hand",
                                        "All input of the last two minutes, to watch again"};
    pd_save_dialog *save = &screen->viewport->save;
    ui *gui = screen->gui;
    bool chosen = true;
    for (int kind = 0; kind < PD_FILE_KINDS; kind++) {
        ui_push push = {.name = names[kind],
                        .help = about[kind],
                        .text = names[kind],
                        .width = 88,
                        .height = 26,
                        .chosen = kind == (int)save->kind};
        if (kind > 0) ui_same_line(gui, 4);
        if (ui_draw_push_button(gui, &push)) choose_kind(save, kind);
    }
    char text[160];
    snprintf(text, sizeof text, "%s%s", about[save->kind],
             screen->session->second.world ? ". Only the left pane is saved" : "");
    ui_draw_wrapped_text(gui, UI_SMALL, UI_QUIET, text);
    ui_add_space(gui, 4);
    update_path(save);
    pd_file_fields_draw(gui, &save->file);
    return ui_draw_accept_button(gui, save->file.exists ? "Replace" : "Save", &chosen);
}

const pd_dialog_form pd_save_form = {.width = 480,
                                     .height = 292,
                                     .title = "Save",
                                     .note = "Enter saves; Up and Down select what; Esc closes",
                                     .open = open_form,
                                     .handle_key = handle_key,
                                     .draw = draw,
                                     .accept = accept};
