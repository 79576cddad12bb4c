/* Files for other programs: series and solids for ParaView, arrays for NumPy. tests/install/test_exchange.py opens them with the
 * readers of VTK and NumPy. */
#include "command.h"

#include <stdlib.h>

#define SOLIDS                                                                                                         \
    "puddle: 1\nparticles: 100\ncontainer: {shape: box, width: 2, height: 1}\n"                                        \
    "regions: [{shape: box, center: [0, -0.4], size: [2, 0.2]}]\n"                                                     \
    "obstacles:\n"                                                                                                     \
    "  - {shape: box, center: [0.5, 0.25], size: [0.5, 0.25], velocity: [0, 0]}\n"                                     \
    "  - {shape: polyline, points: [[-0.5, 0], [0, 0], [0, 0.5]], thickness: 0.125}\n"                                 \
    "bodies: [{shape: polygon, points: [[0, 0], [0.25, 0], [0, 0.25]], center: [-0.75, 0.25], density: 0.5}]\n"

/* Checks that the list `name` has `count` files, and returns the JSON text. */
static char *read_series(const char *name, int count) {
    char *text = read_text(name);
    cJSON *list = cJSON_Parse(text), *files = cJSON_GetObjectItem(list, "files");
    assert_string_equal(cJSON_GetObjectItem(list, "file-series-version")->valuestring, "1.0");
    assert_int_equal(cJSON_GetArraySize(files), count);
    for (int i = 0; i < count; i++) {
        const cJSON *file = cJSON_GetArrayItem(files, i);
        assert_true(cJSON_IsNumber(cJSON_GetObjectItem(file, "time")));
        char path[256];
        snprintf(path, sizeof path, "files/%s", cJSON_GetObjectItem(file, "name")->valuestring);
        assert_true(exists(path));
    }
    cJSON_Delete(list);
    return text;
}

/* A series lists the files of the run, not those of an earlier and longer one. Names are relative to its folder. */
static void series_lists_the_files_of_the_run(void **state) {
    (void)state;
    shell("mkdir -p files");
    write_text("solids.yaml", SOLIDS);
    assert_int_equal(run("run solids.yaml --method flip --steps 6 --state files/p.vtk --state-every 2 --quiet"), 0);
    free(read_series("files/p.vtk.series", 3));
    free(read_series("files/p-cells.vtk.series", 3));
    free(read_series("files/p-solids.vtk.series", 3));
    assert_int_equal(run("run solids.yaml --method flip --steps 5 --state files/p.vtk --state-every 2 --quiet"), 0);
    free(read_series("files/p-solids.vtk.series", 2));
    char *text = read_series("files/p.vtk.series", 2);
    cJSON *list = cJSON_Parse(text);
    const cJSON *last = cJSON_GetArrayItem(cJSON_GetObjectItem(list, "files"), 1);
    assert_string_equal(cJSON_GetObjectItem(last, "name")->valuestring, "p_000004.vtk");
    assert_float_equal(cJSON_GetObjectItem(last, "time")->valuedouble, 4 / 60.0, 1e-8);
    cJSON_Delete(list);
    free(text);
    assert_false(exists("files/p.csv.series"));
}

/* Methods without cells have no file of cells; a state at the end alone has no series. */
static void only_parts_of_the_state_are_written(void **state) {
    (void)state;
    write_text("solids.yaml", SOLIDS);
    assert_int_equal(run("run solids.yaml --steps 2 --state only.vtk --quiet"), 0);
    assert_true(exists("only.vtk") && exists("only-solids.vtk") && exists("only-bodies.csv"));
    assert_false(exists("only-cells.vtk"));
    assert_false(exists("only.vtk.series"));
    assert_int_equal(run("run solids.yaml --steps 2 --state only.csv --quiet"), 0);
    assert_false(exists("only-solids.csv"));
}

