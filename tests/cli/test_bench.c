/* The benchmark: its rows, and what they say of particles and of cells. */
#include "command.h"
#include "methods.h"
#include "refusing.h"

#include "cli/bench.h"
#include "reference/reference.h"
#include "reference/vortex.h"

static const cJSON *item(const cJSON *row, const char *key) {
    const cJSON *value = cJSON_GetObjectItem(row, key);
    if (!value) fail_msg("%s: there is no %s", cJSON_GetObjectItem(row, "method")->valuestring, key);
    return value;
}

static void expect_positive(const cJSON *row, const char *key) {
    const cJSON *value = item(row, key);
    if (!cJSON_IsNumber(value) || !(value->valuedouble > 0))
        fail_msg("%s: %s is not a positive number", item(row, "method")->valuestring, key);
}

/* What a method does not have is there, but null. */
static void expect_number_if(bool applies, const cJSON *row, const char *key) {
    if (applies)
        expect_positive(row, key);
    else if (!cJSON_IsNull(item(row, key)))
        fail_msg("%s: %s is not null", item(row, "method")->valuestring, key);
}

/* The cost with few and with many segments, and their ratio. */
static void expect_walls(const cJSON *walls) {
    static const char *const kinds[] = {"line", "apart"};
    for (int k = 0; k < 2; k++) {
        const cJSON *kind = cJSON_GetObjectItem(walls, kinds[k]);
        double few = cJSON_GetObjectItem(kind, "ms_of_5_segments")->valuedouble;
        double many = cJSON_GetObjectItem(kind, "ms_of_500_segments")->valuedouble;
        assert_true(few > 0 && many > 0);
        assert_float_equal(cJSON_GetObjectItem(kind, "ratio")->valuedouble, many / few, 1e-9 * many / few);
    }
}

/* Every documented number of a method. */
static void expect_row(const cJSON *row, const char *name) {
    static const char *const numbers[] = {"particles",    "threads",  "steps",     "substeps",
                                          "ms_per_frame", "realtime", "rms_speed", "peak_rss_mb"};
    const pd_method *method = method_of(name);
    bench_kind kind = bench_choose_kind(&method->info);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) expect_positive(row, numbers[i]);
    expect_number_if(kind != BENCH_FLOW, row, "ns_per_particle_substep");
    bool on_a_grid = kind == BENCH_TANK || kind == BENCH_FLOW;
    expect_number_if(kind == BENCH_VORTICES, row, "tracers");
    expect_number_if(on_a_grid, row, "cells");
    expect_number_if(on_a_grid, row, "ns_per_cell_substep");
    expect_number_if(on_a_grid, row, "divergence");
    expect_number_if(kind == BENCH_POOL ? method->law != NULL : !cJSON_IsNull(item(row, "neighbors")), row,
                     "neighbors");
    expect_number_if(has_parameter(method, "iterations"), row, "iterations");
    bool walls = kind == BENCH_POOL || kind == BENCH_TANK;
    assert_true((cJSON_GetObjectItem(row, "walls") != NULL) == walls);
    if (walls) expect_walls(item(row, "walls"));
    if (reference_description(name)) {
        expect_positive(row, "reference_ratio");
        expect_positive(row,
                        kind == BENCH_FLOW ? "reference_ns_per_cell_substep" : "reference_ns_per_particle_substep");
    }
    assert_string_equal(item(row, "method")->valuestring, name);
    assert_true(cJSON_IsString(item(row, "simd")));
    assert_true(cJSON_GetArraySize(item(row, "stages")) > 2);
    assert_true(item(row, "steps")->valuedouble == 5);
}

static void rows_have_the_documented_numbers(void **state) {
    (void)state;
    const char *methods[MOST_METHODS];
    int count = methods_that(any_method, methods);
    cJSON *json =
        parse_output("bench --particles 30 --set grid.resolution=32 --steps 5 --threads 1 --reference --json");
    assert_int_equal(cJSON_GetArraySize(json), count);
    for (int i = 0; i < count; i++) expect_row(cJSON_GetArrayItem(json, i), methods[i]);
    cJSON_Delete(json);
    json = parse_output("bench --method pbf --particles 30 --steps 5 --json");
    assert_int_equal(cJSON_GetArraySize(json), 1);
    cJSON_Delete(json);
}

