/* The open dialog, and the actions that open one. */
#include "app/overlay/interface.h"

static const struct {
    pd_action action;
    pd_dialog_kind kind;
} openings[] = {{PD_ACTION_NEW_SCENE, PD_DIALOG_NEW_SCENE},
                {PD_ACTION_SAVE, PD_DIALOG_SAVE},
                {PD_ACTION_SAVE_SCENE, PD_DIALOG_SAVE},
                {PD_ACTION_KEEP_LOG, PD_DIALOG_SAVE},
                {PD_ACTION_EXPORT, PD_DIALOG_EXPORT}};

static const pd_dialog_form *form_of(pd_dialog_kind kind) {
    static const pd_dialog_form *const forms[PD_DIALOGS] = {NULL, &pd_new_scene_form, &pd_save_form, &pd_export_form};
    return forms[kind];
}

bool pd_dialog_open(pd_screen *screen, pd_action action) {
    pd_dialog *dialog = &screen->viewport->dialog;
    for (size_t i = 0; i < sizeof openings / sizeof *openings; i++) {
        if (openings[i].action != action) continue;
        if (form_of(openings[i].kind)->open(screen, action)) dialog->kind = openings[i].kind;
        screen->viewport->help = screen->viewport->material_palette.open = false;
        ui_request_frame(screen->gui);
        return true;
    }
    return false;
}

void pd_dialog_close(pd_screen *screen) {
    screen->viewport->dialog.kind = PD_DIALOG_NONE;
    ui_close_menu(screen->gui);
}

/* Escape closes an open menu of the dialog first. */
static void close_highest(pd_screen *screen) {
    if (!ui_close_menu_of_dialog(screen->gui)) pd_dialog_close(screen);
}

static bool is_open(const pd_screen *screen) { return screen->viewport->dialog.kind != PD_DIALOG_NONE; }

static bool handle_key(pd_screen *screen, int code, int modifiers, bool repeats) {
    (void)modifiers;
    if (!is_open(screen)) return false;
    const pd_dialog_form *form = form_of(screen->viewport->dialog.kind);
    if (code == PD_KEY_ENTER && !repeats) form->accept(screen, true);
    if (code != PD_KEY_ENTER && form->handle_key) form->handle_key(screen, code);
    return true;
}

/* Closes the dialog by a press beside it. ImGui handles presses on the dialog. */
static bool handle_press(pd_screen *screen, bool left) {
    const pd_dialog *dialog = &screen->viewport->dialog;
    bool beside = !pd_plate_contains(&dialog->plate, screen->x, screen->y);
    if (is_open(screen) && left && beside) pd_dialog_close(screen);
    return false;
}

static void draw(pd_screen *screen) {
    pd_dialog *dialog = &screen->viewport->dialog;
    if (!is_open(screen)) return;
    const pd_dialog_form *form = form_of(dialog->kind);
    dialog->plate.width = form->width;
    dialog->plate.height = form->height;
    if (!ui_dialog_begin(screen->gui, form->title, UI_IN_THE_MIDDLE, &dialog->plate.x, &dialog->plate.y,
                         &dialog->plate.width, &dialog->plate.height))
        return;
    bool accepted = form->draw(screen);
    ui_dialog_end(screen->gui, form->note);
    if (accepted) form->accept(screen, false);
}

const pd_layer pd_dialog_layer = {.modal = true,
                                  .stops = true,
                                  .is_open = is_open,
                                  .close = close_highest,
                                  .handle_press = handle_press,
                                  .handle_key = handle_key,
                                  .draw = draw};
