/* Exchange of the window with the desktop: pictures by the clipboard, files by the desktop's own dialogs, and the
 * manual in the browser. */
#include "app/loop.h"

#include "app/device/desktop.h"
#include "app/io/settings.h"
#include "app/session/session.h"
#include "core/file.h"
#include "core/text.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Pictures in the clipboard ---- */

static void copy_picture(pd_app *app) {
    pd_device *device = &app->device;
    pd_announcer *announcer = &app->viewport.announcer;
    pd_picture pictures[2];
    pd_error error;
    uint8_t *png = NULL;
    size_t size;
    int count = pd_app_describe_shown_pictures(app, pictures);
    pd_result result =
        pd_screenshot_draw_png(&device->recorder, device->renderer, pictures, count, &png, &size, &error);
    if (!result) result = pd_clipboard_set_png(png, size, &error);
    free(png);
    if (result)
        pd_announce_error(announcer, &error);
    else
        pd_announce(announcer, "Copied the picture");
}

/* Writes a picture to a file of the user's cache, which the next one replaces. */
static pd_result write_pasted_picture(const uint8_t *bytes, size_t size, char *path, size_t path_size,
                                      pd_error *error) {
    char folder[PD_MAX_PATH] = "~/.cache/puddle";
    bool jpeg = size > 1 && bytes[0] == 0xff && bytes[1] == 0xd8;
    int number = pd_os_user_folder(PD_CACHE_FOLDER, "puddle", folder, sizeof folder)
                     ? pd_os_create_folders(folder, true, NULL)
                     : ENOENT;
    if (number) return pd_fail_unwritable(folder, number, error);
    if (snprintf(path, path_size, "%s/pasted.%s", folder, jpeg ? "jpg" : "png") >= (int)path_size)
        return pd_fail_unwritable(folder, ENAMETOOLONG, error);
    return pd_file_write_replacing_link(path, bytes, size, error);
}

void pd_app_open_dropped_file(pd_app *app, const char *path, bool as_body) {
    pd_session *session = &app->session;
    const pd_pointer *pointer = &app->device.pointer;
    pd_vec2 place = {0, 0};
    if (!as_body || !pd_path_is_picture(path)) {
        pd_session_open_file(session, path);
        return;
    }
    pd_session_end_seek_and_rewind(session);
    pd_app_update_pointer_position(app);
    if (pointer->in_window && pd_session_distance_outside(session, pointer->position) <= 0) place = pointer->position;
    pd_session_add_body_of_picture(session, path, place);
}

/* Pastes the clipboard's picture as fluid, or as a body at the pointer. */
static void paste_picture(pd_app *app, bool as_body) {
    char path[PD_MAX_PATH];
    pd_error error;
    uint8_t *bytes;
    size_t size;
    pd_result result = pd_clipboard_get_picture(&bytes, &size, &error);
    if (!result) result = write_pasted_picture(bytes, size, path, sizeof path, &error);
    free(bytes);
    if (result)
        pd_announce_error(&app->viewport.announcer, &error);
    else
        pd_app_open_dropped_file(app, path, as_body);
}

/* ---- Dialogs of the desktop ---- */

static bool find_kind(pd_action action, pd_file_kind *kind) {
    *kind = action == PD_ACTION_SAVE ? PD_FILE_SNAPSHOT : action == PD_ACTION_SAVE_SCENE ? PD_FILE_SCENE : PD_FILE_LOG;
    return action == PD_ACTION_SAVE || action == PD_ACTION_SAVE_SCENE || action == PD_ACTION_KEEP_LOG;
}

static bool begin_saving(pd_app *app, pd_file_kind kind) {
    static const char *const titles[] = {"Save a snapshot", "Save a scene", "Save a log"};
    char slug[PD_MAX_NAME], name[PD_MAX_NAME + 8], folder[PD_MAX_PATH];
    const char *suffix = pd_file_suffix(kind);
    pd_portal_filter filter = {titles[kind] + strlen("Save a "), {suffix + 1}};
    pd_app_make_slug(pd_world_scene(app->session.world)->name, slug, sizeof slug);
    snprintf(name, sizeof name, "%s%s", slug, suffix);
    pd_settings_find_output_folder(folder, sizeof folder);
    return pd_portal_begin_saving(app->device.portal, titles[kind], folder, name, &filter);
}