/* A flow: the size is that of the grid, particles are tracers, and the iterations are those that were needed. */
static void flow_is_measured_by_cells(void **state) {
    (void)state;
    cJSON *json = parse_output("bench --method grid --set grid.resolution=32 --steps 5 --json");
    assert_int_equal(cJSON_GetArraySize(json), 1);
    const cJSON *row = cJSON_GetArrayItem(json, 0);
    assert_true(item(row, "cells")->valuedouble == 32 * 32);
    assert_true(item(row, "particles")->valuedouble == 1);
    assert_true(item(row, "rms_speed")->valuedouble > 0.1);
    assert_true(item(row, "divergence")->valuedouble < 1e-3);
    double iterations = item(row, "iterations")->valuedouble;
    assert_true(iterations >= 1 && iterations < 15);      /* the parameter, the most that are allowed, is 40 */
    assert_true(iterations * 5 == floor(iterations * 5)); /* a mean of five steps */
    double ns = item(row, "ns_per_cell_substep")->valuedouble, ms = item(row, "ms_per_frame")->valuedouble;
    assert_true(item(row, "substeps")->valuedouble == 1);
    assert_float_equal(ns * 32 * 32 * 1e-6, ms, 1e-9 * ms);
    cJSON_Delete(json);
    json = parse_output("bench --method grid --set grid.resolution=24 --particles 700 --steps 1 --json");
    row = cJSON_GetArrayItem(json, 0);
    assert_true(item(row, "cells")->valuedouble == 24 * 24);
    assert_true(item(row, "particles")->valuedouble == 700);
    cJSON_Delete(json);
}

/* Vortices: as many as the size says in about, with twice as many tracers. */
static void vortices_are_measured_with_their_tracers(void **state) {
    (void)state;
    skip_under_sanitizers();
    skip_in_short();
    static const char *const stages[] = {"walls", "forces", "viscosity", "velocities", "remeshing"};
    cJSON *json = parse_output("bench --method vortex --particles 2000 --steps 5 --threads 1 --reference --json");
    assert_int_equal(cJSON_GetArraySize(json), 1);
    const cJSON *row = cJSON_GetArrayItem(json, 0);
    double vortices = item(row, "particles")->valuedouble, tracers = item(row, "tracers")->valuedouble;
    print_message("%.0f vortices, %.0f tracers\n", vortices, tracers);
    assert_true(tracers == 4000);
    assert_true(vortices > 1500 && vortices < 2500);
    assert_true(item(row, "rms_speed")->valuedouble > 0.1);
    for (int i = 0; i < 5; i++) assert_true(item(item(row, "stages"), stages[i])->valuedouble > 0);
    double ns = item(row, "ns_per_particle_substep")->valuedouble, ms = item(row, "ms_per_frame")->valuedouble;
    assert_true(item(row, "substeps")->valuedouble == 1);
    assert_true(fabs(ns * (vortices + tracers) * 1e-6 - ms) <= 1e-9 * ms);
    assert_true(fabs(item(row, "reference_ratio")->valuedouble -
                     item(row, "reference_ns_per_particle_substep")->valuedouble / ns) < 1e-9 * ms);
    cJSON_Delete(json);
}

/* The velocities of the same vortices by both solvers; a smaller tolerance makes the error smaller. */
static void solvers_of_velocities_are_compared(void **state) {
    (void)state;
    static const char *const commands[] = {
        "bench --method vortex --particles 1000 --steps 1 --set vortex.tolerance=0.01 --json",
        "bench --method vortex --particles 1000 --steps 1 --set vortex.tolerance=1e-4 --json",
    };
    static const double tolerances[] = {0.01, 1e-4};
    double errors[2];
    for (int k = 0; k < 2; k++) {
        cJSON *json = parse_output(commands[k]);
        const cJSON *velocities = item(cJSON_GetArrayItem(json, 0), "velocities");
        const cJSON *direct = cJSON_GetObjectItem(velocities, "direct"),
                    *tree = cJSON_GetObjectItem(velocities, "tree");
        assert_true(cJSON_GetObjectItem(direct, "error")->valuedouble == 0);
        assert_true(cJSON_GetObjectItem(direct, "ms")->valuedouble > 0);
        assert_true(cJSON_GetObjectItem(tree, "ms")->valuedouble > 0);
        errors[k] = cJSON_GetObjectItem(tree, "error")->valuedouble;
        assert_true(errors[k] > 0 && errors[k] < tolerances[k]);
        cJSON_Delete(json);
    }
    print_message("errors %g and %g\n", errors[0], errors[1]);
    assert_true(errors[1] < 0.2 * errors[0]);
}

