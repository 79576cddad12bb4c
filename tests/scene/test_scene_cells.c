/* The fields of a grid fluid in a scene: they begin as they were, in files, texts and snapshots, and also on another grid. */
#include "folder.h"
#include "worlds.h"

#include "scene/content/cells.h"
#include "scene/geometry.h"
#include <unistd.h>

static const char SMOKE[] =
    "puddle: 1\nname: Smoke\nmethod: grid\nparticles: 300\n"
    "container: {shape: box, width: 2, height: 1, walls: {top: {outflow: true}}}\n"
    "materials: {\"hot, red\": {color: \"#ff4030\", mass: 0.5}, unused: {color: \"#ffffff\"}, air: {color: "
    "\"#3a8fff\"}}\n"
    "regions:\n"
    "  - {shape: circle, center: [-0.4, -0.2], radius: 0.2, material: \"hot, red\", velocity: [0.5, 0.2]}\n"
    "  - {shape: box, center: [0.5, 0], size: [0.5, 0.5], material: air, velocity: [-0.3, 0]}\n"
    "obstacles: [{shape: box, center: [0, 0.2], size: [0.5, 0.06], spin: 200}]\n"
    "emitters: [{position: [0.5, -0.4], direction: [0, 1], speed: 1, width: 0.1, rate: 100, material: air}]\n"
    "parameters: {grid: {resolution: 40}}\n";

static pd_scene scene_now(const pd_world *world) {
    pd_scene scene;
    pd_error error = {0};
    must(pd_world_state_as_scene(world, &scene, &error), &error);
    return scene;
}

static pd_scene scene_of_file(const char *path) {
    pd_scene scene;
    pd_error error = {0};
    must(pd_scene_read(path, &scene, &error), &error);
    return scene;
}

static void expect_same_cells(const pd_scene *a, const pd_scene *b) {
    const pd_cells *p = &a->cells, *q = &b->cells;
    assert_int_equal(p->columns, q->columns);
    assert_int_equal(p->rows, q->rows);
    assert_int_equal(p->dyes, q->dyes);
    for (int d = 0; d < p->dyes; d++)
        assert_string_equal(a->materials[p->material[d]].name, b->materials[q->material[d]].name);
    assert_memory_equal(p->values, q->values, pd_cells_value_count(p) * sizeof *p->values);
}

/* The greatest difference of a layer; *most: its greatest value. */
static double difference(const pd_scene *a, const pd_scene *b, int layer, double *most) {
    size_t size = pd_cells_layer_size(&a->cells);
    double worst = 0;
    *most = 0;
    for (size_t k = (size_t)layer * size; k < (size_t)(layer + 1) * size; k++) {
        *most = fmax(*most, fabs((double)a->cells.values[k]));
        worst = fmax(worst, fabs((double)a->cells.values[k] - (double)b->cells.values[k]));
    }
    return worst;
}

static pd_world *smoke(int steps) {
    pd_world *world = world_of_text(SMOKE, 1);
    step_many(world, steps);
    return world;
}

/* The world of the file has the same bits of velocities, dyes and tracers, and goes on in the same way, but for what its solver
 * begins with. */
static void it_goes_on_from_a_file(void **state) {
    (void)state;
    pd_world *world = smoke(60);
    pd_error error = {0};
    pd_scene now = scene_now(world), later, again;
    assert_true(now.cells.columns == 80 && now.cells.rows == 40 && now.cells.dyes == 2);
    must(pd_scene_write(&now, "smoke.yaml", &error), &error);
    assert_int_equal(access("smoke-cells.csv", F_OK), 0);
    pd_scene read = scene_of_file("smoke.yaml");
    expect_same_cells(&now, &read);
    pd_world *other = world_of(&read, 3);
    again = scene_now(other);
    expect_same_cells(&now, &again);
    pd_scene_free(&again);
    step_many(world, 20);
    step_many(other, 20);
    later = scene_now(world);
    again = scene_now(other);
    for (int layer = 0; layer < 2 + later.cells.dyes; layer++) {
        double most, worst = difference(&later, &again, layer, &most);
        assert_true(most > 0.3);
        if (!(worst < 2e-3)) fail_msg("layer %d: %g of %g", layer, worst, most);
    }
    pd_scene *scenes[] = {&now, &read, &later, &again};
    for (int k = 0; k < 4; k++) pd_scene_free(scenes[k]);
    pd_world_destroy(world);
    pd_world_destroy(other);
}

