/* The accuracy of the grid fluid: exact solutions, published figures, and what must be kept. */
#include "methods.h"
#include "methods/grid/grid.h"
#include "sanitizers.h"

static const double pi = 3.14159265358979324;

static grid_state *state_of(pd_world *world) { return world->state; }

static const pd_field *field_of(const pd_world *world, const char *name) {
    static pd_view view;
    pd_world_view(world, &view);
    const pd_field *field = pd_view_field(&view, name);
    assert_non_null(field);
    assert_non_null(field->values);
    return field;
}

static double number_of(const pd_world *world, const char *name) {
    pd_view view;
    pd_world_view(world, &view);
    return pd_view_number(&view, name);
}

static float at(const pd_field *field, int i, int j) { return field->values[i + field->nx * j]; }

static pd_world *grid_world(const char *text) { return world_of_method("grid", text, 1); }

/* A bundled scene under the grid fluid, on 96 cells in short form. */
static pd_scene bundled_grid_scene(const char *name) {
    pd_scene scene = bundled_scene(name);
    strcpy(scene.method, "grid");
    if (in_short_run()) assert_int_equal(pd_scene_set_parameter(&scene, "grid.resolution", 96, NULL), PD_OK);
    return scene;
}

/* ---- Projection ---- */

static void divergence_stays_small(void **state) {
    (void)state;
    static const char *const scenes[] = {"wind-tunnel", "karman-street", "smoke-plume", "paint",
                                         "cavity",      "stirring",      "tank",        "obstacles"};
    for (size_t s = 0; s < sizeof scenes / sizeof *scenes; s++) {
        pd_scene scene = bundled_grid_scene(scenes[s]);
        pd_world *world = world_of(&scene, 1);
        for (int n = 0; n < (UNDER_ADDRESS_SANITIZER ? 4 : fewer_frames(120, 4)); n++) {
            pd_world_step(world);
            double divergence = number_of(world, "divergence");
            if (!(divergence < 1e-3)) fail_msg("%s, step %d: divergence %g", scenes[s], n, divergence);
        }
        pd_world_destroy(world);
        pd_scene_free(&scene);
    }
}

/* With Gauss-Seidel, the divergence after the projection falls with the number of sweeps. */
static void sweeps_lower_the_divergence(void **state) {
    (void)state;
    skip_under_sanitizers();
    double before = 0;
    static const int sweeps[] = {5, 20, 80};
    for (int k = 0; k < 3; k++) {
        pd_scene scene = bundled_scene("two-drops");
        strcpy(scene.method, "grid");
        assert_int_equal(pd_scene_set_parameter(&scene, "grid.resolution", 48, NULL), PD_OK);
        assert_int_equal(pd_scene_set_parameter(&scene, "grid.solver", PD_GAUSS_SEIDEL, NULL), PD_OK);
        assert_int_equal(pd_scene_set_parameter(&scene, "grid.iterations", (float)sweeps[k], NULL), PD_OK);
        pd_world *world = world_of(&scene, 1);
        step_many(world, 30);
        double divergence = number_of(world, "divergence");
        print_message("%d sweeps: divergence %g 1/s\n", sweeps[k], divergence);
        if (k > 0) assert_true(divergence < 0.5 * before);
        before = divergence;
        pd_world_destroy(world);
        pd_scene_free(&scene);
    }
}

/* ---- Exact solutions ---- */

/* A tank whose lower half is heavy dye, at rest: the pressure grows with depth by density times gravity, and in the dye by
 * its additional weight too. */
static void column_is_hydrostatic(void **state) {
    (void)state;
    pd_world *world = grid_world("gravity: [0, -9.81]\n"
                                 "particles: 10\n"
                                 "container: {shape: box, width: 0.5, height: 1}\n"
                                 "materials: {brine: {color: \"#336699\", mass: 0.8}}\n"
                                 "regions: [{shape: box, center: [0, -0.25], size: [0.5, 0.5]}]\n"
                                 "parameters: {grid: {resolution: 32, density: 1000, ambient: 0.5}}\n");
    step_many(world, fewer_frames(60, 10));
    const pd_field *p = field_of(world, "pressure");
    assert_int_equal(p->ny, 64);
    for (int i = 0; i < p->nx; i++) {
        double light = 1000 * 9.81 * 24 / 64.0, heavy = 1000 * 9.81 * (1 + 0.3) * 24 / 64.0;
        assert_float_equal(at(p, i, 36) - at(p, i, 60), light, 0.01 * light);
        assert_float_equal(at(p, i, 3) - at(p, i, 27), heavy, 0.01 * heavy);
    }
    assert_true(number_of(world, "max_speed") < 1e-3);
    pd_world_destroy(world);
}

