/* The desktop: dialogs that choose files, by libportal, its browser, its clipboard. GLib's main context is run in polls. */
#include "app/device/desktop.h"

#include "core/error.h"
#include "platform/platform.h"
#include <errno.h>
#include <gio/gio.h>
#include <libportal/portal.h>
#include <SDL.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pd_portal {
    XdpPortal *xdp;
    GCancellable *cancellable;
    bool busy, saves; /* a dialog is open; it is for saving */
    pd_portal_answer answer;
    char *path; /* of the chosen file */
};

/* Returns whether there is a session bus. Without one GLib would try to start a bus. */
static bool has_session_bus(void) {
    char path[512];
    const char *address = getenv("DBUS_SESSION_BUS_ADDRESS"), *runtime = getenv("XDG_RUNTIME_DIR");
    if (address && *address) return true;
    if (!runtime || snprintf(path, sizeof path, "%s/bus", runtime) >= (int)sizeof path) return false;
    return pd_os_exists(path);
}

/* Returns whether a list of names on the bus has that of the portal. method: of the bus, which gives the list. */
static bool is_listed(GDBusConnection *bus, const char *method) {
    enum { PATIENCE = 1000 }; /* ms; the bus itself answers */
    bool found = false;
    const char *name;
    GVariantIter *names;
    GVariant *reply =
        g_dbus_connection_call_sync(bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
                                    method, NULL, G_VARIANT_TYPE("(as)"), G_DBUS_CALL_FLAGS_NONE, PATIENCE, NULL, NULL);
    if (!reply) return false;
    g_variant_get(reply, "(as)", &names);
    while (g_variant_iter_next(names, "&s", &name))
        found = found || g_str_equal(name, "org.freedesktop.portal.Desktop");
    g_variant_iter_free(names);
    g_variant_unref(reply);
    return found;
}

pd_portal *pd_portal_open(void) {
    GDBusConnection *bus = has_session_bus() ? g_bus_get_sync(G_BUS_TYPE_SESSION, NULL, NULL) : NULL;
    if (!bus) return NULL;
    g_dbus_connection_set_exit_on_close(bus, FALSE);
    bool found = is_listed(bus, "ListNames") || is_listed(bus, "ListActivatableNames");
    g_object_unref(bus);
    pd_portal *portal = found ? calloc(1, sizeof *portal) : NULL;
    if (!portal) return NULL;
    portal->xdp = xdp_portal_new();
    portal->cancellable = g_cancellable_new();
    return portal;
}

void pd_portal_close(pd_portal *portal) {
    if (!portal) return;
    g_cancellable_cancel(portal->cancellable); /* closes an open dialog */
    if (portal->busy) return;                  /* its answer may still come, and uses the portal */
    g_object_unref(portal->cancellable);
    g_object_unref(portal->xdp);
    g_free(portal->path);
    free(portal);
}

/* Returns the path of the first file of an answer. NULL: the user chose none, or a file that has no path. */
static char *find_chosen_path(GVariant *answer) {
    const char **uris = NULL;
    char *path = NULL;
    if (g_variant_lookup(answer, "uris", "^a&s", &uris) && uris[0]) path = g_filename_from_uri(uris[0], NULL, NULL);
    g_free(uris);
    return path;
}