static bool begin_opening(pd_app *app) {
    static const pd_portal_filter filters[] = {
        {"Scenes, snapshots and pictures", {"yaml", "yml", "puddle", "png", "jpg", "jpeg", "svg"}},
        {"Scenes", {"yaml", "yml"}},
        {"Snapshots", {"puddle"}},
        {"Pictures, which become fluid", {"png", "jpg", "jpeg", "svg"}}};
    return pd_portal_begin_opening(app->device.portal, "Open", filters, sizeof filters / sizeof *filters);
}

/* Opens the desktop's dialog of an action. False: the action has none, or the session has no portal. */
static bool open_dialog(pd_app *app, pd_action action) {
    pd_device *device = &app->device;
    pd_file_kind kind;
    bool saves = find_kind(action, &kind);
    if (!saves && action != PD_ACTION_OPEN_FILE) return false;
    if (!device->portal_searched) device->portal = pd_portal_open();
    device->portal_searched = true;
    if (!device->portal) return false;
    if (saves ? begin_saving(app, kind) : begin_opening(app))
        device->portal_action = action;
    else
        pd_announce(&app->viewport.announcer, "A dialog of the desktop is open already");
    return true;
}

/* Saves to the chosen path, with the ending of the kind. A file whose name the user did not type is not replaced. */
static void save_to_chosen_path(pd_app *app, pd_file_kind kind, const char *path) {
    pd_announcer *announcer = &app->viewport.announcer;
    char whole[PD_MAX_PATH + 16], folder[PD_MAX_PATH];
    pd_error error;
    const char *suffix = pd_file_suffix(kind);
    bool complete = pd_text_ends_in(path, suffix);
    snprintf(whole, sizeof whole, "%s%s", path, complete ? "" : suffix);
    if (!complete && pd_os_exists(whole)) {
        pd_announce(announcer, "Nothing saved: '%s' exists (choose that file to replace it)", pd_path_name(whole));
        return;
    }
    if (pd_session_save(&app->session, kind, whole, &error)) {
        pd_announce_error(announcer, &error);
        return;
    }
    snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(whole, '/') - whole), whole);
    pd_settings_save(PD_SETTING_FOLDER, *folder ? folder : "/", NULL);
}

/* Continues with puddle's own dialog, where the desktop's cannot open. */
static void open_own_dialog(pd_app *app, pd_action action) {
    if (action == PD_ACTION_OPEN_FILE)
        pd_app_perform_action(app, PD_ACTION_BROWSE, 0);
    else
        pd_dialog_open(&app->screen, action);
    app->redraw = 3;
}

bool pd_app_perform_desktop_action(pd_app *app, pd_action action, int argument) {
    if (action == PD_ACTION_COPY)
        copy_picture(app);
    else if (action == PD_ACTION_PASTE)
        paste_picture(app, argument != 0);
    else if (action == PD_ACTION_MANUAL) {
        pd_announcer *announcer = &app->viewport.announcer;
        char path[PD_MAX_PATH];
        if (pd_help_find_manual(path, sizeof path))
            pd_opener_open(&app->device.opener, announcer, path);
        else
            pd_announce(announcer, "The manual is not installed (install puddle with its documentation)");
    } else if (!open_dialog(app, action)) {
        if (action != PD_ACTION_OPEN_FILE) return false;
        open_own_dialog(app, action);
    }
    return true;
}

void pd_app_poll_desktop(pd_app *app) {
    char path[PD_MAX_PATH];
    pd_file_kind kind;
    pd_action action = (pd_action)app->device.portal_action;
    if (pd_opener_poll(&app->device.opener, &app->viewport.announcer)) app->redraw = 2;
    pd_portal_answer answer = pd_portal_poll(app->device.portal, path, sizeof path);
    if (answer == PD_PORTAL_FAILED) {
        pd_portal_close(app->device.portal);
        app->device.portal = NULL; /* not asked again in this run */
        open_own_dialog(app, action);
    }
    if (answer != PD_PORTAL_CHOSEN) return;
    app->redraw = 3;
    if (find_kind(action, &kind))
        save_to_chosen_path(app, kind, path);
    else
        pd_session_open_file(&app->session, path);
}