static double greatest_distance(const reference_vortex *plain, const pd_view *view) {
    const pd_view_vortices *v = &view->vortices;
    double greatest = 0;
    for (int n = 0; n < plain->count; n++) {
        double x = (double)(n < v->count ? v->x[n] : view->x[n - v->count]);
        double y = (double)(n < v->count ? v->y[n] : view->y[n - v->count]);
        greatest = fmax(greatest, hypot(plain->x[n] - x, plain->y[n] - y));
    }
    return greatest;
}

/* The plain form moves vortices and tracers as the method does. Cores that turn by 0.02 and 0.5 rad: both orders. */
static void plain_form_moves_vortices_alike(void **state) {
    (void)state;
    static const float circulations[] = {0.02f, 0.5f};
    for (int k = 0; k < 2; k++) {
        pd_scene scene;
        pd_error error;
        pd_view view;
        reference_vortex *plain;
        pd_vorton vortices[] = {{{0.3f, 0.1f}, circulations[k], 0.05f}, {{-0.4f, 0.5f}, -0.01f, 0.1f}};
        pd_scene_init(&scene);
        snprintf(scene.method, sizeof scene.method, "vortex");
        scene.vortons = vortices;
        scene.vorton_count = 2;
        scene.substeps = 1;
        assert_int_equal(pd_scene_set_parameter(&scene, "vortex.tracers", 500, &error), PD_OK);
        assert_int_equal(pd_scene_set_parameter(&scene, "vortex.solver", 0, &error), PD_OK);
        pd_world *world = world_of(&scene, 1);
        assert_int_equal(reference_vortex_create(&plain, world, &error), PD_OK);
        assert_true(reference_vortex_moved_fraction(plain) == 1);
        pd_world_step(world);
        reference_vortex_step(plain, (double)scene.dt);
        pd_world_view(world, &view);
        assert_int_equal(view.vortices.count + view.count, plain->count);
        assert_true(view.count > 400);
        double greatest = greatest_distance(plain, &view);
        print_message("circulation %g: %g m apart\n", (double)circulations[k], greatest);
        assert_true(greatest < 1e-6);
        reference_vortex_destroy(plain);
        pd_world_destroy(world);
        scene.vortons = NULL;
        scene.vorton_count = 0;
        pd_scene_free(&scene);
    }
}

/* The same projection by both solvers. */
static void multigrid_is_at_least_as_good_as_forty_sweeps(void **state) {
    (void)state;
    cJSON *json = parse_output("bench --method grid --set grid.resolution=128 --steps 1 --json");
    const cJSON *projection = item(cJSON_GetArrayItem(json, 0), "projection");
    const cJSON *multigrid = cJSON_GetObjectItem(projection, "multigrid");
    const cJSON *sweeps = cJSON_GetObjectItem(projection, "gauss_seidel");
    double after = cJSON_GetObjectItem(multigrid, "divergence")->valuedouble;
    double after_sweeps = cJSON_GetObjectItem(sweeps, "divergence")->valuedouble;
    print_message("divergence: multigrid %g, 40 sweeps %g 1/s\n", after, after_sweeps);
    assert_true(after > 0 && after < 1e-3);
    assert_true(after < 0.01 * after_sweeps);
    assert_true(cJSON_GetObjectItem(sweeps, "iterations")->valuedouble == 40);
    assert_true(cJSON_GetObjectItem(multigrid, "iterations")->valuedouble < 15);
    assert_true(cJSON_GetObjectItem(multigrid, "ms")->valuedouble > 0);
    assert_true(cJSON_GetObjectItem(sweeps, "ms")->valuedouble > 0);
    cJSON_Delete(json);
}

/* Every method that has both solvers names the same stage and the same number. */
static void projections_are_timed(void **state) {
    (void)state;
    static const char *const commands[] = {
        "bench --method flip --particles 1000 --steps 5 --json",
        "bench --method grid --set grid.resolution=24 --steps 5 --json",
    };
    for (int k = 0; k < 2; k++) {
        cJSON *json = parse_output(commands[k]);
        const cJSON *row = cJSON_GetArrayItem(json, 0), *projection = item(row, "projection");
        const cJSON *multigrid = cJSON_GetObjectItem(projection, "multigrid");
        assert_true(item(item(row, "stages"), "projection")->valuedouble > 0);
        assert_true(cJSON_GetObjectItem(multigrid, "ms")->valuedouble > 0);
        assert_true(cJSON_GetObjectItem(cJSON_GetObjectItem(projection, "gauss_seidel"), "ms")->valuedouble > 0);
        double iterations = cJSON_GetObjectItem(multigrid, "iterations")->valuedouble;
        assert_true(iterations > 0 && iterations < 20); /* 20 may be made */
        cJSON_Delete(json);
    }
}

