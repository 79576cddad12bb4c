/* The vortices of the method `vortex`: their files, and what the camera and the legend take from them. */
#include "command.h"
#include "worlds.h"

/* A vortex of the scene file, and a falling drop whose vortons the method makes. */
static const char *const DROP =
    "puddle: 1\nname: Drop\nmethod: vortex\ncontainer: {shape: circle, radius: 1}\n"
    "vortons:\n  - {position: [0.3, -0.5], circulation: -0.25, core: 0.07}\n"
    "regions:\n  - {shape: circle, center: [0, 0.4], radius: 0.25, density: 0.1, count: 60}\n"
    "parameters: {vortex: {core: 0.08}}\n";
/* Tracers at rest. */
static const char *const STILL = "puddle: 1\nname: Still\nmethod: vortex\ngravity: [0, 0]\n"
                                 "container: {shape: circle, radius: 1}\nparameters: {vortex: {tracers: 30}}\n";
enum { STEPS = 8, COLUMNS = 7 };

/* Reads a number and the character after it. */
static float next_number(char **text) {
    char *end;
    float value = strtof(*text, &end);
    assert_ptr_not_equal(end, *text);
    assert_non_null(strchr(", \n", *end));
    *text = end + 1;
    return value;
}

static char *expect_text(char *at, const char *expected) {
    assert_memory_equal(at, expected, strlen(expected));
    return at + strlen(expected);
}

/* The place of an id in the view; fails when there is none. */
static int place_of(const pd_view_vortices *v, unsigned id) {
    int n = 0;
    while (n < v->count && v->id[n] != id) n++;
    assert_true(n < v->count);
    return n;
}

static void values_of(const pd_view_vortices *v, int n, float values[COLUMNS]) {
    const float density = v->area[n] > 0 ? 1000 * (v->mass[n] / v->area[n]) : 0; /* kg/m^3 */
    const float all[COLUMNS] = {v->x[n], v->y[n], v->vx[n], v->vy[n], v->circulation[n], density, v->core[n]};
    memcpy(values, all, sizeof all);
}

/* Every line reads back to the floats of a world that made the same steps, by id. */
static void csv_holds_the_vortices(void **state) {
    (void)state;
    write_text("drop.yaml", DROP);
    assert_int_equal(run("run drop.yaml --steps 8 --state all.csv --state-every 4 --quiet"), 0);
    assert_same_file("all.csv", "all_000008.csv");
    assert_true(exists("all_000004.csv"));
    pd_world *world = world_of_text(DROP, 1);
    step_many(world, STEPS);
    pd_view view;
    pd_world_view(world, &view);
    const pd_view_vortices *v = &view.vortices;
    assert_true(v->count > 20);
    char *text = read_text("all.csv");
    char *at = expect_text(text, "id,x,y,vx,vy,circulation,density,core\n");
    assert_int_equal(lines(text), v->count + 1);
    long before = -1;
    int heavy = 0;
    for (int n = 0; n < v->count; n++) {
        long id = strtol(at, &at, 10);
        assert_true(*at++ == ',' && id > before);
        before = id;
        float values[COLUMNS];
        values_of(v, place_of(v, (unsigned)id), values);
        for (int c = 0; c < COLUMNS; c++) assert_float_equal(next_number(&at), values[c], 0);
        heavy += values[5] > 0.05f;
    }
    assert_string_equal(at, "");
    assert_true(heavy > 10 && heavy < v->count); /* the vortex of the scene file has no density */
    free(text);
    pd_world_destroy(world);
}

