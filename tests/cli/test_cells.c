/* The cells of methods whose particles are tracers: their files, their numbers in the statistics, and their values at a
 * position. */
#include "command.h"
#include "worlds.h"

static const char *const DYES =
    "puddle: 1\nname: Dyes\nmethod: grid\ncontainer: {shape: circle, radius: 1}\n"
    "materials:\n  red: {color: \"#ff4030\", mass: 1}\n  blue: {color: \"#3060ff\", mass: 0.2}\n"
    "regions:\n"
    "  - {shape: circle, center: [0.2, 0.2], radius: 0.3, material: red, count: 90}\n"
    "  - {shape: circle, center: [-0.3, -0.2], radius: 0.3, material: blue, count: 90}\n"
    "obstacles:\n  - {shape: circle, center: [0.1, -0.6], radius: 0.15}\n"
    "parameters: {grid: {resolution: 24}}\n";
enum { STEPS = 12, COLUMNS = 6 };
static const char *const fields[COLUMNS] = {"velocity_x", "velocity_y", "pressure", "smoke", "solid", "vorticity"};

/* Two layers for smoke: their sum. NAN without fluid. */
static float cell_of(const pd_field *field, int cell) {
    int count = field->nx * field->ny;
    float sum = field->values[cell];
    for (int layer = 1; layer < field->layers; layer++) sum += field->values[layer * count + cell];
    return sum;
}

/* Reads the next cell of a line: a number, or NAN for an empty one. */
static float next_cell(char **text) {
    char *end = *text + strcspn(*text, ",\n"), *read;
    float value = strtof(*text, &read);
    if (end == *text) value = NAN;
    if (end != *text) assert_ptr_equal(read, end); /* all of it is a number */
    *text = end + 1;
    return value;
}

static void expect_same(float read, float value) {
    if (isnan(value))
        assert_true(isnan(read));
    else
        assert_memory_equal(&read, &value, sizeof value);
}

/* Every cell reads back to the floats of the fields of a world that made the same steps. */
static void csv_holds_the_fields(void **state) {
    (void)state;
    write_text("dyes.yaml", DYES);
    assert_int_equal(run("run dyes.yaml --steps 12 --state cells.csv --state-every 6 --quiet"), 0);
    assert_same_file("cells.csv", "cells_000012.csv");
    assert_true(exists("cells_000006.csv"));
    pd_world *world = world_of_text(DYES, 1);
    step_many(world, STEPS);
    pd_view view;
    pd_world_view(world, &view);
    assert_true(view.particles_are_tracers);
    char *text = read_text("cells.csv"), *at = strchr(text, '\n') + 1;
    assert_int_equal(strncmp(text, "i,j,x,y,u,v,pressure,smoke,solid,vorticity\n", (size_t)(at - text)), 0);
    const pd_field *smoke = pd_view_field(&view, "smoke");
    assert_int_equal(smoke->layers, 2);
    int empty = 0, dyed = 0;
    for (int cell = 0; cell < smoke->nx * smoke->ny; cell++) {
        int i = cell % smoke->nx, j = cell / smoke->nx;
        assert_float_equal(next_cell(&at), (float)i, 0);
        assert_float_equal(next_cell(&at), (float)j, 0);
        assert_float_equal(next_cell(&at), smoke->origin.x + ((float)i + 0.5f) * smoke->cell, 1e-6);
        assert_float_equal(next_cell(&at), smoke->origin.y + ((float)j + 0.5f) * smoke->cell, 1e-6);
        for (int c = 0; c < COLUMNS; c++) expect_same(next_cell(&at), cell_of(pd_view_field(&view, fields[c]), cell));
        float amount = cell_of(smoke, cell);
        empty += isnan(amount) != 0;
        dyed += amount > 0.5f;
    }
    assert_string_equal(at, "");
    assert_true(empty > 80 && dyed > 20); /* corners and obstacle; the two dyes */
    free(text);
    pd_world_destroy(world);
}

static char *expect_text(char *at, const char *expected) {
    assert_memory_equal(at, expected, strlen(expected));
    return at + strlen(expected);
}

static char *expect_number(char *at, float expected) {
    char *end;
    float read = strtof(at, &end);
    assert_true(end > at);
    assert_float_equal(read, isnan(expected) ? 0 : expected, 0); /* the format has no missing values */
    return end + 1;
}

static char *expect_time(char *at, double time) {
    at = expect_text(at, "FIELD FieldData 1\nTIME 1 1 double\n");
    assert_float_equal(strtod(at, &at), time, 0);
    return expect_text(at, "\n");
}