static void solids_are_lines_and_polygons(void **state) {
    (void)state;
    write_text("solids.yaml", SOLIDS);
    assert_int_equal(run("run solids.yaml --steps 0 --state s.vtk --quiet"), 0);
    char *text = read_text("s-solids.vtk");
    static const char *const parts[] = {
        "\nPOINTS 143 float\n-1 -0.5 0\n1 -0.5 0\n1 0.5 0\n-1 0.5 0\n", /* 4 + 4 + 2 x 66 + 3 */
        "\n0.25 0.125 0\n0.75 0.125 0\n0.75 0.375 0\n0.25 0.375 0\n",   /* the box */
        "\nLINES 1 6\n5 0 1 2 3 0\nPOLYGONS 4 143\n4 4 5 6 7\n66 8 9 ",
        "\n3 140 141 142\nCELL_DATA 5\n",
        "\nSCALARS kind int 1\nLOOKUP_TABLE default\n0\n1\n1\n1\n2\n",
        "\nSCALARS index int 1\nLOOKUP_TABLE default\n0\n0\n1\n1\n0\n"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) assert_non_null(strstr(text, parts[i]));
    free(text);
    write_text("open.yaml",
               "puddle: 1\ncontainer: {shape: none}\nregions: [{shape: circle, center: [0, 0], radius: 0.1}]\n");
    assert_int_equal(run("run open.yaml --steps 0 --state open.vtk --quiet"), 0);
    text = read_text("open-solids.vtk");
    assert_non_null(strstr(text, "\nPOINTS 0 float\nCELL_DATA 0\n"));
    free(text);
}

/* Runs of one scene on one and two threads write .npz files with the same bytes. */
static void arrays_are_the_same_bytes(void **state) {
    (void)state;
    write_text("solids.yaml", SOLIDS);
    assert_int_equal(run("run solids.yaml --method flip --steps 3 --threads 1 --state a.npz --quiet"), 0);
    assert_int_equal(run("run solids.yaml --method flip --steps 3 --threads 2 --state b.npz --quiet"), 0);
    shell("cmp a.npz b.npz");
    assert_true(exists("a-bodies.csv"));
    assert_int_equal(run("run solids.yaml --method flip --steps 3 --state c.npz --state-every 3 --quiet"), 0);
    shell("cmp a.npz c_000003.npz");
}

/* A full disk is one line, and leaves older files as they were. */
static void a_full_disk_is_reported(void **state) {
    (void)state;
    write_text("solids.yaml", SOLIDS);
    assert_int_equal(run("run solids.yaml --steps 1 --state full.npz --quiet"), 0);
    shell("cp full.npz before");
    assert_int_equal(run_limited(1024, "run solids.yaml --steps 3 --state full.npz --quiet"), 1);
    assert_int_equal(lines(err), 1);
    assert_non_null(strstr(err, "full.npz': File too large"));
    shell("cmp full.npz before");
    assert_error("run solids.yaml --steps 1 --state nowhere/a.npz", 1, "create its folder");
    shell("mkdir -p taken.vtk.series");
    assert_error("run solids.yaml --steps 1 --state taken.vtk --state-every 1 --quiet", 1, "taken.vtk.series");
}

/* A run that fails in its second half lists the states of the first. */
static void a_failed_run_lists_its_states(void **state) {
    (void)state;
    write_text("solids.yaml", SOLIDS);
    shell("mkdir -p files/f_000004.vtk");
    assert_int_equal(run("run solids.yaml --steps 6 --state files/f.vtk --state-every 2 --quiet"), 1);
    assert_int_equal(lines(err), 1);
    assert_non_null(strstr(err, "f_000004.vtk"));
    free(read_series("files/f.vtk.series", 1));
    free(read_series("files/f-solids.vtk.series", 1));
}

TEST_GROUP(state_files) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(series_lists_the_files_of_the_run), cmocka_unit_test(only_parts_of_the_state_are_written),
        cmocka_unit_test(solids_are_lines_and_polygons),     cmocka_unit_test(arrays_are_the_same_bytes),
        cmocka_unit_test(a_full_disk_is_reported),           cmocka_unit_test(a_failed_run_lists_its_states),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