/* The vortex u = sin x cos y, v = -cos x sin y in a box of side pi with free-slip walls decays as exp(-2 nu t). */
static void taylor_green_decays(void **state) {
    (void)state;
    skip_under_sanitizers();
    pd_world *world = grid_world("gravity: [0, 0]\n"
                                 "particles: 10\n"
                                 "container: {shape: box, width: 3.14159265, height: 3.14159265}\n"
                                 "parameters: {grid: {resolution: 64, viscosity: 0.25, buoyancy: 0}}\n");
    grid_state *grid = state_of(world);
    const pd_layout *l = &grid->mac->layout;
    double h = pi / 64;
    for (int j = 0; j < 64; j++)
        for (int i = 0; i < 64; i++) {
            grid->mac->u[pd_element_index(l, i, j)] = (float)(sin(i * h) * cos((j + 0.5) * h));
            grid->mac->v[pd_element_index(l, i, j)] = (float)(-cos((i + 0.5) * h) * sin(j * h));
        }
    step_many(world, 1);
    double before = number_of(world, "rms_speed");
    step_many(world, 60);
    double rate = log(before / number_of(world, "rms_speed"));
    print_message("decay rate %.4f, exact 0.5\n", rate);
    assert_float_equal(rate, 0.5, 0.025);
    pd_world_destroy(world);
}

/* ---- Published figures ---- */

static double cavity_error(int resolution) {
    static const double y[] = {0.9766, 0.7344, 0.5, 0.2813, 0.1016};
    static const double u[] = {0.84123, 0.00332, -0.20581, -0.15662, -0.06434};
    char text[400];
    snprintf(text, sizeof text,
             "gravity: [0, 0]\nparticles: 10\n"
             "container: {shape: box, width: 1, height: 1, slip: false, walls: {top: {velocity: 1}}}\n"
             "parameters: {grid: {resolution: %d, viscosity: 0.01, buoyancy: 0}}\n",
             resolution);
    pd_world *world = grid_world(text);
    step_many(world, 60 * 25);
    const pd_mac *mac = state_of(world)->mac;
    double sum = 0;
    for (int k = 0; k < 5; k++) {
        /* On the centre line there are vertical faces. */
        double row = y[k] * resolution - 0.5;
        int j = (int)floor(row);
        double low = mac->u[pd_element_index(&mac->layout, resolution / 2, j)];
        double high = mac->u[pd_element_index(&mac->layout, resolution / 2, j + 1)],
               found = low + (row - j) * (high - low);
        print_message("%d cells: y %.4f u %.5f, Ghia %.5f\n", resolution, y[k], found, u[k]);
        sum += (found - u[k]) * (found - u[k]);
    }
    pd_world_destroy(world);
    return sqrt(sum / 5);
}

static void cavity_agrees_with_ghia(void **state) {
    (void)state;
    skip_under_sanitizers();
    double coarse = cavity_error(64), fine = is_shortened() ? 0 : cavity_error(128);
    print_message("rms error %.4f on 64 cells, %.4f on 128\n", coarse, fine);
    assert_true(coarse < 0.03);
    assert_true(fine < 0.03);
}

/* The force of the pressure on the disc, by integration around it. */
static double pressure_drag(const pd_world *world, pd_vec2 center, double radius) {
    const pd_field *p = field_of(world, "pressure");
    double drag = 0;
    enum { POINTS = 64 };
    for (int k = 0; k < POINTS; k++) {
        double angle = 2 * pi * k / POINTS, r = radius + 1.5 * (double)p->cell;
        double x = ((double)center.x + r * cos(angle) - (double)p->origin.x) / (double)p->cell - 0.5;
        double y = ((double)center.y + r * sin(angle) - (double)p->origin.y) / (double)p->cell - 0.5;
        int i = (int)x, j = (int)y;
        double tx = x - i, ty = y - j;
        double below = at(p, i, j) * (1 - tx) + at(p, i + 1, j) * tx;
        double above = at(p, i, j + 1) * (1 - tx) + at(p, i + 1, j + 1) * tx;
        drag -= (below * (1 - ty) + above * ty) * cos(angle) * 2 * pi * radius / POINTS;
    }
    return drag;
}

