/* Simulations do not depend on the variants of libm's functions that glibc picks for a processor: scenes and logs of every
 * method have the same hash with and without fused multiply-add. */
#include "command.h"
#include "sanitizers.h"

#include <puddle/method.h>

/* glibc takes sin, cos, exp, log, pow and atan2 without fused multiply-add where this is set. Elsewhere the variable has no
 * effect. */
static const char variable[] = "GLIBC_TUNABLES", without[] = "glibc.cpu.hwcaps=-FMA,-AVX2";

/* Rotations, outlines, directions, decays, defaults by powers, random fill: all that uses elementary functions. */
static const char busy[] =
    "puddle: 1\nmethod: %s\ngravity: [0.7, -1.3]\nparticles: 500\n"
    "container: {shape: box, width: 2.1, height: 1.7}\n"
    "materials:\n  blue: {color: '#3a8fff', contact_angle: 50}\n  gold: {color: '#ffd34d', mass: 1.2, viscosity: 3}\n"
    "regions:\n  - {shape: circle, center: [-0.5, 0.2], radius: 0.3, material: blue, velocity: [0.5, 0.2]}\n"
    "  - {shape: ellipse, center: [0.5, 0.2], size: [0.6, 0.5], material: gold, fill: random}\n"
    "obstacles:\n  - {shape: box, center: [0, -0.5], size: [0.5, 0.06], angle: -342, spin: 70}\n"
    "  - {shape: polygon, center: [0.6, -0.4], spin: -40, points: [[0, 0.2], [0.15, -0.1], [0, 0], [-0.15, -0.1]]}\n"
    "  - {shape: polyline, points: [[-0.9, -0.2], [-0.6, -0.5], [-0.4, -0.5]], thickness: 0.04, spin: 15}\n"
    "  - {shape: circle, center: [-0.2, 0.6], radius: 0.08, velocity: [0.3, 0.1], turn: 0.4}\n"
    "emitters: [{position: [0.1, 0.8], direction: [0.31, -1], speed: 1, width: 0.15, rate: 300, material: gold}]\n"
    "drains: [{shape: circle, center: [-0.9, -0.75], radius: 0.1}]\n"
    "changes: [{shape: box, center: [0.4, 0.3], size: [0.5, 0.5], from: gold, to: blue, rate: 1.7}]\n"
    "parameters: {grid: {resolution: 32}, vortex: {core: 0.1, viscosity: 0.001}}\n";

static void write_busy_scene(const char *name, const char *method, bool log) {
    FILE *file = fopen(at(name), "w");
    assert_non_null(file);
    if (log) fputs("puddle-log 1\nscene\n", file);
    fprintf(file, busy, method);
    if (!log) {
        assert_int_equal(fclose(file), 0);
        return;
    }
    fputs("end\n5 tool drag -0.5 0.2 1 0.3 0.25\n12 tool pull 0.3 0.1 -0.4 0.2 0.3\n20 tool none\n", file);
    for (int k = 0; k < 4; k++) fprintf(file, "%d gravity %.7g %.7g\n", 22 + 4 * k, 1.5 - 0.37 * k, -1.1 - 0.13 * k);
    fputs("36 particles 400\n42 tool pour 0.4 0.5 0 -1 0.1 0\n50 tool none\n", file);
    for (int m = 0; m < pd_method_count(); m++) fprintf(file, "%d method %s\n", 52 + 4 * m, pd_method_at(m)->name);
    fprintf(file, "%d method %s\n80 reset\n95 stop\n", 52 + 4 * pd_method_count(), method);
    assert_int_equal(fclose(file), 0);
}

/* Reads the hash at the end of the last run from its JSON. */
static void read_hash(char hash[20]) {
    cJSON *json = cJSON_Parse(out);
    const cJSON *item = cJSON_GetObjectItem(json, "hash"), *diverged = cJSON_GetObjectItem(json, "diverged_at");
    assert_true(cJSON_IsString(item));
    assert_true(!diverged || cJSON_IsNull(diverged));
    snprintf(hash, 20, "%s", item->valuestring);
    cJSON_Delete(json);
}

/* glibc reads the variable when a program starts: the second run starts the built program. */
static void expect_same(const char *arguments, const char *method) {
    char with[20], out_of[20];
    if (run(arguments) != 0) fail_msg("puddle %s: %s", arguments, err);
    read_hash(with);
    assert_int_equal(setenv(variable, without, 1), 0);
    assert_int_equal(run_built(arguments), 0);
    assert_int_equal(unsetenv(variable), 0);
    read_hash(out_of);
    if (strcmp(with, out_of) != 0) fail_msg("%s, %s: %s with FMA, %s without", method, arguments, with, out_of);
}

static void methods_have_the_same_bits(void **state) {
    (void)state;
    for (int m = 0; m < pd_method_count(); m++) {
        write_busy_scene("busy.yaml", pd_method_at(m)->name, false);
        write_busy_scene("busy.log", pd_method_at(m)->name, true);
        expect_same("run busy.yaml --steps 30 --threads 1 --json --quiet", pd_method_at(m)->name);
        if (is_shortened() && m > 0) continue; /* each log has all methods */
        expect_same("replay busy.log -o end.png --force --size 16x16 --threads 1 --json --quiet",
                    pd_method_at(m)->name);
    }
}

/* A particle begins in a turned box as far from one side as from another. The last bit of the angle's sine or cosine says by
 * which it leaves: for these angles glibc's differ with and without fused multiply-add. */
static void ties_are_decided_alike(void **state) {
    (void)state;
    static const struct {
        double angle, x, y, side;
    } ties[] = {{13.9549999, 0.0159721561, -0.00961412117, 0.0369},
                {17.1620007, 0.0125522651, 0.023769265, 0.0532},
                {21.3649998, 0.0291608255, -0.0127612706, 0.063},
                {52.0330009, 0.0261206105, 0.00322248042, 0.0521},
                {60.1279984, 0.0185859241, 0.00502461195, 0.0381}};
    for (size_t i = 0; i < sizeof ties / sizeof *ties; i++) {
        char text[400];
        snprintf(text, sizeof text,
                 "puddle: 1\nmethod: sph\ngravity: [0, 0]\ncontainer: {shape: box, width: 2, height: 1.6}\n"
                 "regions: [{shape: box, center: [%.9g, %.9g], size: [0.4, 0.4], count: 1}]\n"
                 "obstacles: [{shape: box, center: [0, 0], size: [%g, %g], angle: %.9g}]\n",
                 ties[i].x, ties[i].y, ties[i].side, ties[i].side, ties[i].angle);
        write_text("tie.yaml", text);
        expect_same("run tie.yaml --steps 1 --threads 1 --json --quiet", "sph");
    }
}

TEST_GROUP(libm) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(methods_have_the_same_bits),
        cmocka_unit_test(ties_are_decided_alike),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