/* Snapshots hold the cells, and so do commands; a reset goes back to them. */
static void it_is_saved_and_reset(void **state) {
    (void)state;
    pd_world *world = smoke(30), *loaded;
    pd_error error = {0};
    pd_scene now = scene_now(world);
    pd_world_destroy(world);
    world = world_of(&now, 1);
    pd_scene_free(&now);
    uint64_t start = pd_world_hash(world);
    step_many(world, 5);
    void *bytes;
    size_t size;
    must(pd_world_save_to_memory(world, &bytes, &size, &error), &error);
    size_t estimate = pd_world_snapshot_size(world);
    assert_true(estimate > size / 2 && estimate < 2 * size);
    must(pd_world_save(world, "cells.puddle", &error), &error);
    must(load_with_threads(&loaded, "cells.puddle", 1, &error), &error);
    assert_true(pd_world_hash(loaded) == pd_world_hash(world));
    pd_world_reset(loaded);
    assert_true(pd_world_hash(loaded) == start);
    must(pd_world_restore_from_memory(loaded, bytes, size, &error), &error);
    assert_true(pd_world_hash(loaded) == pd_world_hash(world));
    free(bytes);
    pd_command command;
    now = scene_now(world);
    must(pd_command_scene(&command, &now, &error), &error);
    must(pd_world_apply(loaded, &command, &error), &error);
    pd_scene again = scene_now(loaded);
    expect_same_cells(&now, &again);
    pd_command_free(&command);
    pd_scene_free(&now);
    pd_scene_free(&again);
    pd_world_destroy(world);
    pd_world_destroy(loaded);
}

/* Without a container the grid covers what it did, wherever the tracers have gone; in a box that is no whole number of cells wide
 * another grid has the fields in the same place. */
static void the_fields_stay_in_place(void **state) {
    (void)state;
    static const char *const containers[] = {"{shape: none}", "{shape: box, width: 2, height: 1.03}"};
    for (int k = 0; k < 2; k++) {
        char text[512];
        pd_error error = {0};
        snprintf(text, sizeof text,
                 "puddle: 1\nmethod: grid\nparticles: 100\ncontainer: %s\nparameters: {grid: {resolution: 40}}\n"
                 "regions: [{shape: circle, center: [0.1, -0.2], radius: 0.2, velocity: [0.3, 1]}]\n",
                 containers[k]);
        pd_world *world = world_of_text(text, 1), *other;
        step_many(world, 30);
        pd_scene now = scene_now(world), again;
        other = world_of(&now, 1);
        again = scene_now(other);
        expect_same_cells(&now, &again);
        pd_scene_free(&again);
        pd_world_destroy(other);
        must(pd_scene_set_parameter(&now, "grid.resolution", 100, &error), &error);
        other = world_of(&now, 1);
        again = scene_now(other);
        double x[2] = {0}, y[2] = {0}; /* of the dye */
        const pd_scene *scenes[] = {&now, &again};
        for (int s = 0; s < 2; s++) {
            const pd_cells *cells = &scenes[s]->cells;
            const float *dye = cells->values + 2 * pd_cells_layer_size(cells);
            double sum = 0;
            for (int n = 0; n < (int)pd_cells_layer_size(cells); n++) {
                double i = n % (cells->columns + 1) + 0.5 - 0.5 * cells->columns;
                double j = n / (cells->columns + 1) + 0.5 - 0.5 * cells->rows;
                sum += (double)dye[n];
                x[s] += (double)(dye[n] * cells->size) * i;
                y[s] += (double)(dye[n] * cells->size) * j;
            }
            x[s] /= sum;
            y[s] /= sum;
        }
        if (fabs(x[1] - x[0]) > 1e-3 || fabs(y[1] - y[0]) > 1e-3)
            fail_msg("%s: %g, %g and %g, %g", containers[k], x[0], y[0], x[1], y[1]);
        pd_scene_free(&now);
        pd_scene_free(&again);
        pd_world_destroy(world);
        pd_world_destroy(other);
    }
}