/* Counts the times at which an oscillating value becomes positive. */
typedef struct rises {
    double first, last, before; /* first and last of the times; the value before */
    int count;
} rises;

static void add_value(rises *r, double time, double value) {
    if (r->before < 0 && value >= 0) {
        if (r->count++ == 0) r->first = time;
        r->last = time;
    }
    r->before = value;
}

static double frequency_of(const rises *r) { return (r->count - 1) / (r->last - r->first); }

static void disc_sheds_vortices(void **state) {
    (void)state;
    skip_under_sanitizers();
    skip_in_short();
    pd_scene scene = bundled_scene("karman-street");
    assert_int_equal(pd_scene_set_parameter(&scene, "grid.resolution", 128, NULL), PD_OK);
    pd_world *world = world_of(&scene, 1);
    const int settling = 60 * 8, measured = 60 * 8;
    step_many(world, settling);
    double drag = 0, diameter = 0.15;
    rises wake = {0}, lift = {0};
    for (int n = 0; n < measured; n++) {
        double x_impulse, y_impulse;
        pd_world_step(world);
        pd_world_impulse_on_obstacle(world, 0, &x_impulse, &y_impulse);
        const pd_field *v = field_of(world, "velocity_y");
        double x = (-1 + 4 * diameter - (double)v->origin.x) / (double)v->cell;
        add_value(&wake, pd_world_time(world), at(v, (int)x, v->ny / 2));
        add_value(&lift, pd_world_time(world), y_impulse);
        drag += pressure_drag(world, (pd_vec2){-1, 0.005f}, diameter / 2) / measured;
    }
    assert_true(wake.count >= 3 && lift.count >= 3);
    double strouhal = frequency_of(&wake) * diameter, coefficient = drag / (0.5 * 1000 * diameter);
    print_message("Strouhal number %.3f, of the lift %.3f, coefficient of the pressure's drag %.2f\n", strouhal,
                  frequency_of(&lift) * diameter, coefficient);
    assert_float_equal(frequency_of(&lift), frequency_of(&wake), 0.02 * frequency_of(&wake));
    assert_true(strouhal > 0.16 && strouhal < 0.35);
    assert_true(coefficient > 0.4 && coefficient < 3);
    pd_world_destroy(world);
    pd_scene_free(&scene);
}

static void inflow_equals_outflow(void **state) {
    (void)state;
    pd_scene scene = bundled_grid_scene("wind-tunnel");
    pd_world *world = world_of(&scene, 1);
    for (int n = 0; n < fewer_frames(120, 5); n++) {
        pd_world_step(world);
        const pd_mac *mac = state_of(world)->mac;
        double out = 0, in = 2 * 1.2;
        for (int j = 0; j < mac->layout.ny; j++) {
            size_t k = pd_element_index(&mac->layout, mac->layout.nx, j);
            out += (double)(mac->open_x[k] * mac->u[k]) * mac->grid.cell;
        }
        assert_float_equal(out, in, 1e-3 * in);
    }
    pd_world_destroy(world);
    pd_scene_free(&scene);
}

/* ---- Walls ---- */

/* The mean velocity through the wall in each cell that the wall cuts: what flows in through the cell's open faces, over
 * the length of the wall in it. And between the cells, the interpolated velocity at the wall. */
static void round_wall_is_tight(void **state) {
    (void)state;
    pd_scene scene = bundled_scene("two-drops");
    strcpy(scene.method, "grid");
    pd_world *world = world_of(&scene, 1);
    double worst = 0, fastest = 0;
    for (int n = 0; n < fewer_frames(240, 10); n++) {
        pd_world_step(world);
        const pd_mac *mac = state_of(world)->mac;
        size_t row = (size_t)mac->layout.stride;
        for (int j = 0; j < mac->layout.ny; j++)
            for (int i = 0; i < mac->layout.nx; i++) {
                size_t k = pd_element_index(&mac->layout, i, j);
                if (!(mac->open[k] > 0.01f) || mac->open[k] == 1) continue;
                double wall_x = (double)mac->open_x[k + 1] - (double)mac->open_x[k];
                double wall_y = (double)mac->open_y[k + row] - (double)mac->open_y[k];
                double flow = (double)(mac->open_x[k + 1] * mac->u[k + 1]) - (double)(mac->open_x[k] * mac->u[k]) +
                              (double)(mac->open_y[k + row] * mac->v[k + row]) - (double)(mac->open_y[k] * mac->v[k]);
                double length = hypot(wall_x, wall_y);
                if (length > 0.05) worst = fmax(worst, fabs(flow) / length);
            }
        fastest = fmax(fastest, number_of(world, "max_speed"));
    }
    print_message("normal velocity at the wall %.2e of the greatest speed\n", worst / fastest);
    assert_true(worst < 1e-3 * fastest);
    pd_world_destroy(world);
    pd_scene_free(&scene);
}

