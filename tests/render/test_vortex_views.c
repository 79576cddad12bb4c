/* What is seen of the vortex particles: dyes of tracers that the flow has carried apart or mixed, the fluid around in open
 * space, positions between two steps, and what is told of cores that the method does not have. */
#include "methods.h"
#include "methods/vortex/vortex.h"

static pd_world *vortex_world(const char *text) { return world_of_method("vortex", text, 2); }

/* Half of the particles are white, the others black, by chance or in layers. */
typedef bool white_at(float x, float y, pd_random *random);
static bool by_chance(float x, float y, pd_random *random) {
    (void)x;
    (void)y;
    return pd_random_below_one(random) < 0.5f;
}
static bool in_layers(float x, float y, pd_random *random) {
    (void)y;
    (void)random;
    return fmodf(x + 10, 0.4f) < 0.2f;
}

static pd_world *two_dyes(white_at *white) {
    pd_random random = {3};
    pd_world *world =
        vortex_world("gravity: [0, 0]\nparticles: 4000\ncontainer: {shape: box, width: 2, height: 2}\n"
                     "materials: {white: {color: '#ffffff'}, black: {color: '#000000'}}\n"
                     "regions: [{shape: box, center: [0, 0], size: [2, 2], material: white, density: 0}]\n");
    pd_particles *p = &world->particles;
    for (int n = 0; n < p->count; n++) p->material[n] = white(p->x[n], p->y[n], &random) ? 0 : 1;
    world->version++;
    return world;
}

static const pd_field *dyes_of(const pd_world *world) {
    static pd_view view; /* the field refers to it */
    pd_world_view(world, &view);
    const pd_field *field = pd_view_field(&view, "smoke");
    assert_non_null(field->values);
    return field;
}

/* Standard deviation of the white part, and how far it is from 0 and 1 at most. */
static double deviation_of_white(const pd_world *world) {
    const pd_field *field = dyes_of(world);
    double sum = 0, squares = 0;
    int cells = field->nx * field->ny;
    for (int k = 0; k < cells; k++) {
        double value = (double)field->values[k];
        sum += value;
        squares += value * value;
    }
    return sqrt(squares / cells - sum / cells * sum / cells);
}

/* The chance of which tracer is near gives 0.17. Layers that the tracers resolve stay, with nearly 0.5. */
static void mixtures_are_even_and_layers_stay(void **state) {
    (void)state;
    pd_world *mixed = two_dyes(by_chance), *layered = two_dyes(in_layers);
    double specks = deviation_of_white(mixed), layers = deviation_of_white(layered);
    print_message("deviation %.3f in a mixture, %.3f in layers\n", specks, layers);
    assert_true(specks < 0.1);
    assert_true(layers > 0.42);
    pd_world_destroy(mixed);
    pd_world_destroy(layered);
}

/* Without one of its tracers, and without all within 1.6 of their distances, the dye is as full as elsewhere; a clear area
 * that is wide is clear. */
static void gaps_between_tracers_are_closed(void **state) {
    (void)state;
    static const float radii[] = {0.035f, 0.05f, 0.7f};
    for (int k = 0; k < 3; k++) {
        pd_world *world = two_dyes(in_layers);
        pd_particles *p = &world->particles;
        int kept = 0;
        for (int n = 0; n < p->count; n++) {
            if (hypotf(p->x[n], p->y[n]) < radii[k]) continue;
            p->x[kept] = p->x[n];
            p->y[kept] = p->y[n];
            p->material[kept++] = p->material[n];
        }
        p->count = kept;
        world->version++;
        float amount = pd_field_at(dyes_of(world), (pd_vec2){0, 0});
        print_message("%.2f of dye in a gap of radius %.3f m\n", (double)amount, (double)radii[k]);
        assert_true(k < 2 ? amount > 0.85f : amount < 0.01f);
        pd_world_destroy(world);
    }
}

/* Fields of cells reach as far as a picture of 16 : 9, which shows the view's box with a margin. */
static void open_space_is_filled(void **state) {
    (void)state;
    pd_world *world = vortex_world("gravity: [0, 0]\nparticles: 500\ncontainer: {shape: none}\n"
                                   "materials: {ink: {color: '#ffffff'}}\n"
                                   "regions: [{shape: box, center: [0, 0], size: [2, 2], material: ink, density: 0}]\n"
                                   "vortons: [{position: [0.4, 0], circulation: 1, core: 0.1}]\n");
    static const char *const names[] = {"speed", "vorticity", "density", "velocity_x", "velocity_y"};
    step_many(world, 3);
    pd_view view;
    pd_world_view(world, &view);
    float height = (view.high.y - view.low.y) / 0.93f, width = height * 16 / 9;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        const pd_field *field = pd_view_field(&view, names[k]);
        float left = field->origin.x, right = left + (float)field->nx * field->cell;
        float low = field->origin.y, high = low + (float)field->ny * field->cell;
        assert_true(left < -0.5f * width && right > 0.5f * width);
        assert_true(low < -0.5f * height && high > 0.5f * height);
    }
    pd_world_destroy(world);
}

