/* Bodies on the command line: --bodies, "bodies" in JSON, motors and springs in scene files. */
#include "command.h"

#include <math.h>
#include <puddle/puddle.h>

#define BODIES                                                                                                         \
    "bodies:\n"                                                                                                        \
    "  - {name: raft, shape: box, center: [0, 0.3], size: [0.4, 0.1], density: 0.5, friction: 0.5}\n"                  \
    "  - {name: wheel, shape: polygon, points: [[0.1, 0], [0, 0.1], [-0.1, 0], [0, -0.1]], density: 1.5}\n"            \
    "  - {shape: circle, center: [0.5, 0], radius: 0.1, density: 2}\n"                                                 \
    "joints:\n"                                                                                                        \
    "  - {type: hinge, bodies: [wheel, world], at: [0, 0]}\n"                                                          \
    "  - {type: motor, bodies: [wheel, world], at: [0, 0], speed: 90, greatest_torque: 2}\n"

static const char head[] = "puddle: 1\nname: b\nparticles: 400\ncontainer: {shape: circle, radius: 1}\n";
static const char water[] = "regions: [{shape: box, center: [0, -0.7], size: [1.2, 0.4]}]\n";
static const char two_places[] =
    "  - {type: spring, bodies: [raft, world], at: [[0, 0.3], [0, 0.9]], length: 0.5, stiffness: 20, damping: 0.5}\n";
static const char two_keys[] =
    "  - {type: spring, bodies: [raft, world], at: [0, 0.3], to: [0, 0.9], length: 0.5, stiffness: 20, damping: 0.5}\n";

static void write_scene(const char *name, const char *regions, const char *bodies, const char *joint) {
    char text[2048];
    snprintf(text, sizeof text, "%s%s%s%s", head, regions, bodies, joint);
    write_text(name, text);
}

static double number(const cJSON *object, const char *key) {
    const cJSON *item = cJSON_GetObjectItem(object, key);
    assert_true(cJSON_IsNumber(item));
    return item->valuedouble;
}

static const cJSON *body_of(const cJSON *result, const char *name) {
    const cJSON *body;
    cJSON_ArrayForEach(body, cJSON_GetObjectItem(result, "bodies")) {
        if (strcmp(cJSON_GetObjectItem(body, "body")->valuestring, name) == 0) return body;
    }
    fail_msg("no body '%s'", name);
    return NULL;
}

/* The file has a row for each step and body; its last rows are the bodies of the JSON object. */
static void rows_of_bodies(void **state) {
    (void)state;
    write_scene("b.yaml", water, BODIES, two_places);
    cJSON *result = parse_output("run b.yaml --steps 30 --bodies rows.csv --state end.csv --json");
    char *rows = read_text("rows.csv"), *end = read_text("end-bodies.csv");
    const char *line = rows, first[] = "step,time,body,x,y,angle,vx,vy,spin,mass\n";
    assert_int_equal(strncmp(rows, first, strlen(first)), 0);
    assert_int_equal(lines(rows), 1 + 30 * 3);
    const char *const names[] = {"raft", "wheel", "2"}; /* an unnamed body has its number */
    const double masses[] = {0.02, 0.03, 2 * 0.01 * 3.14159265358979};
    for (int k = 0; k <= 30 * 3; k++, line = strchr(line, '\n') + 1) {
        char name[16];
        double time, values[7];
        int step, b = (k - 1) % 3;
        if (k == 0) continue;
        assert_int_equal(sscanf(line, "%d,%lf,%15[^,],%lf,%lf,%lf,%lf,%lf,%lf,%lf\n", &step, &time, name, &values[0],
                                &values[1], &values[2], &values[3], &values[4], &values[5], &values[6]),
                         10);
        assert_int_equal(step, (k - 1) / 3 + 1);
        assert_true(fabs(time - step / 60.0) < 1e-5);
        assert_string_equal(name, names[b]);
        assert_true(fabs(values[6] / masses[b] - 1) < 1e-6);
        if (step < 30) continue;
        const char *const keys[] = {"x", "y", "angle", "vx", "vy", "spin", "mass"};
        for (int c = 0; c < 7; c++) assert_true(number(body_of(result, name), keys[c]) == values[c]);
        assert_int_equal((int)number(body_of(result, name), "step"), 30);
    }
    const char longer[] = "step,time,body,x,y,angle,vx,vy,spin,mass,inertia,force_x,force_y,torque\n";
    assert_int_equal(strncmp(end, longer, strlen(longer)), 0);
    assert_int_equal(lines(end), 1 + 3);
    cJSON_Delete(result);
    free(rows), free(end);
}