static void vtk_holds_the_vortices(void **state) {
    (void)state;
    static const char *const scalars[] = {"circulation", "density", "core"};
    write_text("drop.yaml", DROP);
    assert_int_equal(run("run drop.yaml --steps 8 --state all.vtk --quiet"), 0);
    pd_world *world = world_of_text(DROP, 1);
    step_many(world, STEPS);
    pd_view view;
    pd_world_view(world, &view);
    const pd_view_vortices *v = &view.vortices;
    int count = v->count, *order = malloc(sizeof *order * (size_t)count);
    char *text = read_text("all.vtk"), expected[128];
    snprintf(expected, sizeof expected, "POINT_DATA %d\nSCALARS id unsigned_int 1\nLOOKUP_TABLE default\n", count);
    char *ids = strstr(text, expected);
    assert_non_null(ids);
    ids += strlen(expected);
    for (int n = 0; n < count; n++) order[n] = place_of(v, (unsigned)next_number(&ids));
    for (int n = 1; n < count; n++) assert_true(v->id[order[n]] > v->id[order[n - 1]]);
    snprintf(expected, sizeof expected, "\nPOINTS %d float\n", count);
    assert_non_null(strstr(text, "\nASCII\nDATASET POLYDATA\nFIELD FieldData 1\nTIME 1 1 double\n"));
    char *points = strstr(text, expected);
    assert_non_null(points);
    points += strlen(expected);
    float values[COLUMNS];
    for (int n = 0; n < count; n++) {
        values_of(v, order[n], values);
        assert_float_equal(next_number(&points), values[0], 0);
        assert_float_equal(next_number(&points), values[1], 0);
        points = expect_text(points, "0\n");
    }
    for (int s = 0; s < 3; s++) {
        snprintf(expected, sizeof expected, "SCALARS %s float 1\nLOOKUP_TABLE default\n", scalars[s]);
        ids = expect_text(ids, expected);
        for (int n = 0; n < count; n++) {
            values_of(v, order[n], values);
            assert_float_equal(next_number(&ids), values[4 + s], 0);
        }
    }
    ids = expect_text(ids, "VECTORS velocity float\n");
    for (int n = 0; n < count; n++) {
        values_of(v, order[n], values);
        assert_float_equal(next_number(&ids), values[2], 0);
        assert_float_equal(next_number(&ids), values[3], 0);
        ids = expect_text(ids, "0\n");
    }
    assert_string_equal(ids, "");
    free(order), free(text);
    pd_world_destroy(world);
}

/* The method decides, not the number of its vortices: a script gets the same columns at every step. */
static void no_vortices_are_a_heading(void **state) {
    (void)state;
    write_text("still.yaml", STILL);
    assert_int_equal(run("run still.yaml --steps 1 --state none.csv --quiet"), 0);
    char *text = read_text("none.csv");
    assert_string_equal(text, "id,x,y,vx,vy,circulation,density,core\n");
    free(text);
    assert_int_equal(run("run still.yaml --steps 1 --state none.vtk --quiet"), 0);
    text = read_text("none.vtk");
    assert_non_null(strstr(text, "\nPOINTS 0 float\nVERTICES 0 0\nPOINT_DATA 0\n"));
    free(text);
}

/* A full disk leaves no file of vortices behind, and an older one as it was. */
static void a_full_disk_is_reported(void **state) {
    (void)state;
    write_text("drop.yaml", DROP);
    assert_int_equal(run("run drop.yaml --steps 1 --state full.csv --quiet"), 0);
    shell("cp full.csv before && test $(wc -c <before) -gt 4096");
    assert_int_equal(run_limited(4096, "run drop.yaml --steps 3 --state full.csv --quiet"), 1);
    assert_int_equal(lines(err), 1);
    assert_non_null(strstr(err, "full.csv': File too large"));
    assert_same_file("full.csv", "before");
}

static bool shows(const pd_view *view, float x, float y) {
    return view->low.x <= x && x <= view->high.x && view->low.y <= y && y <= view->high.y;
}

/* Without a container and without particles the picture is of the vortices, with the fluid around that they move. */
static void open_space_shows_the_vortices(void **state) {
    (void)state;
    pd_world *world = world_of_text("puddle: 1\nmethod: vortex\ngravity: [0, 0]\ncontainer: {shape: none}\nvortons:\n"
                                    "  - {position: [40, 30], circulation: 1, core: 0.2}\n"
                                    "  - {position: [41, 30], circulation: -1, core: 0.2}\n"
                                    "parameters: {vortex: {tracers: 0}}\n",
                                    1);
    pd_view view;
    pd_world_view(world, &view);
    pd_vec2 low = view.low, high = view.high;
    assert_int_equal(view.count, 0);
    assert_true(shows(&view, 39.5f, 29.5f) && shows(&view, 41.5f, 30.5f));
    assert_true(high.x - low.x < 5 && high.y - low.y < 5);
    assert_float_equal(low.x + high.x, 81, 1e-3f);
    step_many(world, 10);
    pd_world_view(world, &view); /* they move in the picture, it does not follow them */
    assert_true(view.vortices.y[0] > 30.01f);
    assert_memory_equal(&view.low, &low, sizeof low);
    assert_memory_equal(&view.high, &high, sizeof high);
    while (view.vortices.y[0] < high.y + 0.1f && view.time < 100) {
        pd_world_step(world);
        pd_world_view(world, &view);
    }
    assert_true(shows(&view, view.vortices.x[0], view.vortices.y[0] + 0.19f)); /* with its core */
    assert_true(view.low.y == low.y);
    pd_world_destroy(world);
}