static void vtk_holds_the_fields(void **state) {
    (void)state;
    write_text("dyes.yaml", DYES);
    assert_int_equal(run("run dyes.yaml --steps 12 --state cells.vtk --quiet"), 0);
    pd_world *world = world_of_text(DYES, 1);
    step_many(world, STEPS);
    pd_view view;
    pd_world_view(world, &view);
    const pd_field *u = pd_view_field(&view, "velocity_x"), *v = pd_view_field(&view, "velocity_y");
    char *text = read_text("cells.vtk"), expected[256];
    char *at = expect_text(text, "# vtk DataFile Version 3.0\n");
    at = expect_text(strchr(at, '\n') + 1, "ASCII\nDATASET STRUCTURED_POINTS\n");
    at = expect_time(at, view.time);
    snprintf(expected, sizeof expected, "DIMENSIONS %d %d 1\nORIGIN ", u->nx, u->ny);
    at = expect_text(at, expected);
    at = expect_number(at, u->origin.x + 0.5f * u->cell);
    at = expect_number(at, u->origin.y + 0.5f * u->cell);
    at = expect_text(at, "0\nSPACING ");
    for (int k = 0; k < 3; k++) at = expect_number(at, u->cell);
    snprintf(expected, sizeof expected, "POINT_DATA %d\n", u->nx * u->ny);
    at = expect_text(at, expected);
    for (int c = 2; c < COLUMNS; c++) {
        snprintf(expected, sizeof expected, "SCALARS %s float 1\nLOOKUP_TABLE default\n", fields[c]);
        at = expect_text(at, expected);
        const pd_field *field = pd_view_field(&view, fields[c]);
        for (int cell = 0; cell < u->nx * u->ny; cell++) at = expect_number(at, cell_of(field, cell));
    }
    at = expect_text(at, "VECTORS velocity float\n");
    for (int cell = 0; cell < u->nx * u->ny; cell++) {
        at = expect_number(at, u->values[cell]);
        at = expect_number(at, v->values[cell]);
        at = expect_text(at, "0\n");
    }
    assert_string_equal(at, "");
    free(text);
    pd_world_destroy(world);
}

static char *expect_values(char *at, const char *heading, int count) {
    char expected[128];
    snprintf(expected, sizeof expected, heading, count);
    return expect_text(at, expected);
}

/* A series of files: the last one, as the VTK user's guide has it, reads back to the floats of a world of as many steps. */
static void vtk_holds_the_particles(void **state) {
    (void)state;
    write_text("dyes.yaml", DYES);
    assert_int_equal(run("run dyes.yaml --method sph --steps 12 --state p.vtk --state-every 6 --quiet"), 0);
    assert_true(exists("p_000006.vtk"));
    assert_same_file("p.vtk", "p_000012.vtk");
    pd_scene scene = scene_of_text(DYES);
    strcpy(scene.method, "sph");
    pd_world *world = world_of(&scene, 1);
    step_many(world, STEPS);
    pd_view view;
    pd_world_view(world, &view);
    int of[256], count = view.count; /* the particle of each id, from 0 */
    assert_in_range(count, 1, 256);
    for (int i = 0; i < count; i++) of[view.id[i]] = i;
    char *text = read_text("p.vtk"), *at = expect_text(text, "# vtk DataFile Version 3.0\n");
    at = expect_time(expect_text(strchr(at, '\n') + 1, "ASCII\nDATASET POLYDATA\n"), view.time);
    at = expect_values(at, "POINTS %d float\n", count);
    for (int n = 0; n < count; n++) {
        at = expect_number(expect_number(at, view.x[of[n]]), view.y[of[n]]);
        at = expect_text(at, "0\n");
    }
    char sizes[64];
    snprintf(sizes, sizeof sizes, "VERTICES %d %d\n", count, 2 * count);
    at = expect_text(at, sizes);
    for (int n = 0; n < count; n++) at = expect_number(expect_text(at, "1 "), (float)n);
    at = expect_values(at, "POINT_DATA %d\nSCALARS id unsigned_int 1\nLOOKUP_TABLE default\n", count);
    for (int n = 0; n < count; n++) at = expect_number(at, (float)n);
    at = expect_text(at, "SCALARS material int 1\nLOOKUP_TABLE default\n");
    for (int n = 0; n < count; n++) at = expect_number(at, view.material[of[n]]);
    at = expect_text(at, "SCALARS density float 1\nLOOKUP_TABLE default\n");
    for (int n = 0; n < count; n++) at = expect_number(at, view.density[of[n]]);
    at = expect_text(at, "SCALARS mass float 1\nLOOKUP_TABLE default\n");
    for (int n = 0; n < count; n++) at = expect_number(at, view.materials[view.material[of[n]]].mass);
    at = expect_text(at, "VECTORS velocity float\n");
    for (int n = 0; n < count; n++) {
        at = expect_number(expect_number(at, view.vx[of[n]]), view.vy[of[n]]);
        at = expect_text(at, "0\n");
    }
    assert_string_equal(at, "");
    free(text);
    pd_world_destroy(world);
    pd_scene_free(&scene);
}

/* The particles of the other methods are the fluid: their columns stay. */
static void particles_stay_particles(void **state) {
    (void)state;
    static const char *const methods[] = {"ddr", "sph", "pbf", "flip"}; /* the last also has a velocity field */
    write_text("dyes.yaml", DYES);
    for (int i = 0; i < 4; i++) {
        char command[128];
        snprintf(command, sizeof command, "run dyes.yaml --method %s --steps 1 --state fluid.csv --quiet", methods[i]);
        assert_int_equal(run(command), 0);
        char *text = read_text("fluid.csv");
        assert_int_equal(strncmp(text, "id,material,x,y,", 16), 0);
        assert_int_equal(lines(text), 181);
        free(text);
    }
}

