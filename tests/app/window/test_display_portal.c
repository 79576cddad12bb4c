/* The desktop's dialogs for files: a session bus with a portal that answers as a file says, and one without a
 * portal. */
#include "desktop.h"

#include "window.h"

#include <gio/gio.h>

static pid_t bus, portal;

static const char INTERFACES[] = "<node><interface name='org.freedesktop.portal.FileChooser'>"
                                 "<method name='OpenFile'><arg type='s' direction='in'/><arg type='s' "
                                 "direction='in'/><arg type='a{sv}' direction='in'/>"
                                 "<arg type='o' direction='out'/></method>"
                                 "<method name='SaveFile'><arg type='s' direction='in'/><arg type='s' "
                                 "direction='in'/><arg type='a{sv}' direction='in'/>"
                                 "<arg type='o' direction='out'/></method></interface></node>";

/* ---- The portal, a process of its own ---- */

/* Answers a call: the file "answer" has the path that the user chooses; "": the user cancels; "fail": there is no
 * dialog. What puddle asked for is appended to the file "asked". */
static void on_call(GDBusConnection *connection, const char *sender, const char *path, const char *interface,
                    const char *method, GVariant *arguments, GDBusMethodInvocation *call, gpointer data) {
    (void)path, (void)interface, (void)data;
    const char *title, *token = "", *name = "";
    GVariant *options;
    char answer[512] = "", request[256], *uri;
    g_variant_get(arguments, "(&s&s@a{sv})", NULL, &title, &options);
    g_variant_lookup(options, "handle_token", "&s", &token);
    g_variant_lookup(options, "current_name", "&s", &name);
    FILE *asked = fopen("asked", "a"), *file = fopen("answer", "r");
    fprintf(asked, "%s: %s: %s\n", method, title, name);
    fclose(asked);
    if (file && !fgets(answer, sizeof answer, file)) *answer = '\0';
    if (file) fclose(file);
    answer[strcspn(answer, "\n")] = '\0';
    if (strcmp(answer, "fail") == 0) {
        g_dbus_method_invocation_return_dbus_error(call, "org.freedesktop.DBus.Error.UnknownMethod", "no dialog");
        return;
    }
    snprintf(request, sizeof request, "/org/freedesktop/portal/desktop/request/%s/%s", sender + 1, token);
    for (char *c = request; *c; c++)
        if (*c == '.') *c = '_';
    g_dbus_method_invocation_return_value(call, g_variant_new("(o)", request));
    GVariantBuilder results;
    g_variant_builder_init(&results, G_VARIANT_TYPE_VARDICT);
    const char *uris[] = {NULL, NULL};
    uri = *answer ? g_filename_to_uri(answer, NULL, NULL) : NULL;
    uris[0] = uri;
    if (uri) g_variant_builder_add(&results, "{sv}", "uris", g_variant_new_strv(uris, 1));
    g_dbus_connection_emit_signal(connection, sender, request, "org.freedesktop.portal.Request", "Response",
                                  g_variant_new("(ua{sv})", uri ? 0u : 1u, &results), NULL);
    g_free(uri);
}

static void on_bus(GDBusConnection *connection, const char *name, gpointer data) {
    static const GDBusInterfaceVTable functions = {.method_call = on_call};
    GDBusNodeInfo *node = g_dbus_node_info_new_for_xml(INTERFACES, NULL);
    (void)name, (void)data;
    g_dbus_connection_register_object(connection, "/org/freedesktop/portal/desktop", node->interfaces[0], &functions,
                                      NULL, NULL, NULL);
}

static void on_name(GDBusConnection *connection, const char *name, gpointer data) {
    (void)connection, (void)name, (void)data;
    FILE *file = fopen("portal-ready", "w");
    fclose(file);
}

static void start_portal(void) {
    pid_t parent = getpid();
    fflush(NULL);
    portal = fork();
    if (portal == 0) {
        end_with_parent(parent);
        g_bus_own_name(G_BUS_TYPE_SESSION, "org.freedesktop.portal.Desktop", G_BUS_NAME_OWNER_FLAGS_NONE, on_bus,
                       on_name, NULL, NULL, NULL);
        g_main_loop_run(g_main_loop_new(NULL, FALSE));
        _exit(0);
    }
    await_file("portal-ready");
}