/* Cells that cover less than the grid leave the rest empty: here a quarter of a box, and a wide strip where there is no
 * container. */
static void nothing_is_beyond_the_cells(void **state) {
    (void)state;
    static const struct {
        const char *container;
        int columns, rows;
        double covered; /* part of the grid */
    } cases[] = {{"{shape: box, width: 1.6, height: 1.6}", 8, 8, 0.25}, {"{shape: none}", 16, 4, 0.25}};
    for (int k = 0; k < 2; k++) {
        char text[256];
        pd_error error = {0};
        snprintf(text, sizeof text, "puddle: 1\nmethod: grid\ncontainer: %s\nparameters: {grid: {resolution: 16}}\n",
                 cases[k].container);
        pd_scene scene = scene_of_text(text);
        scene.cells = (pd_cells){.columns = cases[k].columns, .rows = cases[k].rows, .size = 0.1f, .dyes = 1};
        must(pd_cells_allocate(&scene.cells, &error), &error);
        float *dye = scene.cells.values + 2 * pd_cells_layer_size(&scene.cells);
        for (int j = 0; j < cases[k].rows; j++)
            for (int i = 0; i < cases[k].columns; i++) dye[j * (cases[k].columns + 1) + i] = 1;
        pd_world *world = world_of(&scene, 1);
        pd_scene now = scene_now(world);
        double sum = 0;
        dye = now.cells.values + 2 * pd_cells_layer_size(&now.cells);
        for (size_t n = 0; n < pd_cells_layer_size(&now.cells); n++) sum += (double)dye[n];
        assert_int_equal(now.cells.columns, 16);
        assert_int_equal(now.cells.rows, 16);
        assert_float_equal(sum, cases[k].covered * 16 * 16, 1e-4);
        pd_scene_free(&now);
        pd_scene_free(&scene);
        pd_world_destroy(world);
    }
}

/* On a grid of another resolution: the same motion and the same amount of dye, as far as it resolves them. */
static void on_another_grid(void **state) {
    (void)state;
    pd_scene scene = scene_of_text(SMOKE), now;
    scene.obstacles[0].spin = 0; /* what moves is seen at rest by the first projection, where grids differ */
    pd_world *world = world_of(&scene, 1);
    pd_scene_free(&scene);
    step_many(world, 60);
    now = scene_now(world);
    static const int resolution[] = {30, 40, 80};
    double energy[3], dye[3];
    for (int k = 0; k < 3; k++) {
        pd_error error = {0};
        must(pd_scene_set_parameter(&now, "grid.resolution", (float)resolution[k], &error), &error);
        pd_world *other = world_of(&now, 1);
        pd_scene cells = scene_now(other);
        const size_t layer = pd_cells_layer_size(&cells.cells);
        energy[k] = dye[k] = 0;
        for (size_t n = 0; n < 3 * layer; n++) {
            double value = (double)cells.cells.values[n] / resolution[k];
            if (n < 2 * layer)
                energy[k] += value * value;
            else
                dye[k] += value / resolution[k];
        }
        pd_scene_free(&cells);
        step_many(other, 3);
        expect_sound(other);
        pd_world_destroy(other);
    }
    for (int k = 0; k < 3; k += 2) {
        if (fabs(energy[k] / energy[1] - 1) > 0.1) fail_msg("energy %g of %g", energy[k], energy[1]);
        if (fabs(dye[k] / dye[1] - 1) > 0.02) fail_msg("dye %g of %g", dye[k], dye[1]);
    }
    pd_scene_free(&now);
    pd_world_destroy(world);
}

