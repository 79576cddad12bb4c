/* Neighbour lists that are kept for several substeps (sim/particles/kept.h): when new ones are made, what they miss, and
 * what else needs the cell sort in the meantime. */
#include "methods.h"

#include "methods/ddr/ddr.h"
#include "methods/pbf/pbf.h"
#include "methods/sph/sph.h"
#include "neighbour_lists.h"
#include "settled.h"
#include "sim/world.h"

static const pd_list_validity *kept_of(const pd_world *world) {
    const char *method = pd_world_method(world)->name;
    if (strcmp(method, "ddr") == 0) return &((const ddr_state *)world->state)->lists.kept;
    return &((const particle_fluid *)world->state)->kept;
}

static bool keeps_lists(const pd_method *method) {
    const char *name = method->info.name;
    return strcmp(name, "ddr") == 0 || strcmp(name, "sph") == 0 || strcmp(name, "pbf") == 0;
}

static float radius_of(const pd_world *world) {
    pd_view view;
    pd_world_view(world, &view);
    return view.radius;
}

/* One substep. Returns whether it made new lists, which are those of other positions. */
static bool substep_makes_lists(pd_world *world) {
    enum { LOOKED_AT = 100 };
    float before[LOOKED_AT];
    assert_true(world->particles.count > LOOKED_AT);
    if (kept_of(world)->count == 0) {
        pd_world_step_part(world, 0);
        return kept_of(world)->count > 0;
    }
    memcpy(before, kept_of(world)->x, sizeof before);
    pd_world_step_part(world, 0);
    return memcmp(before, kept_of(world)->x, sizeof before) != 0;
}

/* Without gravity and walls, in its shape of rest. */
static pd_world *world_afloat(const char *method, const char *regions) {
    char text[400];
    snprintf(text, sizeof text,
             "gravity: [0, 0]\nsubsteps: 8\ncontainer: {shape: none}\nparticles: 2500\nregions: [%s]\n", regions);
    pd_world *world = world_of_method(method, text, 1);
    settle(world, fewer_frames(60, 4));
    return world;
}

static pd_world *floating_world(const char *method) {
    return world_afloat(method, "{shape: circle, center: [0, 0], radius: 0.5}");
}

/* The particles on the left move by this many radii in a substep, those on the right by so many others. */
static void push(pd_world *world, float left, float right) {
    float unit = radius_of(world) / (world->scene.dt / 8);
    for (int i = 0; i < world->particles.count; i++)
        world->particles.vx[i] += unit * (world->particles.x[i] < 0 ? left : right);
}

/* ---- When lists are made ---- */

static void test_lists_serve_while_particles_move_together(void **state) {
    pd_world *world = floating_world(*state);
    for (int s = 0; s < 8; s++) assert_int_equal(substep_makes_lists(world), s == 0);
    for (int s = 0; s < 8; s++) assert_int_equal(substep_makes_lists(world), s == 0); /* also of the next step */
    push(world, 0.4f, 0.4f);                                                          /* 2.8 radii, all alike */
    for (int s = 0; s < 8; s++) assert_int_equal(substep_makes_lists(world), s == 0);
    pd_world_destroy(world);
}

/* Halves that part: neighbours are 0.64 radii from where they were, relative to each other, after two substeps; in
 * position based fluids some move farther. */
static void test_lists_end_where_neighbours_part(void **state) {
    pd_world *world = floating_world(*state);
    push(world, -0.16f, 0.16f);
    assert_true(substep_makes_lists(world));
    bool made = substep_makes_lists(world);
    assert_true(substep_makes_lists(world) || made);
    pd_world_destroy(world);
}

/* Drops that fly towards each other may come nearer by 2.6 radii: those in lists are less than one apart, and those that are
 * more than 3 radii apart then are still too far away. */
static void test_lists_end_before_drops_meet(void **state) {
    pd_world *world = world_afloat(*state, "{shape: circle, center: [-0.7, 0], radius: 0.35},\n"
                                           "          {shape: circle, center: [0.7, 0], radius: 0.35}");
    step_many(world, fewer_frames(0, 32)); /* position based fluids are at rest only then */
    push(world, 0.18f, -0.18f);            /* 2.52 radii in seven substeps */
    for (int s = 0; s < 8; s++) assert_int_equal(substep_makes_lists(world), s == 0);
    push(world, 0.32f, -0.32f); /* 3 radii in three */
    for (int s = 0; s < 4; s++) assert_int_equal(substep_makes_lists(world), s % 3 == 0);
    pd_world_destroy(world);
}

static const tension *tension_of(const pd_world *world) { return &((const particle_fluid *)world->state)->tension; }

/* Surface tension has lists for a radius of its own, made once in a step as well, and leaves the method its own. Only pbf
 * makes its own anew, by choice. */