/* ---- The bus ---- */

static void start_bus(void) {
    char address[200];
    write_text("bus.conf", "<busconfig><type>session</type><listen>unix:path=bus</listen>"
                           "<policy context='default'><allow send_destination='*' eavesdrop='true'/><allow "
                           "eavesdrop='true'/><allow own='*'/>"
                           "</policy></busconfig>");
    pid_t parent = getpid();
    fflush(NULL);
    bus = fork();
    if (bus == 0) {
        end_with_parent(parent);
        execlp("dbus-daemon", "dbus-daemon", "--config-file=bus.conf", "--nofork", "--nopidfile", (char *)NULL);
        _exit(127);
    }
    await_file("bus");
    snprintf(address, sizeof address, "unix:path=%s/bus", folder);
    setenv("DBUS_SESSION_BUS_ADDRESS", address, 1);
}

static int stop(void **state) {
    int result = end_programs(state);
    pid_t *const processes[] = {&portal, &bus};
    for (int i = 0; i < 2; i++) {
        if (*processes[i] > 0) kill(*processes[i], SIGKILL), await_exit(*processes[i]);
        *processes[i] = 0;
    }
    unsetenv("DBUS_SESSION_BUS_ADDRESS");
    return result;
}

static const char *const POOL[] = {"pool.yaml", "--json", SMALL, "--stats", "stats.csv", NULL};

static void answer(const char *name) {
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    write_text("answer", *name == '\0' || strcmp(name, "fail") == 0 ? name : path);
}

/* Returns whether puddle has asked the portal so. */
static bool was_asked(const void *line) {
    char command[160];
    snprintf(command, sizeof command, "grep -q '%s' asked", (const char *)line);
    return system(command) == 0;
}

static void test_files_are_chosen_by_the_portal(void **state) {
    (void)state;
    program program;
    start_bus();
    start_portal();
    open_scene(&program, WATER_POOL, POOL);
    await_steps(3);
    answer("here.puddle");
    press(&program, "ctrl+s", "here.puddle");
    answer("scene"); /* without its ending */
    press(&program, "ctrl+shift+s", "scene.yaml");
    answer("scene");
    press(&program, "ctrl+shift+s", "Nothing saved: 'scene.yaml' exists");
    answer("");
    hand("key ctrl+r"); /* cancelled: nothing happens */
    await(was_asked, "SaveFile: Save a log: pool.log", "the dialog of a log");
    answer("scene.yaml");
    press(&program, "ctrl+shift+o", "\"Scene\"");
    shell("grep -qx 'SaveFile: Save a snapshot: pool.puddle' %s", "asked");
    shell("grep -qx 'OpenFile: Open: ' %s", "asked");
    assert_int_equal(access("here.puddle", F_OK), 0);
    hand("key ctrl+q");
    assert_exit(&program, 0);
    assert_string_equal(errors_text(), "");
}

/* Where the portal has no dialog, and where there is no portal, puddle's own dialogs open. */
static void test_own_dialogs_are_the_other_choice(void **state) {
    (void)state;
    program program;
    start_bus();
    start_portal();
    open_scene(&program, WATER_POOL, POOL);
    answer("fail");
    hand("key ctrl+shift+s");
    for (rectangle save = {0}; save.width == 0; save = find_place(&program, "Snapshot")) {}
    hand("key Escape");
    hand("key ctrl+q");
    assert_exit(&program, 0);
    kill(portal, SIGKILL), await_exit(portal);
    portal = 0;
    open_scene(&program, WATER_POOL, POOL);
    hand("key ctrl+shift+s");
    place_of(&program, "Snapshot");
    hand("key Escape");
    hand("key ctrl+shift+o");
    place_of(&program, "Close");
    hand("key ctrl+q");
    assert_exit(&program, 0);
    assert_string_equal(errors_text(), "");
}

TEST_GROUP(display_portal) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_files_are_chosen_by_the_portal, set_up, stop),
        cmocka_unit_test_setup_teardown(test_own_dialogs_are_the_other_choice, set_up, stop),
    };
    return cmocka_run_group_tests(tests, open_display, close_display);
}