/* A motor turns the first of its bodies at its speed, counterclockwise, and every method gives impulses and bodies. */
static void motor_in_every_method(void **state) {
    (void)state;
    write_scene("m.yaml", "", BODIES, "");
    for (int i = 0; i < pd_method_count(); i++) {
        char arguments[128];
        snprintf(arguments, sizeof arguments, "run m.yaml --steps 120 --json --quiet --method %s",
                 pd_method_at(i)->name);
        cJSON *result = parse_output(arguments);
        const cJSON *wheel = body_of(result, "wheel");
        assert_true(fabs(number(wheel, "spin") - 90) < 0.1);
        assert_true(number(wheel, "angle") > 150);
        assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(result, "bodies")), 3);
        const cJSON *impulse = cJSON_GetObjectItem(cJSON_GetObjectItem(result, "impulse"), "container");
        for (int k = 0; k < 2; k++) assert_true(cJSON_IsNumber(cJSON_GetArrayItem(impulse, k)));
        cJSON_Delete(result);
    }
}

/* Limits are those of the first body: a flap that may turn by -30 degrees falls so far. */
static void limits_of_the_first_body(void **state) {
    (void)state;
    static const char flap[] = "bodies: [{name: flap, shape: box, center: [0.2, 0], size: [0.4, 0.05]}]\n"
                               "joints: [{type: hinge, bodies: [flap, world], at: [0, 0], limits: [-30, 45]}]\n";
    write_scene("f.yaml", "", flap, "");
    cJSON *result = parse_output("run f.yaml --method sph --seconds 4 --json --quiet");
    assert_true(fabs(number(body_of(result, "flap"), "angle") + 30) < 0.1);
    cJSON_Delete(result);
}

/* Both forms of a spring are the same scene; faults are told where they are. */
static void places_of_a_spring(void **state) {
    (void)state;
    char hash[2][32];
    const char *const forms[] = {two_places, two_keys};
    for (int k = 0; k < 2; k++) {
        write_scene("s.yaml", water, BODIES, forms[k]);
        cJSON *result = parse_output("run s.yaml --steps 30 --json --quiet");
        snprintf(hash[k], sizeof hash[k], "%s", cJSON_GetObjectItem(result, "hash")->valuestring);
        cJSON_Delete(result);
    }
    assert_string_equal(hash[0], hash[1]);
    static const char *const faults[][2] = {
        {"at: [[0, 0.3], [0, 0.9]], to: [0, 1]", "'to' is also the second place of 'at'"},
        {"at: [[0, 0.3]]", "'at' does not list two places"},
        {"at: [[0, 0.3], [0, 1], [0, 2]]", "'at' does not list two places"},
        {"at: [[0, 0.3], 3]", "'to' is '3'"},
        {"at: [[0, 0.3], [.nan, 1]]", "'to' is '.nan'"},
        {"at: []", "has no 'to'"},
    };
    for (size_t k = 0; k < sizeof faults / sizeof *faults; k++) {
        char joint[256];
        snprintf(joint, sizeof joint, "  - {type: spring, bodies: [raft, world], %s, stiffness: 20}\n", faults[k][0]);
        write_scene("s.yaml", water, BODIES, joint);
        assert_error("run s.yaml --steps 1", 2, faults[k][1]);
    }
    write_scene("s.yaml", water, BODIES, "  - {type: weld, bodies: [raft, world], at: [[0, 0.3], [0, 0.9]]}\n");
    assert_error("run s.yaml --steps 1", 2, "'at' is a list");
}

static void faults_of_files(void **state) {
    (void)state;
    write_scene("b.yaml", water, BODIES, "");
    assert_error("run b.yaml --steps 1 --bodies /dev/full", 1, "No space left");
    assert_error("run b.yaml --steps 1 --bodies nowhere/b.csv", 1, "create its folder");
    assert_error("run b.yaml --steps 1 --bodies -", 2, "--bodies is '-' (use FILE.csv)");
    assert_error("run b.yaml --steps 1 --bodies b.yaml", 2, "would overwrite the input");
    assert_error("run b.yaml --steps 1 --bodies a.csv --stats a.csv", 2, "is the file of two outputs");
    assert_error("render b.yaml -o f.png --compare sph,flip --bodies a.csv", 2, "--bodies does not go with --compare");
    assert_false(exists("a.csv"));
}

/* A body that covers the whole container is an error of the scene, not a run without an end. */
static void no_room_for_the_fluid(void **state) {
    (void)state;
    write_scene("full.yaml", water, "bodies: [{shape: circle, center: [0, 0], radius: 1.5}]\n", "");
    assert_error("run full.yaml --steps 1", 2, "leave no room for the fluid (make them smaller)");
    assert_error("run full.yaml --steps 1 --method sph", 2, "leave no room for the fluid (make them smaller)");
    assert_error("render full.yaml -o f.png", 2, "leave no room for the fluid (make them smaller)");
    assert_false(exists("f.png"));
}

TEST_GROUP(cli_bodies) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(rows_of_bodies, make_folder_without_display, remove_folder),
        cmocka_unit_test_setup_teardown(motor_in_every_method, make_folder_without_display, remove_folder),
        cmocka_unit_test_setup_teardown(limits_of_the_first_body, make_folder_without_display, remove_folder),
        cmocka_unit_test_setup_teardown(places_of_a_spring, make_folder_without_display, remove_folder),
        cmocka_unit_test_setup_teardown(faults_of_files, make_folder_without_display, remove_folder),
        cmocka_unit_test_setup_teardown(no_room_for_the_fluid, make_folder_without_display, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