static void test_lists_serve_beside_surface_tension(void **state) {
    pd_world *world = floating_world(*state);
    bool by_choice = strcmp(*state, "pbf") == 0;
    set_own_parameter(world, "surface_tension", 0.02f);
    for (int s = 0; s < 16; s++) {
        assert_int_equal(substep_makes_lists(world), s % 8 == 0 || by_choice);
        const tension *t = tension_of(world);
        const pd_particles *p = &world->particles;
        bool anew = true;
        assert_int_equal(t->kept.count, p->count);
        for (int i = 0; i < p->count && s % 8 > 0; i++) anew &= t->kept.x[i] == t->sorted.x[i];
        assert_int_equal(anew, s % 8 == 0);
    }
    pd_world_destroy(world);
}

/* One particle is enough, and a speed that is not finite counts as far. */
static void test_one_fast_particle_asks_for_new_lists(void **state) {
    pd_world *world = floating_world(*state);
    assert_true(substep_makes_lists(world));
    assert_false(substep_makes_lists(world));
    world->particles.vx[7] = 0.8f * radius_of(world) / (world->scene.dt / 8);
    assert_true(substep_makes_lists(world));
    pd_world_destroy(world);
}

/* A parameter that is set within a step takes effect in the next step. */
static void test_another_radius_asks_for_new_lists(void **state) {
    pd_world *world = floating_world(*state);
    assert_true(substep_makes_lists(world));
    float h = radius_of(world) * 1.2f;
    set_own_parameter(world, "radius", h);
    assert_true(kept_of(world)->h < h);
    assert_false(pd_world_step_part(world, 0));
    assert_true(kept_of(world)->h == h);
    expect_sound(world);
    pd_world_destroy(world);
}

/* A scene that begins anew within a step. */
static void test_reset_asks_for_new_lists(void **state) {
    pd_world *world = floating_world(*state), *other = floating_world(*state);
    assert_true(substep_makes_lists(world));
    pd_world_reset(world);
    pd_world_reset(other);
    step_many(world, 2);
    step_many(other, 2);
    assert_true(pd_world_hash(world) == pd_world_hash(other));
    pd_world_destroy(world);
    pd_world_destroy(other);
}

/* ---- What they miss ---- */

/* The sums of (1 - r/h)^2 over pairs: of all, and of those that the lists hold. */
typedef struct pair_sums {
    double all, listed;
} pair_sums;

static double weight_of(const pd_world *world, double radius, int i, int j) {
    const pd_particles *p = &world->particles;
    double r = hypot((double)p->x[i] - (double)p->x[j], (double)p->y[i] - (double)p->y[j]);
    return pow(fmax(1 - r / radius, 0), 2);
}

/* Of a group: the particle of a lane, or -1. */
static int home_of(const pd_world *world, int group, int lane) {
    if (strcmp(pd_world_method(world)->name, "ddr") != 0) {
        int i = group * PD_LIST_GROUP + lane;
        return i < world->particles.count ? i : -1;
    }
    const ddr_lists *l = &((const ddr_state *)world->state)->lists;
    int i = (int)(l->particle_offset[group * PD_LIST_GROUP + lane] / 4);
    return i < world->particles.count ? i : -1;
}

static double listed_weight(const pd_world *world) {
    const char *method = pd_world_method(world)->name;
    double radius = (double)radius_of(world);
    const ddr_lists *cells = &((const ddr_state *)world->state)->lists;
    const pd_lists *lists = strcmp(method, "ddr") == 0 ? &cells->lists : &((const particle_fluid *)world->state)->lists;
    int groups = (world->particles.count + PD_LIST_GROUP - 1) / PD_LIST_GROUP;
    if (strcmp(method, "ddr") == 0) groups = cells->first_group[cells->first_batch[DDR_CELL_COLOURS]];
    double sum = 0;
    for (int group = 0; group < groups; group++)
        for (int lane = 0; lane < PD_LIST_GROUP; lane++) {
            int i = home_of(world, group, lane);
            for (int row = 0; i >= 0 && row < lists->length[group]; row++) {
                int j = listed_neighbour(lists, group, lane, i, row, world->particles.count);
                if (j >= 0 && j != i) sum += weight_of(world, radius, i, j);
            }
        }
    return sum;
}

static pair_sums sums_of(const pd_world *world) {
    pair_sums sums = {.listed = listed_weight(world)};
    const pd_particles *p = &world->particles;
    float radius = radius_of(world);
    for (int i = 0; i < p->count; i++)
        for (int j = 0; j < i; j++) {
            bool far = fabsf(p->x[i] - p->x[j]) > radius || fabsf(p->y[i] - p->y[j]) > radius; /* weight 0 */
            if (!far) sums.all += 2 * weight_of(world, (double)radius, i, j);
        }
    return sums;
}