static const char *line_with(const char *text, const char *what) {
    const char *found = strstr(text, what);
    if (!found) fail_msg("'%s' is not in: %s", what, text);
    return found;
}

static void table_has_dashes_where_nothing_applies(void **state) {
    (void)state;
    char method[16], particles[16], cells[16], threads[16], steps[16], substeps[16], neighbours[16], ns[16],
        cell_ns[16];
    assert_int_equal(run("bench --method grid --set grid.resolution=32 --steps 5 --threads 1 --reference"), 0);
    line_with(out, "ms/frame");
    line_with(out, "iterations a substep; divergence ");
    line_with(out, "40 sweeps of Gauss-Seidel");
    line_with(out, " ns/cell, ratio ");
    assert_int_equal(sscanf(line_with(out, "\ngrid "), "%15s %15s %15s %15s %15s %15s %15s %15s %15s", method,
                            particles, cells, threads, steps, substeps, neighbours, ns, cell_ns),
                     9);
    assert_string_equal(cells, "1024");
    assert_string_equal(neighbours, "-");
    assert_string_equal(ns, "-");
    assert_true(strtod(cell_ns, NULL) > 0);
    assert_int_equal(run("bench --method sph --particles 30 --steps 5"), 0);
    assert_int_equal(sscanf(line_with(out, "\nsph "), "%15s %15s %15s %15s %15s %15s %15s %15s %15s", method, particles,
                            cells, threads, steps, substeps, neighbours, ns, cell_ns),
                     9);
    assert_string_equal(particles, "30");
    assert_string_equal(cells, "-");
    assert_string_equal(cell_ns, "-");
    assert_true(strtod(ns, NULL) > 0);
}

static void expect_sizes(const options *options, const pd_method_info *method, int count, const int *expected) {
    int sizes[BENCH_MOST_SIZES];
    assert_int_equal(bench_choose_sizes(options, method, sizes), count);
    for (int i = 0; expected && i < count; i++) assert_int_equal(sizes[i], expected[i]);
}

static void rows_go_by_what_a_method_computes_on(void **state) {
    (void)state;
    static const int by_particles[] = {1000, 10000, 50000}, on_a_grid[] = {10000, 100000};
    static const int by_vortices[] = {2000, 10000, 50000};
    static const int by_cells[] = {128, 256, 512, 1024}, given[] = {7};
    options plain = {.steps = -1}, particles = {.steps = -1, .particles = 7};
    options resolution = {.steps = -1, .settings = {"grid.density=2", "grid.resolution=64"}, .setting_count = 2};
    const pd_method_info *grid = &method_of("grid")->info, *sph = &method_of("sph")->info;
    const pd_method_info *vortex = &method_of("vortex")->info;
    pd_method table = *method_of("grid"); /* of particles, on a grid: no dyes */
    const pd_method_info *liquid = &table.info;
    table.info.paints = false;
    assert_int_equal(bench_choose_kind(grid), BENCH_FLOW);
    assert_int_equal(bench_choose_kind(sph), BENCH_POOL);
    assert_int_equal(bench_choose_kind(vortex), BENCH_VORTICES);
    assert_int_equal(bench_choose_kind(liquid), BENCH_TANK);
    expect_sizes(&plain, sph, 3, by_particles);
    expect_sizes(&plain, vortex, 3, by_vortices);
    expect_sizes(&particles, vortex, 1, given);
    expect_sizes(&particles, sph, 1, given);
    expect_sizes(&resolution, sph, 3, by_particles);
    expect_sizes(&plain, grid, 4, by_cells);
    expect_sizes(&particles, grid, 4, by_cells);
    expect_sizes(&resolution, grid, 1, NULL);
    expect_sizes(&plain, liquid, 2, on_a_grid);
    expect_sizes(&particles, liquid, 1, given);
}