/* ---- Dyes ---- */

static double dye_of(const pd_world *world, int layer) {
    const pd_field *smoke = field_of(world, "smoke");
    const pd_mac *mac = ((const grid_state *)world->state)->mac;
    double sum = 0;
    for (int j = 0; j < smoke->ny; j++)
        for (int i = 0; i < smoke->nx; i++) {
            float value = smoke->values[i + smoke->nx * (j + smoke->ny * layer)];
            if (!isnan(value)) sum += (double)value * (double)mac->open[pd_element_index(&mac->layout, i, j)];
        }
    return sum * (double)smoke->cell * (double)smoke->cell;
}

static void dye_is_kept(void **state) {
    (void)state;
    skip_under_sanitizers();
    static const char *const scenes[] = {"two-drops", "stirring", "paint", "tank"};
    for (size_t s = 0; s < sizeof scenes / sizeof *scenes; s++) {
        pd_scene scene = bundled_scene(scenes[s]);
        strcpy(scene.method, "grid");
        if (s > 0) assert_int_equal(pd_scene_set_parameter(&scene, "grid.resolution", 96, NULL), PD_OK);
        pd_world *world = world_of(&scene, 1);
        double before[PD_MAX_MATERIALS];
        for (int m = 0; m < scene.material_count; m++) before[m] = dye_of(world, m);
        step_many(world, fewer_frames(600, 20));
        for (int m = 0; m < scene.material_count; m++) {
            double after = dye_of(world, m);
            print_message("%s, dye %d: %.5f m^2, after 10 s %+.3f %%\n", scenes[s], m, before[m],
                          100 * (after / before[m] - 1));
            assert_float_equal(after, before[m], 0.01 * before[m]);
        }
        pd_world_destroy(world);
        pd_scene_free(&scene);
    }
}

/* ---- Changes of method and resolution ---- */

/* Water that is changed to the grid is dye of its area where it was, and its particles go on from there; changed back it
 * is where its tracers are, all but one of a hundred to within a spacing (crowded ones are spread farther), with the velocity of
 * the flow. */
static void water_is_kept_as_dye(void **state) {
    (void)state;
    pd_scene scene = bundled_scene("blobs");
    pd_world *world = world_of(&scene, 1);
    pd_error error;
    step_many(world, 30);
    pd_view view;
    pd_world_view(world, &view);
    int count = view.count;
    float *x = test_malloc((size_t)count * sizeof *x), *y = test_malloc((size_t)count * sizeof *y);
    memcpy(x, view.x, (size_t)count * sizeof *x);
    memcpy(y, view.y, (size_t)count * sizeof *y);
    double area = count * (double)view.spacing * (double)view.spacing, momentum = statistics_of(world).momentum_y;
    assert_int_equal(pd_world_set_method(world, "grid", &error), PD_OK);
    pd_world_view(world, &view);
    assert_int_equal(view.count, count);
    assert_memory_equal(view.x, x, (size_t)count * sizeof *x);
    assert_memory_equal(view.y, y, (size_t)count * sizeof *y);
    double dyes = 0, fell = 0;
    for (int m = 0; m < scene.material_count; m++) dyes += dye_of(world, m);
    assert_float_equal(dyes, area, 0.08 * area);
    /* The fluid around gives way: in a closed container the momentum of all is 0. */
    print_message("momentum of the particles %.1f, as dye %.1f\n", momentum, statistics_of(world).momentum_y);
    assert_true(fabs(statistics_of(world).momentum_y) < 0.1 * fabs(momentum) && momentum < 0);
    for (int n = 0; n < fewer_frames(60, 10); n++) pd_world_step(world);
    pd_world_view(world, &view);
    assert_int_equal(view.count, count);
    for (int i = 0; i < count; i++) fell += (double)y[i] - (double)view.y[i];
    assert_true(fell / count > 0.01);
    memcpy(x, view.x, (size_t)count * sizeof *x);
    memcpy(y, view.vy, (size_t)count * sizeof *y);
    assert_int_equal(pd_world_set_method(world, "ddr", &error), PD_OK);
    pd_world_view(world, &view);
    int far = 0;
    for (int i = 0; i < count; i++) far += fabsf(view.x[i] - x[i]) > view.spacing;
    assert_true(far < count / 100);
    assert_memory_equal(view.vy, y, (size_t)count * sizeof *y);
    step_many(world, 5);
    assert_int_equal(pd_world_particles(world), count);
    test_free(x);
    test_free(y);
    pd_world_destroy(world);
    pd_scene_free(&scene);
}