/* Beside particles: the 2 m around the origin, the particles and the vortices. */
static void few_particles_are_not_all(void **state) {
    (void)state;
    pd_world *world = world_of_text("puddle: 1\nmethod: vortex\ngravity: [0, 0]\ncontainer: {shape: none}\n"
                                    "vortons: [{position: [3, -2], circulation: 1, core: 0.5}]\n"
                                    "regions: [{shape: circle, center: [0, 0], radius: 0.3, count: 20}]\n"
                                    "parameters: {vortex: {core: 0.1}}\n",
                                    1);
    pd_view view;
    pd_world_view(world, &view);
    assert_int_equal(view.count, 20);
    assert_true(shows(&view, 3.49f, -2.49f) && shows(&view, -1, 1));
    assert_true(view.high.x < 3.6f && view.low.y > -2.6f);
    pd_world_destroy(world);
}

/* Colours keep their meaning: the scale follows the scene, and changes little while the flow begins. */
static void the_scale_is_steady(void **state) {
    (void)state;
    pd_world *world = world_of_text(DROP, 1);
    pd_view view;
    pd_world_view(world, &view);
    assert_float_equal(view.circulation_scale, 0.25f, 0); /* of the scene's vortex, which is stronger than vortons */
    step_many(world, 20);
    pd_world_view(world, &view);
    assert_float_equal(view.circulation_scale, 0.25f, 0);
    pd_world_destroy(world);
    pd_scene scene = scene_of_text(DROP);
    scene.vorton_count = 0;
    world = world_of(&scene, 1);
    pd_world_view(world, &view);
    float first = view.circulation_scale;
    assert_true(first > 0);
    for (int i = 0; i < 30; i++) {
        pd_world_step(world);
        pd_world_view(world, &view);
        assert_in_range((int)(100 * view.circulation_scale / first), 99, 200);
    }
    float greatest = 0;
    for (int n = 0; n < view.vortices.count; n++) greatest = fmaxf(greatest, fabsf(view.vortices.circulation[n]));
    assert_true(greatest > 0.1f * view.circulation_scale && greatest < 5 * view.circulation_scale);
    pd_world_destroy(world);
    scene.vorton_count = 1;
    pd_scene_free(&scene);
    world = world_of_text("puddle: 1\nregions: [{shape: circle, center: [0, 0], radius: 0.3, count: 20}]\n", 1);
    pd_world_view(world, &view);
    assert_true(view.circulation_scale == 0 && !view.vortices.id); /* another method */
    pd_world_destroy(world);
}

/* The view by its name, which help and the list of methods tell, also with lines over it. */
static void the_view_is_rendered(void **state) {
    (void)state;
    write_text("drop.yaml", DROP);
    assert_int_equal(run("render --help"), 0);
    assert_non_null(strstr(out, "vortons"));
    static const char *const views[] = {"vortons", "vortons --lines streamlines", "vorticity"};
    char command[160];
    for (int i = 0; i < 3; i++) {
        snprintf(command, sizeof command, "render drop.yaml -o film%d --frames 2 --size 160x120 --quiet --view %s", i,
                 views[i]);
        assert_int_equal(run(command), 0);
        snprintf(command, sizeof command, "film%d/frame_000001.png", i);
        assert_true(exists(command));
    }
    shell("! cmp -s film0/frame_000001.png film1/frame_000001.png && ! cmp -s film0/frame_000001.png "
          "film2/frame_000001.png");
    assert_error("render smoke-plume -o film3 --view vortons --frames 1", 2, "use smoke, speed");
}

TEST_GROUP(vortons) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(csv_holds_the_vortices),        cmocka_unit_test(vtk_holds_the_vortices),
        cmocka_unit_test(no_vortices_are_a_heading),     cmocka_unit_test(a_full_disk_is_reported),
        cmocka_unit_test(open_space_shows_the_vortices), cmocka_unit_test(few_particles_are_not_all),
        cmocka_unit_test(the_scale_is_steady),           cmocka_unit_test(the_view_is_rendered),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
