/* Walls with weight: what they hide, compared with quadratures, and what follows for the fluid at floors, in corners, in
 * bowls and about obstacles. */
#include "methods.h"
#include "settled.h"

#include "sim/walls/walls.h"
#include <limits.h>

static const double PI = 3.141592653589793;

static bool has_weight(const pd_method *method) { return has_parameter(method, "wall_density"); }
#define WITH_WEIGHT(test)                                                                                              \
    { #test, test, has_weight }

/* ---- What walls hide ---- */

/* Parts of a disc, weighted with the far, the near and the smooth near kernel. */
typedef struct parts {
    double far, near, smooth;
} parts;

static void add(parts *sum, double r, int count) {
    double t = 1 - r, u = 1 - r * r;
    sum->far += r * t * t * count;
    sum->near += r * t * t * t * count;
    sum->smooth += r * u * u * u * count;
}

/* The parts of a disc of radius 1 about (x, y) in which `inside` holds. */
static parts quadrature(double x, double y, bool (*inside)(double x, double y)) {
    enum { RINGS = 300, SPOKES = 720 };
    int count[RINGS] = {0};
    parts hidden = {0}, all = {0};
    for (int j = 0; j < SPOKES; j++) {
        double angle = 2 * PI * (j + 0.5) / SPOKES, along = cos(angle), up = sin(angle);
        for (int k = 0; k < RINGS; k++) count[k] += inside(x + (k + 0.5) / RINGS * along, y + (k + 0.5) / RINGS * up);
    }
    for (int k = 0; k < RINGS; k++) {
        add(&hidden, (k + 0.5) / RINGS, count[k]);
        add(&all, (k + 0.5) / RINGS, SPOKES);
    }
    return (parts){hidden.far / all.far, hidden.near / all.near, hidden.smooth / all.smooth};
}

/* In units of h = 0.1 m, from the same origin as in the scenes. */
static bool behind_floor(double x, double y) {
    (void)x;
    return y < -5;
}
static bool behind_corner(double x, double y) { return y < -5 || x < -8; }
static bool in_disc(double x, double y) { return x * x + y * y < 2 * 2; }
static bool in_pin(double x, double y) { return x * x + y * y < 0.5 * 0.5; }
static bool in_bowl(double x, double y) { return x * x + y * y > 10 * 10; }
static bool in_plate(double x, double y) { return fabs(y) < 0.2 && fabs(x) < 3; }
static bool in_block(double x, double y) { return fabs(y) < 2 && fabs(x) < 3; }
static bool in_wedge(double x, double y) { return in_disc(x, y) || y < -2; }

static const char *const BOX = "container: {shape: box, width: 1.6, height: 1}\n";
static const char *const DISC = "obstacles: [{shape: circle, center: [0, 0], radius: 0.2}]\n";
static const struct hiding {
    const char *name, *scene;
    bool (*inside)(double x, double y);
    double x, y, dx, dy; /* from this place on in this direction, units of h */
    double within;       /* of the quadrature */
} hidings[] = {
    {"floor", NULL, behind_floor, 0, -5, 0, 1, 5e-4},
    {"corner", NULL, behind_corner, -8, -5, 0.7, 0.7, 0.02},
    {"bowl", "container: {shape: circle, radius: 1}\n", in_bowl, 6, 8, -0.6, -0.8, 0.03},
    {"disc", "container: {shape: none}\nobstacles: [{shape: circle, center: [0, 0], radius: 0.2}]\n", in_disc, 0, 2, 0,
     1, 0.02},
    {"pin", "container: {shape: none}\nobstacles: [{shape: circle, center: [0, 0], radius: 0.05}]\n", in_pin, 0.5, 0, 1,
     0, 0.03},
    {"thin plate",
     "container: {shape: none}\nobstacles: [{shape: box, center: [0, 0], size: [0.04, 0.6], angle: 90}]\n", in_plate, 0,
     0.2, 0, 1, 1e-3},
    {"polyline",
     "container: {shape: none}\n"
     "obstacles: [{shape: polyline, points: [[-0.28, 0], [-0.05, 0], [0.02, 0], [0.28, 0]], thickness: 0.04}]\n",
     in_plate, 0, 0.2, 0, 1, 1e-3},
    {"end of a plate", "container: {shape: none}\nobstacles: [{shape: box, center: [0, 0], size: [0.6, 0.04]}]\n",
     in_plate, 2.9, 0.2, 0.5, 0.8, 0.02},
    {"corner of a block", "container: {shape: none}\nobstacles: [{shape: box, center: [0, 0], size: [0.6, 0.4]}]\n",
     in_block, 3, 2, 0.7, 0.7, 0.03},
};

/* The weight of walls at a place, m. */
static pd_wall_weight weight_at(pd_world *world, pd_walls *walls, double x, double y, bool smooth) {
    pd_walls_rule rule = {.radius = 0.1f, .weight = 1, .smooth_near_kernel = smooth};
    world->particles.x[0] = (float)x;
    world->particles.y[0] = (float)y;
    pd_walls_compute_weights(walls, world, &rule);
    return walls->weight[walls->index[0]];
}

/* The fractions against quadratures, and their slopes against differences of the fractions. */
static void test_hidden_parts(void **state) {
    (void)state;
    for (size_t k = 0; k < sizeof hidings / sizeof *hidings; k++) {
        const struct hiding *c = &hidings[k];
        char text[500];
        snprintf(text, sizeof text,
                 "puddle: 1\n%sregions: [{shape: circle, center: [0, 0.3], radius: 0.001, count: 1}]\n",
                 c->scene ? c->scene : BOX);
        pd_world *world = world_of_text(text, 1);
        pd_walls walls = {0};
        pd_error error = {0};
        double worst = 0, slope = 0, most = 0, step = 1e-3;
        assert_int_equal(pd_walls_reserve(&walls, 1, &error), PD_OK);
        for (double s = 0.03; s < 1.2; s += 0.09) {
            double x = c->x + s * c->dx, y = c->y + s * c->dy;
            parts of = quadrature(x, y, c->inside);
            pd_wall_weight w = weight_at(world, &walls, 0.1 * x, 0.1 * y, false);
            worst = fmax(worst, fmax(fabs((double)w.hidden.far - fmin(of.far, 0.75)),
                                     fabs((double)w.hidden.near - fmin(of.near, 0.75))));
            most = fmax(most, of.far);
            if (fmax(of.far, of.near) < 0.7) {
                pd_wall_weight right = weight_at(world, &walls, 0.1 * (x + step), 0.1 * y, false);
                pd_wall_weight up = weight_at(world, &walls, 0.1 * x, 0.1 * (y + step), false);
                slope =
                    fmax(slope, fabs((double)(right.hidden.far - w.hidden.far) / step - (double)w.hidden.far_slope[0]));
                slope =
                    fmax(slope, fabs((double)(up.hidden.near - w.hidden.near) / step - (double)w.hidden.near_slope[1]));
            }
            w = weight_at(world, &walls, 0.1 * x, 0.1 * y, true);
            worst = fmax(worst, fabs((double)w.hidden.near - fmin(of.smooth, 0.75)));
        }
        print_message("%s: at most %.3f hidden, %.4f off; slopes %.4f off\n", c->name, most, worst, slope);
        assert_true(most > 0.08);
        assert_true(worst < c->within);
        assert_true(slope < 0.01); /* of differences over 1e-3 h */
        pd_walls_free(&walls);
        pd_world_destroy(world);
    }
}

/* Far from walls nothing is hidden, and walls of no weight hide nothing. The parts of several walls add up to the whole. */
static void test_parts_of_walls(void **state) {
    (void)state;
    char text[500];
    snprintf(text, sizeof text,
             "puddle: 1\n%s%sregions: [{shape: circle, center: [0.7, 0.1], radius: 0.001, count: 1}]\n",
             "container: {shape: box, width: 1.6, height: 0.4}\n", DISC);
    pd_world *world = world_of_text(text, 1);
    pd_walls walls = {0};
    pd_error error = {0};
    assert_int_equal(pd_walls_reserve(&walls, 1, &error), PD_OK);
    pd_wall_weight w = weight_at(world, &walls, 0.06, -0.195, false);
    assert_int_equal(w.walls, 2);
    assert_int_equal(w.wall[0], PD_CONTAINER_WALL);
    assert_int_equal(w.wall[1], 0);
    for (int k = 0; k < 2; k++) {
        assert_float_equal(w.far_slope_of_wall[0][k] + w.far_slope_of_wall[1][k], w.hidden.far_slope[k], 1e-5);
        assert_float_equal(w.near_slope_of_wall[0][k] + w.near_slope_of_wall[1][k], w.hidden.near_slope[k], 1e-5);
    }
    double wedge = fmin(quadrature(0.6, -1.95, in_wedge).far, 0.75);
    print_message("between disc and floor: %.3f hidden, %.3f by quadrature\n", (double)w.hidden.far, wedge);
    assert_true(fabs((double)w.hidden.far - wedge) < 0.05);
    weight_at(world, &walls, 0.5, 0, false);
    assert_int_equal(walls.index[0], 0);
    pd_walls_rule none = {.radius = 0.1f, .weight = 0};
    world->particles.x[0] = 0.06f;
    world->particles.y[0] = -0.195f;
    pd_walls_compute_weights(&walls, world, &none);
    assert_int_equal(walls.index[0], 0);
    pd_walls_free(&walls);
    pd_world_destroy(world);
}

/* ---- The fluid at walls ---- */

/* Means over the particles that are not at the surface. */
typedef struct layers {
    double inside, at_wall, in_corner; /* distance to the nearest other particle, m */
    int wall_count, corner_count;
} layers;

static double square(double a) { return a * a; }

/* Distance of particle i to the nearest other one; *covered: others are above it within h. */
static double nearest_of(const pd_view *view, int i, bool *covered) {
    double least = INFINITY, h = (double)view->radius;
    int above = 0;
    for (int j = 0; j < view->count; j++) {
        double r2 = square((double)view->x[i] - (double)view->x[j]) + square((double)view->y[i] - (double)view->y[j]);
        if (j != i) least = fmin(least, r2);
        above += r2 < h * h && view->y[j] > view->y[i] + 0.5f * view->radius;
    }
    *covered = above >= 2;
    return sqrt(least);
}

/* only: the wall whose layer is measured, PD_CONTAINER_WALL or an obstacle. */
static layers layers_of(const pd_world *world, int only) {
    pd_view view;
    layers l = {0};
    int inside = 0;
    pd_world_view(world, &view);
    double h = (double)view.radius;
    for (int i = 0; i < view.count; i++) {
        bool covered;
        pd_contact wall;
        double near = nearest_of(&view, i, &covered);
        double d = (double)pd_boundary_find_nearest_wall(world->boundary, (pd_vec2){view.x[i], view.y[i]}, &wall);
        if (!covered) continue;
        if (d > 2 * h) {
            l.inside += near;
            inside++;
        }
        if (d < 0.15 * h && wall.wall == only) {
            l.at_wall += near;
            l.wall_count++;
        }
        if (view.container.shape != PD_CONTAINER_BOX) continue;
        double side = (double)view.container.width / 2 - fabs((double)view.x[i]);
        double bottom = (double)view.container.height / 2 + (double)view.y[i];
        if (side < 0.3 * h && bottom < 0.3 * h) {
            l.in_corner += near;
            l.corner_count++;
        }
    }
    l.inside /= inside;
    l.at_wall /= l.wall_count;
    l.in_corner /= l.corner_count;
    return l;
}

static const char *const POOL = "particles: 1200\ncontainer: {shape: box, width: 1.6, height: 1}\n"
                                "regions: [{shape: box, center: [0, -0.3], size: [1.6, 0.4]}]\n";
static const char *const BOWL = "particles: 1200\ncontainer: {shape: circle, radius: 1}\n"
                                "regions: [{shape: circle, center: [0, -0.4], radius: 0.6}]\n";
static const char *const SUNKEN =
    "gravity: [0, -1.57]\nparticles: 1200\ncontainer: {shape: box, width: 1.6, height: 1.2}\n"
    "regions: [{shape: box, center: [0, -0.25], size: [1.6, 0.7]}]\n"
    "obstacles: [{shape: circle, center: [0, -0.42], radius: 0.15}]\n";

/* A world in which the fluid rests, but for what remains of the first swing. */
static pd_world *settled(const char *method, const char *scene) {
    pd_world *world = world_of_method(method, scene, 1);
    settle(world, fewer_frames(600, 0));
    return world;
}

/* Particles at walls stand as far apart as those inside; in the layer on a floor of old there were twice as many. */
static void test_layers_at_walls(void **state) {
    skip_under_sanitizers();
    const char *const scenes[] = {POOL, BOWL, SUNKEN};
    const char *const names[] = {"floor", "bowl", "disc"};
    for (int k = 0; k < 3; k++) {
        pd_world *world = settled(*state, scenes[k]);
        layers l = layers_of(world, k == 2 ? 0 : PD_CONTAINER_WALL);
        print_message("%s, %s: nearest distance %.2f of that inside (%d at walls)\n", (char *)*state, names[k],
                      l.at_wall / l.inside, l.wall_count);
        assert_true(l.wall_count > (k == 2 ? 8 : 40));
        assert_true(l.at_wall > 0.85 * l.inside);
        if (k == 0) {
            print_message("  corners: %.2f (%d)\n", l.in_corner / l.inside, l.corner_count);
            assert_in_range(l.corner_count, 1, 8);
            assert_true(l.in_corner > 0.85 * l.inside);
        }
        expect_sound(world);
        pd_world_destroy(world);
    }
}

/* Mean of rms speeds of a resting pool over two seconds, m/s; in the corners too. */
static double restlessness(pd_world *world, double *corners) {
    double mean = 0, sum = 0;
    int number = 0;
    for (int i = 0; i < 120; i++) {
        pd_view view;
        pd_statistics s;
        pd_world_step(world);
        pd_world_statistics(world, &s);
        mean += s.rms_speed / 120;
        pd_world_view(world, &view);
        for (int k = 0; k < view.count; k++) {
            if (fabsf(view.x[k]) < 0.8f - 2 * view.radius || view.y[k] > -0.5f + 2 * view.radius) continue;
            sum += hypot((double)view.vx[k], (double)view.vy[k]);
            number++;
        }
    }
    *corners = sum / number;
    return mean;
}

static void test_pools_rest(void **state) {
    skip_under_sanitizers();
    pd_world *world = settled(*state, POOL), *weightless = world_of_method(*state, POOL, 1);
    set_own_parameter(weightless, "wall_density", 0);
    if (strcmp(*state, "ddr") == 0) set_own_parameter(weightless, "anti_stick", 1);
    step_many(weightless, fewer_frames(600, 0));
    double old_corners, corners, old = restlessness(weightless, &old_corners), now = restlessness(world, &corners);
    print_message("%s: rms speed %.4f m/s, without weight %.4f; in corners %.4f, %.4f\n", (char *)*state, now, old,
                  corners, old_corners);
    assert_true(now < 1.1 * old); /* of pbf both are what remains of the first swing */
    assert_true(corners < 0.06);
    pd_world_destroy(world), pd_world_destroy(weightless);
}

/* What the walls get is the weight of the fluid; an obstacle gets the buoyancy of what it displaces. */
static void test_walls_carry_the_weight(void **state) {
    skip_under_sanitizers();
    const int frames = fewer_frames(600, 300);
    pd_world *world = settled(*state, SUNKEN);
    double across = 0, down = 0, lift = 0, height = 0, x, y, along, up;
    double weight = 1200 * particle_mass_of(world) * 1.57, disc = PI * 0.15 * 0.15;
    for (int i = 0; i < frames; i++) {
        pd_world_step(world);
        pd_world_impulse_on_obstacle(world, -1, &x, &y);
        pd_world_impulse_on_obstacle(world, 0, &along, &up);
        across += (x + along) * 60 / frames;
        down -= (y + up) * 60 / frames;
        lift += up * 60 / frames;
        height += 2 * (center_height(world) + 0.6) / frames;
    }
    double buoyancy = weight * disc / (1.6 * height - disc);
    print_message(
        "%s: the walls carry %.4f of the weight, %.4f across; the disc is lifted by %.3f of what it displaces\n",
        (char *)*state, down / weight, across / weight, lift / buoyancy);
    assert_true(fabs(down / weight - 1) < 0.02);
    assert_true(fabs(across) < 0.02 * weight);
    assert_true(fabs(lift / buoyancy - 1) < 0.15);
    pd_world_impulse_on_obstacle(world, 1, &x, &y);
    assert_true(isnan(x) && isnan(y));
    pd_world_destroy(world);
}

/* Gravity is turned over: no layer is left on the floor. */
static void test_no_layer_is_left(void **state) {
    pd_world *world = settled(*state, POOL);
    pd_world_set_gravity(world, (pd_vec2){0, 1.6f});
    step_many(world, 180);
    pd_view view;
    int left = 0;
    pd_world_view(world, &view);
    for (int i = 0; i < view.count; i++) left += view.y[i] < -0.5f + 0.5f * view.radius;
    print_message("%s: %d of %d stay on the old floor\n", (char *)*state, left, view.count);
    assert_true(left <= 4);
    pd_world_destroy(world);
}

/* A plate that is thinner than h, and moves up and down, parts the fluid above from the air below. */
static void test_no_particle_passes_a_moving_plate(void **state) {
    pd_world *world = world_of_method(
        *state,
        "particles: 800\ncontainer: {shape: box, width: 1.6, height: 1.2}\n"
        "regions: [{shape: box, center: [0, 0.25], size: [1.6, 0.3]}]\n"
        "obstacles: [{shape: box, center: [0, 0], size: [1.7, 0.01], velocity: [0, -0.5], turn: 0.5}]\n",
        1);
    for (int i = 0; i < 240; i++) {
        pd_view view;
        pd_world_step(world);
        pd_world_view(world, &view);
        for (int k = 0; k < view.count; k++) assert_true(view.y[k] > view.obstacles[0].center.y);
    }
    pd_world_destroy(world);
}

/* A piston pushes water along a channel: what is before it has its speed, and the momentum is what the walls gave. */
static void test_a_piston_hands_over_its_velocity(void **state) {
    pd_world *world =
        world_of_method(*state,
                        "particles: 800\ncontainer: {shape: box, width: 3, height: 0.6}\n"
                        "regions: [{shape: box, center: [0.3, -0.2], size: [2.4, 0.2]}]\n"
                        "obstacles: [{shape: box, center: [-1.2, 0], size: [0.6, 0.6], velocity: [0.25, 0]}]\n",
                        1);
    double push = 0, mean = 0;
    int count = 0;
    for (int i = 0; i < 120; i++) {
        double x, y;
        pd_world_step(world);
        pd_world_impulse_on_obstacle(world, 0, &x, &y);
        push += x;
        pd_world_impulse_on_obstacle(world, -1, &x, &y);
        push += x;
    }
    pd_view view;
    pd_statistics s;
    pd_world_view(world, &view);
    pd_world_statistics(world, &s);
    for (int i = 0; i < view.count; i++) {
        if (view.x[i] > view.obstacles[0].center.x + 0.3f + 2 * view.radius) continue;
        mean += (double)view.vx[i];
        count++;
    }
    print_message("%s: %d particles before the piston move at %.3f m/s; walls gave %.3f of the momentum\n",
                  (char *)*state, count, mean / count, -push / s.momentum_x);
    assert_true(count > 20);
    assert_true(fabs(mean / count - 0.25) < 0.04);
    assert_true(fabs(-push / s.momentum_x - 1) < 0.03);
    pd_world_destroy(world);
}

/* Undefined behaviour, which a sanitizer reports, in a sum with the largest index. */
static void test_no_obstacle_has_no_impulse(void **state) {
    (void)state;
    static const int indices[] = {INT_MIN, -2, 1, INT_MAX - 1, INT_MAX};
    pd_world *world = world_of_method("ddr", SUNKEN, 1);
    for (size_t k = 0; k < sizeof indices / sizeof *indices; k++) {
        double x = 0, y = 0;
        pd_world_impulse_on_obstacle(world, indices[k], &x, &y);
        assert_true(isnan(x) && isnan(y));
    }
    pd_world_destroy(world);
}

TEST_GROUP(walls) {
    const method_test tests[] = {
        ONCE(test_hidden_parts),
        ONCE(test_parts_of_walls),
        WITH_WEIGHT(test_layers_at_walls),
        WITH_WEIGHT(test_pools_rest),
        WITH_WEIGHT(test_walls_carry_the_weight),
        WITH_WEIGHT(test_no_layer_is_left),
        WITH_WEIGHT(test_no_particle_passes_a_moving_plate),
        WITH_WEIGHT(test_a_piston_hands_over_its_velocity),
        ONCE(test_no_obstacle_has_no_impulse),
    };
    return RUN_METHOD_TESTS(tests);
}