static void resolution_changes_while_it_runs(void **state) {
    (void)state;
    pd_scene scene = bundled_scene("paint");
    pd_world *world = world_of(&scene, 1);
    static const float resolutions[] = {64, 300, 8, 128};
    step_many(world, 20);
    double energy = number_of(world, "rms_speed");
    for (size_t k = 0; k < sizeof resolutions / sizeof *resolutions; k++) {
        double before[PD_MAX_MATERIALS];
        for (int m = 0; m < scene.material_count; m++) before[m] = dye_of(world, m);
        set_own_parameter(world, "resolution", resolutions[k]);
        assert_int_equal(field_of(world, "speed")->nx, (int)resolutions[k]);
        for (int m = 0; m < scene.material_count && resolutions[k] > 8; m++)
            if (k != 3) assert_float_equal(dye_of(world, m), before[m], 0.05 * before[m]);
        if (k < 2) assert_float_equal(number_of(world, "rms_speed"), energy, 0.15 * energy);
        assert_true(number_of(world, "divergence") < 1e-3);
        step_many(world, 2);
    }
    assert_int_equal(pd_world_reset_parameter(world, "grid.resolution", NULL), PD_OK);
    assert_int_equal(field_of(world, "speed")->nx, 100);
    pd_world_destroy(world);
    pd_scene_free(&scene);
}

/* A disc that the tool pulls through dye moves it, keeps its amount and comes to rest where the tool leaves it; a snapshot
 * goes on from there with the same bits. */
static void disc_is_pulled_through_dye(void **state) {
    (void)state;
    pd_world *world = grid_world("gravity: [0, 0]\n"
                                 "particles: 300\n"
                                 "container: {shape: box, width: 2, height: 1}\n"
                                 "regions: [{shape: box, center: [0, 0], size: [0.6, 0.6]}]\n"
                                 "obstacles: [{shape: circle, center: [-0.7, 0], radius: 0.12}]\n"
                                 "parameters: {grid: {resolution: 64, buoyancy: 0}}\n");
    assert_int_equal(pd_world_obstacle_at(world, (pd_vec2){-0.65f, 0.05f}, 0), 0);
    assert_int_equal(pd_world_obstacle_at(world, (pd_vec2){0, 0}, 0.02f), -1);
    double before = dye_of(world, 0);
    pd_tool tool = {.kind = PD_TOOL_MOVE, .position = {-0.7f, 0}, .radius = 0.1f};
    pd_world_set_tool(world, &tool);
    pd_world_step(world);
    for (int n = 1; n <= 60; n++) {
        tool.position.x = -0.7f + 0.02f * (float)n;
        pd_world_set_tool(world, &tool);
        pd_world_step(world);
        assert_true(number_of(world, "divergence") < 1e-3);
        if (n == 30) {
            void *bytes;
            size_t size;
            assert_int_equal(pd_world_save_to_memory(world, &bytes, &size, NULL), PD_OK);
            step_many(world, 5);
            uint64_t future = pd_world_hash(world);
            assert_int_equal(pd_world_restore_from_memory(world, bytes, size, NULL), PD_OK);
            step_many(world, 5);
            assert_true(pd_world_hash(world) == future);
            assert_int_equal(pd_world_restore_from_memory(world, bytes, size, NULL), PD_OK);
            free(bytes);
        }
    }
    assert_true(number_of(world, "max_speed") > 0.8);
    tool.kind = PD_TOOL_NONE;
    pd_world_set_tool(world, &tool);
    step_many(world, 2);
    pd_view view;
    pd_world_view(world, &view);
    assert_float_equal(view.obstacles[0].center.x, 0.5, 0.02);
    assert_float_equal(dye_of(world, 0), before, 0.01 * before);
    assert_int_equal(view.count, 300);
    pd_world_reset(world);
    pd_world_view(world, &view);
    assert_true(view.obstacles[0].center.x == -0.7f);
    pd_world_destroy(world);
}

