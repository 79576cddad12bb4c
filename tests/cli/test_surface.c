/* --surface: the files of the surface of the fluid. */
#include "command.h"
#include <math.h>

static const char *const POOL =
    "puddle: 1\nname: Pool\ncontainer: {shape: box, width: 2, height: 1.2}\n"
    "materials:\n  \"sea & water\": {color: \"#3080ff\", mass: 1}\n  oil: {color: \"#ffb020\", mass: 0.8}\n"
    "regions:\n"
    "  - {shape: box, center: [-0.5, -0.2], size: [1, 0.8], material: \"sea & water\", count: 300}\n"
    "  - {shape: box, center: [0.5, -0.3], size: [1, 0.6], material: oil, count: 225}\n"
    "obstacles:\n  - {shape: circle, center: [0, -0.3], radius: 0.15}\n";
static const char *const EMPTY = "puddle: 1\nname: Empty\ncontainer: {shape: circle, radius: 1}\nregions: []\n";

enum { GROUPS = 2, MOST_VERTICES = 100000 };

/* Areas and names of the groups in an OBJ or SVG file. */
typedef struct areas {
    double area[GROUPS];
    char names[GROUPS][64];
    int groups;
} areas;

static double shoelace(const double p[2], const double q[2]) { return 0.5 * (p[0] * q[1] - q[0] * p[1]); }

static double read_face(const char *line, double (*vertices)[2], int count) {
    int corners[8], corner_count = 0;
    double area = 0;
    char *end;
    for (const char *text = line + 1;; text = end) {
        long corner = strtol(text, &end, 10);
        if (end == text) break;
        assert_true(corner >= 1 && corner <= count && corner_count < 8);
        corners[corner_count++] = (int)corner - 1;
    }
    assert_true(corner_count >= 3);
    for (int k = 0; k < corner_count; k++)
        area += shoelace(vertices[corners[k]], vertices[corners[(k + 1) % corner_count]]);
    assert_true(area > 0); /* seen from the front */
    return area;
}

static areas read_obj(const char *name) {
    static double vertices[MOST_VERTICES][2];
    areas areas = {0};
    char *text = read_text(name);
    int count = 0;
    assert_int_equal(strncmp(text, "# puddle ", 9), 0);
    for (char *line = text; *line; line = strchr(line, '\n') + 1) {
        double z;
        if (line[0] == 'v') {
            assert_int_equal(sscanf(line, "v %lf %lf %lf\n", &vertices[count][0], &vertices[count][1], &z), 3);
            assert_true(z == 0 && ++count < MOST_VERTICES);
        } else if (line[0] == 'g') {
            assert_true(areas.groups < GROUPS);
            assert_int_equal(sscanf(line, "g %63s\n", areas.names[areas.groups++]), 1);
        } else if (line[0] == 'f') {
            assert_true(areas.groups > 0);
            areas.area[areas.groups - 1] += read_face(line, vertices, count);
        } else {
            assert_true(strchr("#ou", line[0]));
        }
    }
    free(text);
    return areas;
}

/* Sums up the areas inside the outlines. Holes run the other way round. */
static areas read_svg(const char *name) {
    areas areas = {0};
    char *text = read_text(name);
    assert_non_null(strstr(text, "</svg>\n"));
    for (char *group = strstr(text, "<g id=\""); group; group = strstr(group + 1, "<g id=\"")) {
        assert_true(areas.groups < GROUPS);
        assert_int_equal(sscanf(group, "<g id=\"%63[^\"]\"", areas.names[areas.groups]), 1);
        double first[2] = {0}, last[2] = {0}, point[2];
        for (char *at = strstr(group, " d=\"") + 4; *at != '"'; at++) {
            if (*at == 'Z') areas.area[areas.groups] += shoelace(last, first);
            if (*at != 'M' && *at != 'L') continue;
            assert_int_equal(sscanf(at + 1, "%lf %lf", &point[0], &point[1]), 2);
            if (*at == 'M')
                memcpy(first, point, sizeof first);
            else
                areas.area[areas.groups] += shoelace(last, point);
            memcpy(last, point, sizeof last);
        }
        areas.groups++;
    }
    free(text);
    return areas;
}

static void assert_near(double value, double expected, double tolerance) {
    if (fabs(value - expected) > tolerance) fail_msg("%g is not %g", value, expected);
}