/* A splash: the lists at the end of steps, which have served several substeps, against all pairs. */
static void test_little_is_missed(void **state) {
    skip_under_sanitizers();
    pd_world *world = world_of_method(*state,
                                      "substeps: 8\ncontainer: {shape: circle, radius: 1}\nparticles: 2500\n"
                                      "regions: [{shape: circle, center: [0, 0.3], radius: 0.5}]\n",
                                      1);
    pair_sums sums = {0};
    int kept = 0;
    for (int frame = 0; frame < 48; frame++) {
        bool made = false;
        for (int s = 0; s < 8; s++) made = substep_makes_lists(world);
        kept += !made;
        if (frame % 6 != 5) continue;
        pair_sums now = sums_of(world);
        sums.all += now.all;
        sums.listed += now.listed;
    }
    print_message("%s: %.2e of the sums of densities are missed; lists were kept at the end of %d of 48 steps\n",
                  (const char *)*state, 1 - sums.listed / sums.all, kept);
    assert_true(kept > 24);
    assert_true(sums.listed <= sums.all * (1 + 1e-9));
    assert_true(1 - sums.listed / sums.all < 4e-5);
    pd_world_destroy(world);
}

/* ---- Springs ---- */

/* Pairs nearer than h after the first half of the next substep, which moves the particles by their velocities. */
static int pairs_of_next_substep(const pd_world *world) {
    const pd_particles *p = &world->particles;
    float dt = world->scene.dt / 8, h = radius_of(world);
    int pairs = 0;
    for (int i = 0; i < p->count; i++)
        for (int j = 0; j < i; j++) {
            float dx = p->x[i] + p->vx[i] * dt - (p->x[j] + p->vx[j] * dt);
            float dy = p->y[i] + p->vy[i] * dt - (p->y[j] + p->vy[j] * dt);
            pairs += dx * dx + dy * dy < h * h;
        }
    return pairs;
}

/* A material that becomes elastic within a step gets springs between all pairs in the first substep of the next one. */
static void test_springs_form_after_a_step(void **state) {
    (void)state;
    pd_error error = {0};
    pd_world *world = floating_world("ddr");
    pd_random random = {5};
    float speed = 0.09f * radius_of(world) / (world->scene.dt / 8);
    assert_true(substep_makes_lists(world));
    for (int i = 0; i < world->particles.count; i++) {
        world->particles.vx[i] = speed * (2 * pd_random_below_one(&random) - 1);
        world->particles.vy[i] = speed * (2 * pd_random_below_one(&random) - 1);
    }
    assert_int_equal(pd_world_set_property(world, 0, PD_ELASTICITY, 100, &error), PD_OK);
    const springs *formed = &((const particle_fluid *)world->state)->springs;
    assert_int_equal(pd_springs_count_springs(formed), 0);
    int pairs = pairs_of_next_substep(world);
    pd_world_step_part(world, 0);
    print_message("%d springs, %d pairs\n", pd_springs_count_springs(formed), pairs);
    assert_in_range(pd_springs_count_springs(formed), pairs - 3, pairs + 3); /* rounding of distances near h */
    pd_world_destroy(world);
}

/* The width of an elastic disc after it was pulled apart, with kept lists or with new ones in every substep. */
static double pulled_width(bool keep) {
    pd_world *world =
        world_of_text("puddle: 1\ngravity: [0, 0]\nsubsteps: 8\ncontainer: {shape: none}\nparticles: 2500\n"
                      "materials: {a: {color: '#ffffff', elasticity: 2000, plasticity: 1, yield: 0.02}}\n"
                      "regions: [{shape: circle, center: [0, 0], radius: 0.5}]\n",
                      1);
    ddr_state *state = world->state;
    step_many(world, 5);
    for (int i = 0; i < world->particles.count; i++) world->particles.vx[i] += 1.5f * world->particles.x[i];
    int kept = 0, substeps = fewer_frames(30, 3) * 8;
    for (int s = 0; s < substeps; s++) {
        if (!keep) state->lists.kept.count = 0;
        kept += !substep_makes_lists(world);
    }
    double width = width_of(world);
    print_message("width %.4f; %d springs; lists kept in %d of %d substeps\n", width,
                  pd_springs_count_springs(&state->fluid.springs), kept, substeps);
    assert_true(keep ? kept > substeps / 2 : kept == 0);
    expect_sound(world);
    pd_world_destroy(world);
    return width;
}

static void test_springs_pull_with_kept_lists(void **state) {
    (void)state;
    assert_true(fabs(pulled_width(true) / pulled_width(false) - 1) < 0.01);
}

TEST_GROUP(kept) {
    const method_test tests[] = {
        {"test_lists_serve_while_particles_move_together", test_lists_serve_while_particles_move_together, keeps_lists},
        {"test_lists_end_where_neighbours_part", test_lists_end_where_neighbours_part, keeps_lists},
        {"test_lists_end_before_drops_meet", test_lists_end_before_drops_meet, keeps_lists},
        {"test_lists_serve_beside_surface_tension", test_lists_serve_beside_surface_tension, keeps_lists},
        {"test_one_fast_particle_asks_for_new_lists", test_one_fast_particle_asks_for_new_lists, keeps_lists},
        {"test_another_radius_asks_for_new_lists", test_another_radius_asks_for_new_lists, keeps_lists},
        {"test_reset_asks_for_new_lists", test_reset_asks_for_new_lists, keeps_lists},
        {"test_little_is_missed", test_little_is_missed, keeps_lists},
        ONCE(test_springs_form_after_a_step),
        ONCE(test_springs_pull_with_kept_lists),
    };
    return RUN_METHOD_TESTS(tests);
}