/* A pointer that jumps at 10,000 m/s takes the disc no farther than the container. */
static void disc_stays_in_the_container(void **state) {
    (void)state;
    pd_world *world = grid_world("particles: 300\n"
                                 "container: {shape: circle, radius: 1}\n"
                                 "regions: [{shape: circle, center: [0, 0], radius: 0.6}]\n"
                                 "obstacles: [{shape: circle, center: [0, 0], radius: 0.2}]\n"
                                 "parameters: {grid: {resolution: 32}}\n");
    for (int n = 0; n < 40; n++) {
        pd_tool tool = {.kind = PD_TOOL_MOVE, .radius = 0.1f};
        tool.position = (pd_vec2){n % 2 ? 166.0f : -166.0f, n % 3 ? 1e30f : 0};
        pd_world_set_tool(world, &tool);
        pd_world_step(world);
        pd_view view;
        pd_world_view(world, &view);
        assert_true(hypotf(view.obstacles[0].center.x, view.obstacles[0].center.y) <= 1.0001f);
        assert_int_equal(view.count, 300);
        assert_true(isfinite(number_of(world, "max_speed")));
        for (int i = 0; i < view.count; i++) assert_true(hypotf(view.x[i], view.y[i]) <= 1.0001f);
    }
    pd_world_destroy(world);
}

/* ---- Tools and sources ---- */

static void paint_leaves_dye(void **state) {
    (void)state;
    pd_scene scene = bundled_scene("paint");
    pd_world *world = world_of(&scene, 1);
    double before = dye_of(world, 2), other = dye_of(world, 0);
    for (int n = 0; n < 30; n++) {
        pd_tool tool = {.kind = PD_TOOL_PAINT, .radius = 0.1f, .material = 2};
        tool.position = (pd_vec2){-0.3f + 0.02f * (float)n, -0.75f};
        pd_world_set_tool(world, &tool);
        pd_world_step(world);
    }
    double painted = dye_of(world, 2) - before;
    print_message("painted %.4f m^2\n", painted);
    assert_true(painted > 0.6 * 0.1 && painted < 0.9 * 0.3);
    assert_float_equal(dye_of(world, 0), other, 0.02 * other);
    pd_world_destroy(world);
    pd_scene_free(&scene);
}

/* Push drives tracers and dye away from the pointer, pull gathers them; no dye is lost. */
static void push_and_pull_move_the_fluid(void **state) {
    (void)state;
    for (int pull = 0; pull < 2; pull++) {
        pd_world *world = grid_world("gravity: [0, 0]\n"
                                     "particles: 800\n"
                                     "container: {shape: circle, radius: 1}\n"
                                     "regions: [{shape: circle, center: [0, 0], radius: 0.5}]\n"
                                     "parameters: {grid: {resolution: 64, buoyancy: 0}}\n");
        double before = dye_of(world, 0), distance[2];
        for (int n = 0; n <= 30; n++) {
            pd_view view;
            pd_world_view(world, &view);
            double sum = 0;
            for (int i = 0; i < view.count; i++) sum += hypot((double)view.x[i], (double)view.y[i]);
            distance[n > 0] = sum / view.count;
            pd_tool tool = {.kind = pull ? PD_TOOL_PULL : PD_TOOL_PUSH, .radius = 0.3f};
            pd_world_set_tool(world, &tool);
            pd_world_step(world);
        }
        assert_true(pull ? distance[1] < 0.9 * distance[0] : distance[1] > 1.1 * distance[0]);
        assert_float_equal(dye_of(world, 0), before, 0.05 * before);
        pd_world_destroy(world);
    }
}

/* ---- Ends of ranges ---- */

/* In a long channel the finest resolution is limited by the longer side. A disc that turns fast, and a pointer that is
 * faster. */