/* A full disk leaves no file of cells behind, and an older one as it was. */
static void a_full_disk_is_reported(void **state) {
    (void)state;
    write_text("dyes.yaml", DYES);
    assert_int_equal(run("run dyes.yaml --steps 1 --state cells.csv --quiet"), 0);
    shell("cp cells.csv before");
    assert_int_equal(run_limited(4096, "run dyes.yaml --steps 5 --state cells.csv --quiet"), 1);
    assert_int_equal(lines(err), 1);
    assert_non_null(strstr(err, "cells.csv': File too large"));
    assert_same_file("cells.csv", "before");
}

/* What a method measures of its field stands in the place of what its tracers would say. */
static void numbers_of_the_method_take_precedence(void **state) {
    (void)state;
    pd_scene scene = scene_of_text(DYES);
    pd_world *world = world_of(&scene, 1);
    step_many(world, STEPS);
    pd_view view;
    pd_statistics s;
    pd_world_view(world, &view);
    pd_world_statistics(world, &s);
    double fastest = 0, momentum = 0;
    for (int i = 0; i < view.count; i++) {
        fastest = fmax(fastest, hypot((double)view.vx[i], (double)view.vy[i]));
        momentum += (double)view.materials[view.material[i]].mass * (double)view.vy[i] * particle_mass_of(world);
    }
    const pd_field *speed = pd_view_field(&view, "speed");
    double greatest = 0;
    for (int cell = 0; cell < speed->nx * speed->ny; cell++)
        if (!isnan(speed->values[cell])) greatest = fmax(greatest, (double)speed->values[cell]);
    assert_true(greatest > 0 && fabs(greatest - fastest) > 1e-3 * greatest);
    assert_float_equal(s.max_speed, greatest, 1e-6 * greatest);
    assert_float_equal(s.rms_speed, pd_view_number(&view, "rms_speed"), 0);
    assert_float_equal(s.divergence, pd_view_number(&view, "divergence"), 0);
    assert_float_equal(s.circulation, pd_view_number(&view, "circulation"), 0);
    assert_float_equal(s.momentum_y, pd_view_number(&view, "momentum_y"), 0);
    assert_true(fabs(s.momentum_y - momentum) > 0.1 * fabs(momentum)); /* tracers weigh nothing */
    assert_true(isnan(s.mean_density));
    pd_world_destroy(world);
    pd_scene_free(&scene);
}

static void values_between_cells(void **state) {
    (void)state;
    /* Two layers, 3 x 2 cells of 2 m from (-3, 1); no fluid in the last of the upper row. */
    static const float values[] = {1, 2, 4, 10, 20, NAN, 0, 0, 0, 5, 0, NAN};
    pd_field field = {.info = {.support = PD_FIELD_OF_CELLS},
                      .values = values,
                      .layers = 2,
                      .nx = 3,
                      .ny = 2,
                      .origin = {-3, 1},
                      .cell = 2};
    assert_float_equal(pd_field_at(&field, (pd_vec2){-2, 2}), 1, 0);        /* a centre */
    assert_float_equal(pd_field_at(&field, (pd_vec2){-2, 4}), 15, 0);       /* the sum of the layers */
    assert_float_equal(pd_field_at(&field, (pd_vec2){-1.5f, 2}), 1.25f, 0); /* between two centres */
    assert_float_equal(pd_field_at(&field, (pd_vec2){-1, 3}), 9.5f, 0);     /* between four: 1, 2, 15 and 20 */
    assert_float_equal(pd_field_at(&field, (pd_vec2){-2.9f, 1.1f}), 1, 0);  /* at the edge: the nearest centre */
    assert_float_equal(pd_field_at(&field, (pd_vec2){2, 2.5f}), 4, 0);      /* cells without fluid do not count */
    assert_true(isnan(pd_field_at(&field, (pd_vec2){2, 4})));               /* no fluid */
    assert_true(isnan(pd_field_at(&field, (pd_vec2){-3.1f, 2})));           /* outside */
    assert_true(isnan(pd_field_at(&field, (pd_vec2){NAN, 2})));
    field.values = NULL;
    assert_true(isnan(pd_field_at(&field, (pd_vec2){-2, 2})));
    field.values = values;
    field.info.support = PD_FIELD_OF_PARTICLES;
    assert_true(isnan(pd_field_at(&field, (pd_vec2){-2, 2})));
}

TEST_GROUP(cells) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(csv_holds_the_fields),
        cmocka_unit_test(vtk_holds_the_fields),
        cmocka_unit_test(vtk_holds_the_particles),
        cmocka_unit_test(particles_stay_particles),
        cmocka_unit_test(a_full_disk_is_reported),
        cmocka_unit_test(values_between_cells),
        cmocka_unit_test(numbers_of_the_method_take_precedence),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