/* The flow past a wall is free of vorticity, whatever the velocities inside the wall are. */
static void walls_show_no_vorticity(void **state) {
    (void)state;
    pd_world *world = vortex_world("gravity: [0, 0]\nparticles: 100\ncontainer: {shape: box, width: 2, height: 2}\n"
                                   "vortons: [{position: [-0.6, 0], circulation: 1, core: 0.06}]\n"
                                   "obstacles: [{shape: box, center: [0.4, 0], size: [0.3, 0.8]}]\n"
                                   "parameters: {vortex: {tracers: 10}}\n");
    pd_view view;
    pd_world_view(world, &view);
    const pd_field *field = pd_view_field(&view, "vorticity");
    float greatest = 0, beside = 0;
    for (int j = 0; j < field->ny; j++)
        for (int i = 0; i < field->nx; i++) {
            float value = fabsf(field->values[i + j * field->nx]);
            float x = field->origin.x + ((float)i + 0.5f) * field->cell;
            float y = field->origin.y + ((float)j + 0.5f) * field->cell;
            if (isnan(value)) continue;
            greatest = fmaxf(greatest, value);
            if (fabsf(x - 0.4f) < 0.25f && fabsf(y) < 0.3f) beside = fmaxf(beside, value);
        }
    print_message("vorticity up to %.3g 1/s in the core, %.3g 1/s beside the wall\n", (double)greatest, (double)beside);
    assert_true(beside < 0.006f * greatest);
    pd_world_destroy(world);
}

/* Also in steps at whose end the vortons that discretise the fluid are strained enough to be set anew: those that there are
 * were there at the beginning of the step, except for newly born ones, and have moved since. */
static void vortons_know_where_they_were(void **state) {
    (void)state;
    pd_world *world = vortex_world("particles: 500\ncontainer: {shape: circle, radius: 1}\n"
                                   "materials: {ink: {color: '#ffffff', mass: 0.6}}\n"
                                   "regions: [{shape: circle, center: [0, 0.3], radius: 0.3, material: ink}]\n"
                                   "vortons: [{position: [0.5, 0], circulation: 0.5, core: 0.1}]\n");
    const vortex_state *s = world->state;
    int steps = fewer_frames(90, 30), remeshed = 0;
    for (int step = 0; step < steps; step++) {
        double strain = s->core_rotation;
        float dt = pd_world_scene(world)->dt;
        pd_world_step(world);
        if (s->core_rotation < strain) remeshed++;
        pd_view view;
        pd_world_view(world, &view);
        const pd_view_vortices *v = &view.vortices;
        assert_int_equal(pd_world_substeps(world), 1); /* or velocities would be those of the last one */
        for (int n = 0; n < v->count; n++) {
            float x = (v->x[n] - v->previous_x[n]) / dt, y = (v->y[n] - v->previous_y[n]) / dt;
            assert_true(fabsf(x - v->vx[n]) < 1e-3f && fabsf(y - v->vy[n]) < 1e-3f);
        }
        assert_true(hypotf(v->x[0] - v->previous_x[0], v->y[0] - v->previous_y[0]) > 1e-4f);
        int still = 0;
        for (int n = 0; n < v->count; n++) still += v->x[n] == v->previous_x[n] && v->y[n] == v->previous_y[n];
        assert_true(still < v->count / 4 + 10);
    }
    print_message("%d remeshings in %d steps\n", remeshed, steps);
    assert_true(remeshed > 0);
    pd_world_destroy(world);
}

/* The radius that vortons have, and one line that says so; none where it is the wanted one. */
static void another_core_is_told(void **state) {
    (void)state;
    static const struct {
        float core;
        const char *told;
    } table[] = {
        {0.05f, NULL},
        {0.0055f, NULL},
        {0.001f, "vortex.core of 0.001 m is raised to 0.00547 m: the container has at most 512 vortons across"},
        {0.9f, "vortex.core of 0.9 m is lowered to 0.35 m: the container has at least 8 vortons across"},
    };
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        char text[400], line[256] = "", again[256] = "";
        snprintf(text, sizeof text,
                 "particles: 100\ncontainer: {shape: circle, radius: 1}\n"
                 "materials: {ink: {color: '#ffffff'}}\nparameters: {vortex: {core: %g, tracers: 10}}\n",
                 (double)table[k].core);
        pd_world *world = vortex_world(text);
        assert_int_equal(pd_world_write_warning(world, 0, line, sizeof line), table[k].told != NULL);
        assert_int_equal(pd_scene_write_warning(pd_world_scene(world), 0, again, sizeof again), table[k].told != NULL);
        assert_string_equal(line, table[k].told ? table[k].told : "");
        assert_string_equal(again, line);
        assert_false(pd_world_write_warning(world, 1, line, sizeof line));
        float core = ((const vortex_state *)world->state)->field_vorton_core;
        if (!table[k].told) assert_float_equal(core, table[k].core, 0.02f * core);
        pd_world_destroy(world);
    }
}

TEST_GROUP(vortex_views) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mixtures_are_even_and_layers_stay),
        cmocka_unit_test(gaps_between_tracers_are_closed),
        cmocka_unit_test(open_space_is_filled),
        cmocka_unit_test(vortons_know_where_they_were),
        cmocka_unit_test(walls_show_no_vorticity),
        cmocka_unit_test(another_core_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
