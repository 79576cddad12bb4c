/* Dialogs of the desktop that choose files, by libportal. GLib's main context is run in polls. */
#include "app/device/portal.h"

#include "platform/platform.h"

#include <gio/gio.h>
#include <libportal/portal.h>
#include <stdio.h>
#include <stdlib.h>

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