static void on_answer(GObject *object, GAsyncResult *result, gpointer data) {
    pd_portal *portal = data;
    GError *error = NULL;
    XdpPortal *xdp = XDP_PORTAL(object);
    GVariant *answer = portal->saves ? xdp_portal_save_file_finish(xdp, result, &error)
                                     : xdp_portal_open_file_finish(xdp, result, &error);
    portal->busy = false;
    g_free(portal->path);
    portal->path = answer ? find_chosen_path(answer) : NULL;
    bool cancelled = g_error_matches(error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
    portal->answer = portal->path ? PD_PORTAL_CHOSEN : cancelled ? PD_PORTAL_CANCELLED : PD_PORTAL_FAILED;
    if (answer) g_variant_unref(answer);
    g_clear_error(&error);
}

/* Returns filters in the form of the portal: a(sa(us)), with patterns of kind 0. */
static GVariant *create_filters(const pd_portal_filter *filters, int count) {
    GVariantBuilder list;
    g_variant_builder_init(&list, G_VARIANT_TYPE("a(sa(us))"));
    for (int i = 0; i < count; i++) {
        GVariantBuilder patterns;
        g_variant_builder_init(&patterns, G_VARIANT_TYPE("a(us)"));
        for (const char *const *ending = filters[i].endings; *ending; ending++) {
            char pattern[32];
            snprintf(pattern, sizeof pattern, "*.%s", *ending);
            g_variant_builder_add(&patterns, "(us)", 0u, pattern);
        }
        g_variant_builder_add(&list, "(sa(us))", filters[i].title, &patterns);
    }
    return g_variant_builder_end(&list);
}

static bool begin(pd_portal *portal, bool saves) {
    if (portal->busy) return false;
    portal->busy = true;
    portal->saves = saves;
    portal->answer = PD_PORTAL_NONE;
    return true;
}

bool pd_portal_begin_opening(pd_portal *portal, const char *title, const pd_portal_filter *filters, int count) {
    if (!begin(portal, false)) return false;
    xdp_portal_open_file(portal->xdp, NULL, title, create_filters(filters, count), NULL, NULL, XDP_OPEN_FILE_FLAG_NONE,
                         portal->cancellable, on_answer, portal);
    return true;
}

bool pd_portal_begin_saving(pd_portal *portal, const char *title, const char *folder, const char *name,
                            const pd_portal_filter *filter) {
    if (!begin(portal, true)) return false;
    xdp_portal_save_file(portal->xdp, NULL, title, name, folder, NULL, create_filters(filter, 1), NULL, NULL,
                         XDP_SAVE_FILE_FLAG_NONE, portal->cancellable, on_answer, portal);
    return true;
}

pd_portal_answer pd_portal_poll(pd_portal *portal, char *path, size_t size) {
    if (!portal) return PD_PORTAL_NONE;
    while (g_main_context_iteration(NULL, FALSE)) {}
    pd_portal_answer answer = portal->answer;
    portal->answer = PD_PORTAL_NONE;
    if (answer == PD_PORTAL_CHOSEN && snprintf(path, size, "%s", portal->path) >= (int)size) return PD_PORTAL_FAILED;
    return answer;
}

static void announce_failure(const pd_opener *opener, pd_announcer *announcer) {
    pd_announce_path(announcer, "No browser opens. The manual is", opener->path);
}

void pd_opener_open(pd_opener *opener, pd_announcer *announcer, const char *path) {
    char address[PD_MAX_PATH + 8];
    char *const arguments[] = {"xdg-open", address, NULL};
    snprintf(address, sizeof address, "file://%s", path);
    snprintf(opener->path, sizeof opener->path, "%s", path);
    if (pd_os_start_process(&opener->process, arguments, false, PD_LOCK_NONE, NULL) == 0)
        pd_announce_path(announcer, "The browser opens the manual", path);
    else
        announce_failure(opener, announcer);
}

bool pd_opener_poll(pd_opener *opener, pd_announcer *announcer) {
    bool succeeded;
    if (opener->process == 0 || !pd_os_has_ended(opener->process, false, &succeeded)) return false;
    opener->process = 0;
    if (succeeded) return false;
    announce_failure(opener, announcer);
    return true;
}

/* ---- Pictures in the clipboard ---- */

enum { LARGEST_PICTURE = 1 << 28 };   /* bytes */
static const double LONGEST_WAIT = 3; /* s: for a program that has a picture */

static const char NO_PICTURE[] = "cannot paste: the clipboard has no picture (copy one in another program)";

/* Commands of a window system: put PNG, list types, get PNG, get JPEG. */
typedef struct desktop {
    const char *driver /* of SDL */, *package;
    const char *const set[8], *const list[8], *const get_png[8], *const get_jpeg[8];
} desktop;
static const desktop desktops[] = {{"wayland",
                                    "wl-clipboard",
                                    {"wl-copy", "-t", "image/png"},
                                    {"wl-paste", "-l"},
                                    {"wl-paste", "-n", "-t", "image/png"},
                                    {"wl-paste", "-n", "-t", "image/jpeg"}},
                                   {"x11",
                                    "xclip",
                                    {"xclip", "-selection", "clipboard", "-t", "image/png", "-i"},
                                    {"xclip", "-selection", "clipboard", "-t", "TARGETS", "-o"},
                                    {"xclip", "-selection", "clipboard", "-t", "image/png", "-o"},
                                    {"xclip", "-selection", "clipboard", "-t", "image/jpeg", "-o"}}};

/* Returns the desktop of the window's display. NULL, and *error: the display has no clipboard. */
static const desktop *find_desktop(pd_error *error) {
    const char *driver = SDL_GetCurrentVideoDriver();
    for (size_t i = 0; driver && i < sizeof desktops / sizeof *desktops; i++)
        if (strcmp(driver, desktops[i].driver) == 0) return &desktops[i];
    pd_fail(error, PD_ERROR_USAGE, "cannot reach the clipboard: this display has none (save a picture with F12)");
    return NULL;
}

/* Runs a program whose standard input, or else its output, is a temporary file. A program that serves the clipboard goes on in the
 * background. input: NULL for output. Returns the file at its beginning. NULL: *error says what failed. */
static FILE *run(const desktop *desktop, const char *const *arguments, const void *input, size_t size,
                 const char *failure, pd_error *error) {
    FILE *file = tmpfile();
    bool ready = file && (!input || fwrite(input, 1, size, file) == size), succeeded = false;
    if (!ready || fflush(file) != 0) {
        pd_fail(error, PD_ERROR_FILE_UNWRITABLE, "cannot reach the clipboard: no temporary file (%s)", strerror(errno));
        if (file) fclose(file);
        return NULL;
    }
    rewind(file);
    int number = pd_os_run_with_file((char *const *)arguments, file, input, LONGEST_WAIT, &succeeded);
    if (number)
        pd_fail(error, PD_ERROR_USAGE, "cannot reach the clipboard: '%s' does not start (install %s)", arguments[0],
                desktop->package);
    else if (succeeded) {
        rewind(file);
        return file;
    } else
        pd_fail(error, PD_ERROR_USAGE, "%s", failure);
    fclose(file);
    return NULL;
}

pd_result pd_clipboard_set_png(const uint8_t *bytes, size_t size, pd_error *error) {
    const desktop *desktop = find_desktop(error);
    FILE *file = desktop ? run(desktop, desktop->set, bytes, size,
                               "cannot copy the picture: the clipboard refuses it (save it with F12)", error)
                         : NULL;
    if (file) fclose(file);
    return file ? PD_OK : PD_BAD_INPUT;
}

/* Returns the program that gets the best picture of those that a program lists. NULL: none, and *error. */
static const char *const *find_type(const desktop *desktop, pd_error *error) {
    char line[256];
    const char *const *found = NULL;
    FILE *list = run(desktop, desktop->list, NULL, 0, NO_PICTURE, error);
    if (!list) return NULL;
    while (fgets(line, sizeof line, list)) {
        if (strcmp(line, "image/png\n") == 0) found = desktop->get_png;
        if (strcmp(line, "image/jpeg\n") == 0 && !found) found = desktop->get_jpeg;
    }
    fclose(list);
    if (!found) pd_fail(error, PD_ERROR_USAGE, "%s", NO_PICTURE);
    return found;
}

pd_result pd_clipboard_get_picture(uint8_t **bytes, size_t *size, pd_error *error) {
    *bytes = NULL;
    const desktop *desktop = find_desktop(error);
    const char *const *arguments = desktop ? find_type(desktop, error) : NULL;
    FILE *file = arguments ? run(desktop, arguments, NULL, 0, NO_PICTURE, error) : NULL;
    if (!file) return PD_BAD_INPUT;
    pd_result result = PD_OK;
    long length = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : 0;
    rewind(file);
    if (length <= 0)
        result = pd_fail(error, PD_ERROR_USAGE, "%s", NO_PICTURE);
    else if (length > LARGEST_PICTURE || !(*bytes = malloc((size_t)length)))
        result = pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "cannot paste: the picture is too large (copy a smaller one)");
    else
        *size = fread(*bytes, 1, (size_t)length, file);
    fclose(file);
    return result;
}