static void finest_grid_is_stable(void **state) {
    (void)state;
    pd_world *world = grid_world("particles: 100\n"
                                 "container: {shape: box, width: 64, height: 1}\n"
                                 "regions: [{shape: box, center: [0, 0], size: [2, 0.5]}]\n"
                                 "obstacles: [{shape: box, center: [-5, 0], size: [0.3, 0.1], spin: 10000}]\n"
                                 "parameters: {grid: {resolution: 4096}}\n");
    assert_int_equal(field_of(world, "speed")->nx, PD_MAC_MOST_CELLS);
    assert_int_equal(field_of(world, "speed")->ny, 64);
    for (int n = 0; n < fewer_frames(8, 2); n++) {
        pd_tool tool = {.kind = PD_TOOL_DRAG, .position = {(float)n, 0}, .velocity = {1e4f, 1e4f}, .radius = 0.3f};
        pd_world_set_tool(world, &tool);
        pd_world_step(world);
        assert_true(isfinite(number_of(world, "max_speed")));
        assert_int_equal(pd_world_particles(world), 100);
    }
    pd_world_destroy(world);
}

static void covered_container_is_refused(void **state) {
    (void)state;
    pd_scene scene = scene_of_method("grid", "container: {shape: box, width: 1, height: 1}\n"
                                             "obstacles: [{shape: box, center: [0, 0], size: [2, 2]}]\n");
    pd_world *world;
    pd_error error;
    assert_int_equal(create_with_threads(&world, &scene, 1, &error), PD_BAD_INPUT);
    assert_non_null(strstr(error.message, "leave no room"));
    pd_scene_free(&scene);
}

/* ---- Symmetry ---- */

static void mirrored_scenes_mirror(void **state) {
    (void)state;
    skip_under_sanitizers();
    pd_world *worlds[2];
    for (int side = 0; side < 2; side++) {
        char text[600];
        double s = side ? -1 : 1;
        snprintf(text, sizeof text,
                 "gravity: [%g, -2]\nparticles: 500\n"
                 "container: {shape: circle, radius: 1}\n"
                 "materials: {a: {color: \"#336699\", mass: 1}, b: {color: \"#996633\", mass: 0.3}}\n"
                 "regions: [{shape: circle, center: [%g, 0.1], radius: 0.3, material: a, velocity: [%g, 0.3]},"
                 " {shape: box, center: [%g, -0.4], size: [0.5, 0.2], material: b}]\n"
                 "obstacles: [{shape: circle, center: [%g, -0.1], radius: 0.15}]\n"
                 "parameters: {grid: {resolution: 64, vorticity: 0.2}}\n",
                 0.3 * s, 0.4 * s, 0.5 * s, -0.4 * s, -0.1 * s);
        worlds[side] = grid_world(text);
        step_many(worlds[side], 60);
    }
    double worst = 0, fastest = number_of(worlds[0], "max_speed");
    const pd_mac *a = state_of(worlds[0])->mac, *b = state_of(worlds[1])->mac;
    for (int j = 0; j < a->layout.ny; j++)
        for (int i = 0; i <= a->layout.nx; i++) {
            double left = a->u[pd_element_index(&a->layout, i, j)],
                   right = b->u[pd_element_index(&b->layout, a->layout.nx - i, j)];
            if (a->open_x[pd_element_index(&a->layout, i, j)] > 0) worst = fmax(worst, fabs(left + right));
        }
    print_message("mirrored velocities differ by %.2e of the greatest\n", worst / fastest);
    assert_true(worst < 0.01 * fastest);
    pd_world_destroy(worlds[0]);
    pd_world_destroy(worlds[1]);
}

TEST_GROUP(grid) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(divergence_stays_small),
        cmocka_unit_test(sweeps_lower_the_divergence),
        cmocka_unit_test(column_is_hydrostatic),
        cmocka_unit_test(taylor_green_decays),
        cmocka_unit_test(cavity_agrees_with_ghia),
        cmocka_unit_test(disc_sheds_vortices),
        cmocka_unit_test(inflow_equals_outflow),
        cmocka_unit_test(round_wall_is_tight),
        cmocka_unit_test(dye_is_kept),
        cmocka_unit_test(water_is_kept_as_dye),
        cmocka_unit_test(resolution_changes_while_it_runs),
        cmocka_unit_test(disc_is_pulled_through_dye),
        cmocka_unit_test(disc_stays_in_the_container),
        cmocka_unit_test(paint_leaves_dye),
        cmocka_unit_test(push_and_pull_move_the_fluid),
        cmocka_unit_test(finest_grid_is_stable),
        cmocka_unit_test(covered_container_is_refused),
        cmocka_unit_test(mirrored_scenes_mirror),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