/* Other methods have no cells: their scenes are written without, and a file that has them is refused. */
static void of_the_grid_alone(void **state) {
    (void)state;
    pd_world *world = smoke(10);
    pd_error error = {0};
    pd_scene now = scene_now(world), other;
    must(pd_scene_write(&now, "grid.yaml", &error), &error);
    assert_int_equal(system("sed -i 's/^method: grid/method: flip/; /^container/d; s/^  grid:/  flip:/' grid.yaml"), 0);
    assert_int_equal(pd_scene_read("grid.yaml", &other, &error), PD_BAD_INPUT);
    assert_non_null(strstr(error.message, "'cells' has no effect under flip (leave it out, or use grid)"));
    must(pd_world_set_method(world, "flip", &error), &error);
    pd_scene flip = scene_now(world);
    assert_int_equal(flip.cells.columns, 0);
    strcpy(now.method, "flip");
    must(pd_scene_write(&now, "flip.yaml", &error), &error);
    assert_int_not_equal(access("flip-cells.csv", F_OK), 0);
    pd_scene_free(&now);
    pd_scene_free(&flip);
    pd_world_destroy(world);
}

static void materials_of_dyes_stay(void **state) {
    (void)state;
    pd_world *world = smoke(10);
    pd_error error = {0};
    pd_scene now = scene_now(world);
    while (now.region_count > 0) must(pd_scene_remove_region(&now, 0, &error), &error); /* tracers */
    now.emitter_count = 0;
    assert_int_equal(pd_scene_remove_material(&now, 2, &error), PD_BAD_INPUT);
    assert_non_null(strstr(error.message, "a dye of the cells of the scene uses the material 'air'"));
    must(pd_scene_remove_material(&now, 1, &error), &error);
    assert_int_equal(now.cells.material[1], 1);
    must(pd_scene_check(&now, &error), &error);
    now.cells.values[0] = NAN;
    assert_int_equal(pd_scene_check(&now, &error), PD_BAD_INPUT);
    now.cells.values[0] = 0;
    now.cells.values[pd_cells_value_count(&now.cells) - 1] = 1.5f;
    assert_int_equal(pd_scene_check(&now, &error), PD_BAD_INPUT);
    now.cells.values[pd_cells_value_count(&now.cells) - 1] = 0;
    now.cells.material[1] = 0;
    assert_int_equal(pd_scene_check(&now, &error), PD_BAD_INPUT);
    pd_scene_free(&now);
    pd_world_destroy(world);
}