/* Two materials: 0.8 and 0.6 m^2, less the obstacle, more half a spacing at the walls. */
static void both_formats_have_the_materials(void **state) {
    (void)state;
    write_text("pool.yaml", POOL);
    assert_int_equal(run("run pool.yaml --steps 1 --surface pool.obj --quiet"), 0);
    assert_int_equal(run("run pool.yaml --steps 1 --surface pool.svg --quiet"), 0);
    assert_false(exists("pool.obj") || exists("pool_000001.obj"));
    areas obj = read_obj("pool_000000.obj"), svg = read_svg("pool_000000.svg");
    assert_int_equal(obj.groups, 2);
    assert_int_equal(svg.groups, 2);
    assert_string_equal(obj.names[0], "sea___water");
    assert_string_equal(svg.names[0], "sea___water");
    assert_string_equal(obj.names[1], "oil");
    for (int g = 0; g < GROUPS; g++) assert_near(svg.area[g], obj.area[g], 1e-4);
    assert_near(obj.area[0], 0.85, 0.1);
    assert_near(obj.area[1], 0.65, 0.1);
    char *text = read_text("pool_000000.svg");
    assert_non_null(strstr(text, "fill-rule=\"evenodd\""));
    assert_non_null(strstr(text, "<g id=\"oil\" fill=\"#ffb020\">"));
    free(text);
}

static void a_drop_has_its_area(void **state) {
    (void)state;
    write_text("drop.yaml",
               "puddle: 1\nname: Drop\ncontainer: {shape: box, width: 3, height: 3}\ngravity: [0, 0]\n"
               "materials: {water: {color: \"#3080ff\", mass: 1}}\n"
               "regions:\n  - {shape: circle, center: [0, 0], radius: 0.5, material: water, count: 2000}\n");
    assert_int_equal(run("run drop.yaml --steps 1 --surface drop.obj --quiet"), 0);
    areas obj = read_obj("drop_000000.obj");
    assert_int_equal(obj.groups, 1);
    assert_near(obj.area[0], 3.14159 * 0.25, 0.03);
}

static void an_empty_fluid_has_files(void **state) {
    (void)state;
    write_text("empty.yaml", EMPTY);
    assert_int_equal(run("run empty.yaml --steps 1 --surface empty.obj --quiet"), 0);
    assert_int_equal(run("run empty.yaml --steps 1 --surface empty.svg --quiet"), 0);
    assert_int_equal(read_obj("empty_000000.obj").groups, 0);
    areas svg = read_svg("empty_000000.svg");
    for (int g = 0; g < GROUPS; g++) assert_near(svg.area[g], 0, 0);
}

/* run and render write the same file for each frame, on any number of threads. */
static void files_have_the_numbers_of_frames(void **state) {
    (void)state;
    write_text("pool.yaml", POOL);
    assert_int_equal(run("run pool.yaml --seconds 0.3 --fps 24 --surface run.obj --threads 1 --quiet"), 0);
    assert_int_equal(run("render pool.yaml -o frames --size 64x64 --seconds 0.3 --fps 24 --surface render.obj "
                         "--threads 2 --quiet"),
                     0);
    assert_true(exists("frames/frame_000006.png") && !exists("frames/frame_000007.png"));
    assert_true(exists("run_000006.obj") && !exists("run_000007.obj"));
    assert_false(exists("render_000007.obj"));
    for (int i = 0; i < 7; i++) {
        char of_run[32], of_render[32];
        snprintf(of_run, sizeof of_run, "run_%06d.obj", i);
        snprintf(of_render, sizeof of_render, "render_%06d.obj", i);
        assert_same_file(of_run, of_render);
    }
    /* Without --fps one file for each step. */
    assert_int_equal(run("run pool.yaml --steps 3 --surface each.obj --quiet"), 0);
    assert_true(exists("each_000002.obj") && !exists("each_000003.obj"));
}

static void mistakes_are_one_line(void **state) {
    (void)state;
    write_text("pool_000000.obj", "no scene");
    assert_error("run drop --steps 1 --surface pool.stl", 2,
                 "--surface is 'pool.stl' (use a name that ends in .obj or .svg)");
    assert_error("run drop --steps 1 --surface missing/pool.obj", 1, "missing/pool.obj");
    assert_error("run drop --steps 1 --fps 24", 2, "does not go with puddle run without --surface");
    assert_error("replay some.log --surface pool.obj", 2, "--surface needs frames");
    assert_error("render drop -o frames2 --compare ddr,pbf --surface pool.obj", 2,
                 "--surface does not go with --compare");
    assert_error("run pool_000000.obj --steps 1 --surface pool.obj", 2, "would overwrite the input");
    assert_error("bench --surface pool.obj", 2, "does not go with puddle bench");
}

TEST_GROUP(surface) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_formats_have_the_materials), cmocka_unit_test(a_drop_has_its_area),
        cmocka_unit_test(an_empty_fluid_has_files),        cmocka_unit_test(files_have_the_numbers_of_frames),
        cmocka_unit_test(mistakes_are_one_line),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