/* The scenes are valid, and say what the row is called after. */
/* The library frees what a scene holds: all of it must come from the library's allocator. */
static void scenes_are_of_the_librarys_memory(void **state) {
    (void)state;
    options plain = {.steps = -1};
    pd_error error = {0};
    set_refusing_allocator();
    for (int m = 0; m < pd_method_count(); m++) {
        pd_scene scene;
        if (bench_create_scene(&plain, pd_method_at(m), 500, &scene, &error) != PD_OK) fail_msg("%s", error.message);
        pd_scene_free(&scene);
    }
    pd_set_allocator(NULL);
    assert_int_equal(memory.blocks, 0);
}

static void scenes_have_the_size_of_their_row(void **state) {
    (void)state;
    options plain = {.steps = -1};
    pd_error error = {0};
    pd_scene scene;
    pd_method table = *method_of("grid");
    table.info.paints = false;
    assert_int_equal(bench_create_scene(&plain, &table.info, 5000, &scene, &error), PD_OK);
    assert_int_equal(pd_scene_check(&scene, &error), PD_OK);
    assert_int_equal(scene.particles, 5000);
    pd_scene_free(&scene);
    assert_int_equal(bench_create_scene(&plain, &method_of("grid")->info, 48, &scene, &error), PD_OK);
    pd_world *world = world_of(&scene, 1);
    pd_view view;
    pd_world_view(world, &view);
    assert_int_equal(pd_view_field(&view, "velocity_x")->nx, 48);
    bench_step_until_timing(BENCH_FLOW, world);
    assert_true(pd_view_number(&view, "rms_speed") > 0.1); /* it still moves */
    pd_world_destroy(world);
    pd_scene_free(&scene);
    assert_int_equal(bench_create_scene(&plain, &method_of("vortex")->info, 5000, &scene, &error), PD_OK);
    world = world_of(&scene, 1);
    pd_world_view(world, &view);
    bench_step_until_timing(BENCH_VORTICES, world);
    pd_world_view(world, &view);
    print_message("%d vortices of 5000\n", view.vortices.count);
    assert_true(fabs(view.vortices.count / 5000.0 - 1) < 0.15);
    pd_world_destroy(world);
    pd_scene_free(&scene);
}

/* As many segments as is said, in one wall or apart, within the container, and in all as long by either count. */
static void walls_have_their_segments(void **state) {
    (void)state;
    static const int counts[] = {5, 500};
    options plain = {.steps = -1};
    pd_error error = {0};
    for (int k = 0; k < 4; k++) {
        pd_scene scene;
        bool apart = k & 1;
        int segments = 0, wanted = counts[k / 2];
        float length = 0;
        assert_int_equal(bench_create_scene(&plain, &method_of("sph")->info, 10000, &scene, &error), PD_OK);
        assert_int_equal(bench_add_walls(&scene, apart, wanted, &error), PD_OK);
        assert_int_equal(pd_scene_check(&scene, &error), PD_OK);
        assert_int_equal(scene.obstacle_count, apart ? wanted : 1);
        for (int i = 0; i < scene.obstacle_count; i++) {
            const pd_area *area = &scene.obstacles[i].area;
            segments += area->point_count - 1;
            for (int p = 0; p < area->point_count; p++) {
                assert_true(hypotf(area->points[p].x, area->points[p].y) < 0.95f);
                if (p > 0)
                    length +=
                        hypotf(area->points[p].x - area->points[p - 1].x, area->points[p].y - area->points[p - 1].y);
            }
        }
        assert_int_equal(segments, wanted);
        assert_true(length > 2.2f && length < 2.45f);
        pd_scene_free(&scene);
    }
    assert_true(bench_measures_walls(BENCH_TANK, 10000));
    assert_false(bench_measures_walls(BENCH_POOL, 50000));
    assert_false(bench_measures_walls(BENCH_FLOW, 128));
}

TEST_GROUP(bench) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_have_the_documented_numbers),
        cmocka_unit_test(flow_is_measured_by_cells),
        cmocka_unit_test(vortices_are_measured_with_their_tracers),
        cmocka_unit_test(solvers_of_velocities_are_compared),
        cmocka_unit_test(plain_form_moves_vortices_alike),
        cmocka_unit_test(projections_are_timed),
        cmocka_unit_test(multigrid_is_at_least_as_good_as_forty_sweeps),
        cmocka_unit_test(table_has_dashes_where_nothing_applies),
        cmocka_unit_test(rows_go_by_what_a_method_computes_on),
        cmocka_unit_test(scenes_are_of_the_librarys_memory),
        cmocka_unit_test(scenes_have_the_size_of_their_row),
        cmocka_unit_test(walls_have_their_segments),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