static void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void bad_files_are_refused(void **state) {
    (void)state;
    static const char GOOD[] = "i,j,u,v,water\n0,0,0,0,1\n1,0,0,0,0\n0,1,0,0,0\n1,1,0,0,0\n";
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"", "c.csv:1:1: the column '' stands where 'i' belongs"},
        {"i,j,u\n0,0,0\n", "c.csv:1:5: the column 'v' is missing"},
        {"i,u,j,v\n", "c.csv:1:3: the column 'u' stands where 'j' belongs"},
        {"i,j,u,v,oil\n", "c.csv:1:9: the scene has no material 'oil' (add it to 'materials')"},
        {"i,j,u,v,water,water\n", "c.csv:1:15: the dye 'water' comes twice"},
        {"i,j,u,v\n", "c.csv:2:1: the last row of cells is not complete"},
        {"i,j,u,v\n0,0,0,0\n1,0,0,0\n", "c.csv:4:1: the last row of cells is not complete"},
        {"i,j,u,v\n0,0,0,0\n1,0,0,0\n0,1,0,0\n", "c.csv:5:1: the last row of cells is not complete"},
        {"i,j,u,v\n0,0,0,0\n0,1,0,0\n", "c.csv:3:1: 'i' is 0, not 1"},
        {"i,j,u,v\n0,0,0,0\n1,0,0,0\n0,2,0,0\n", "c.csv:4:3: 'j' is 2, not 1"},
        {"i,j,u,v\n0,0,0,0\n1,0,x,0\n", "c.csv:3:5: 'x' is not a number"},
        {"i,j,u,v\n0,0,0,0\n1,0,nan,0\n", "c.csv:3:5: 'nan' is not a number"},
        {"i,j,u,v\n0,0,0,0\n1,0,0,1e9\n", "c.csv:3:7: 1e9 is too large"},
        {"i,j,u,v,water\n0,0,0,0,1.5\n", "c.csv:2:9: the amount 1.5 of a dye is not in 0 to 1"},
        {"i,j,u,v\n0,0,0\n", "c.csv:2:5: the row ends too early"},
        {"i,j,u,v\n0,0,0,0,0\n", "c.csv:2:7: more cells than the first line names columns"},
        {"i,j,u,v\n5000,0,0,0\n", "c.csv:2:1: 5000 is too large"},
    };
    static const char *const scenes[][2] = {
        {"cells: {}", "'size'"},
        {"cells: {size: 1}", "cells have a 'file', or"},
        {"cells: {size: 1, file: c.csv, columns: 3}", "cells have a 'file', or"},
        {"cells: {size: 1, columns: 2, rows: 2, data: []}", "cells have a 'file', or"},
        {"cells: {size: 1, columns: 2, rows: 2, dyes: [water, water], data: []}", "'dyes' has 2 entries (at most 1)"},
        {"cells: {size: 1, columns: 4096, rows: 4096, dyes: [water], data: []}", "'data' is damaged"},
        {"cells: {size: 1, columns: 5000, rows: 2, dyes: [], data: []}", "'columns' is '5000' (allowed: 1 to 4096)"},
        {"cells: {size: 1, columns: 2, rows: 2, dyes: [], data: [AAAA]}", "'data' is damaged"},
        {"cells: {size: 1, columns: 2, rows: 2, dyes: [oil], data: [AAAA]}", "oil"},
        {"cells: {size: 1, file: missing.csv}", "missing.csv"},
        {"cells: [1]", "cells"},
    };
    pd_scene scene;
    pd_error error = {0};
    write_file("c.yaml", "puddle: 1\nmethod: grid\ncells: {size: 0.5, file: c.csv}\n");
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        write_file("c.csv", bad[k].text);
        assert_int_equal(pd_scene_read("c.yaml", &scene, &error), PD_BAD_INPUT);
        if (!strstr(error.message, bad[k].message)) fail_msg("'%s' is not in: %s", bad[k].message, error.message);
    }
    for (size_t k = 0; k < sizeof scenes / sizeof *scenes; k++) {
        char text[256];
        snprintf(text, sizeof text, "puddle: 1\nmethod: grid\n%s\n", scenes[k][0]);
        write_file("s.yaml", text);
        assert_int_not_equal(pd_scene_read("s.yaml", &scene, &error), PD_OK);
        if (!strstr(error.message, scenes[k][1])) fail_msg("'%s' is not in: %s", scenes[k][1], error.message);
    }
    write_file("c.csv", GOOD);
    scene = scene_of_file("c.yaml");
    assert_true(scene.cells.columns == 1 && scene.cells.rows == 1 && scene.cells.dyes == 1);
    assert_true(scene.cells.values[8] == 1);
    pd_world *world = world_of(&scene, 1); /* on a grid of many cells */
    pd_world_step(world);
    pd_world_destroy(world);
    pd_scene_free(&scene);
}

TEST_GROUP(scene_cells) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_goes_on_from_a_file),   cmocka_unit_test(it_is_saved_and_reset),
        cmocka_unit_test(the_fields_stay_in_place), cmocka_unit_test(nothing_is_beyond_the_cells),
        cmocka_unit_test(on_another_grid),          cmocka_unit_test(of_the_grid_alone),
        cmocka_unit_test(materials_of_dyes_stay),   cmocka_unit_test(bad_files_are_refused),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
