/* Double density relaxation with neighbour lists (methods/ddr/ddr_lists.h): the lists themselves, the sweep against that
 * over rows, and where there are no lists. */
#include "levels.h"
#include "measure.h"
#include "methods/ddr/ddr.h"
#include "neighbour_lists.h"
#include "sim/world.h"

static const ddr_lists *lists_of(const pd_world *world) { return &((const ddr_state *)world->state)->lists; }

static bool has_lists(const pd_world *world) { return lists_of(world)->kept.count == world->particles.count; }

/* ---- The lists ---- */

/* By brute force, where the particles were when the lists were made. */
static int count_neighbours(const pd_list_validity *at, int i, int count) {
    float h2 = at->h * at->h;
    int neighbours = 0;
    for (int j = 0; j < count; j++) {
        float dx = at->x[j] - at->x[i], dy = at->y[j] - at->y[i];
        neighbours += j != i && dx * dx + dy * dy < h2;
    }
    return neighbours;
}

/* The cells of one colour have no neighbour in common: no particle is met twice in the batches of a colour, be it as a
 * particle of a cell or as a neighbour of one; and within them each cell's lists are those of brute force, of every so manyth
 * particle. */
static void expect_lists(const pd_world *world, int every) {
    const ddr_lists *l = lists_of(world);
    const pd_list_validity *at = &l->kept; /* the positions that the lists are of */
    int count = world->particles.count, homes = 0;
    int *cell = test_calloc((size_t)count, sizeof *cell);
    assert_true(has_lists(world));
    for (int colour = 0; colour < DDR_CELL_COLOURS; colour++) {
        memset(cell, 0, (size_t)count * sizeof *cell);
        for (int batch = l->first_batch[colour]; batch < l->first_batch[colour + 1]; batch++)
            for (int place = 0; place < PD_LIST_GROUP * (l->first_group[batch + 1] - l->first_group[batch]); place++) {
                int group = l->first_group[batch] + place / PD_LIST_GROUP, lane = place % PD_LIST_GROUP;
                int i = (int)l->particle_offset[group * PD_LIST_GROUP + lane] / 4,
                    mine = batch * PD_LIST_GROUP + lane + 1;
                if (i >= count) continue;
                int found = 0, neighbours = homes % every == 0 ? count_neighbours(at, i, count) : -1;
                for (int row = 0; row < l->lists.length[group]; row++) {
                    int j = listed_neighbour(&l->lists, group, lane, i, row, count);
                    if (j < 0) continue;
                    found++;
                    assert_true(cell[j] == 0 || cell[j] == mine);
                    cell[j] = mine;
                }
                if (neighbours >= 0) assert_int_equal(found, neighbours);
                assert_true(cell[i] == 0 || cell[i] == mine);
                cell[i] = mine;
                homes++;
            }
    }
    assert_int_equal(homes, count);
    test_free(cell);
}

static void test_lists_against_brute_force(void **state) {
    use_level(*state);
    pd_world *world = world_of_text("puddle: 1\ncontainer: {shape: circle, radius: 1}\nparticles: 2500\n"
                                    "regions: [{shape: circle, center: [0, 0.2], radius: 0.6, fill: random}]\n",
                                    1);
    step_many(world, 1);
    expect_lists(world, 1);
    step_many(world, 20);
    expect_lists(world, 1);
    pd_world_destroy(world);
}

/* A few distant particles fold the cells (sim/particles/neighbours.h). */
static void test_folded_cells(void **state) {
    (void)state;
    for (int seed = 0; seed < 8; seed++) {
        char text[700];
        snprintf(text, sizeof text,
                 "puddle: 1\ncontainer: {shape: none}\ngravity: [0, 0]\n"
                 "regions: [{shape: circle, center: [0, 0], radius: 0.7, count: 2000},\n"
                 "          {shape: circle, center: [%d.3, 1], radius: 0.3, count: 300},\n"
                 "          {shape: circle, center: [%d, 30000], radius: 1, count: 3},\n"
                 "          {shape: circle, center: [-70000, %d], radius: 1, count: 3}]\n"
                 "parameters: {ddr: {radius: 0.05}}\n",
                 5 + seed, 50000 + 7 * seed, seed % 2 ? 1 : -20000);
        pd_world *world = world_of_text(text, 1);
        step_many(world, 2);
        assert_true(world->neighbours.folded);
        expect_lists(world, 1);
        expect_sound(world);
        pd_world_destroy(world);
    }
}

/* A pond so wide that a row of cells holds more particles than deltas of 16 bits can tell apart: the lists of its left
 * half, of two rows of cells, hold offsets. */
static void test_rows_of_many_particles(void **state) {
    use_level(*state);
    pd_world *world =
        world_of_text("puddle: 1\ncontainer: {shape: none}\ngravity: [0, 0]\nsubsteps: 1\n"
                      "regions: [{shape: box, center: [-200, 0], size: [390, 0.08], count: 80000, fill: random},\n"
                      "          {shape: box, center: [200, 0.02], size: [390, 0.02], count: 9000, fill: random}]\n"
                      "parameters: {ddr: {radius: 0.05}}\n",
                      1);
    step_many(world, 1);
    const ddr_lists *l = lists_of(world);
    int groups = l->first_group[l->first_batch[DDR_CELL_COLOURS]], wide = 0;
    for (int group = 0; group < groups; group++) wide += l->lists.has_offsets[group];
    print_message("%d of %d lists hold offsets\n", wide, groups);
    assert_false(world->neighbours.folded);
    assert_true(wide > groups / 2 && wide < groups - 100);
    expect_lists(world, 97);
    pd_world_destroy(world);
}

/* ---- The sweep ---- */

/* Pairs of different materials, each alone in a cell, so that the order of the sweep does not matter. */
static pd_world *world_of_lone_pairs(int pairs) {
    enum { ACROSS = 40 };
    char text[1200];
    snprintf(text, sizeof text,
             "puddle: 1\ngravity: [0, 0]\nsubsteps: 3\ndt: 0.006\ncontainer: {shape: none}\n"
             "materials: {a: {color: '#ffffff', mass: 0.5, viscosity: 8},\n"
             "            b: {color: '#ffffff', mass: 2, viscosity: 2}, c: {color: '#ffffff'}}\n"
             "attractions: [{between: [a, b], factor: -3}, {between: [b, c], factor: 4}]\n"
             "regions: [{shape: box, center: [0, 0], size: [1, 1], count: %d},\n"
             "          {shape: box, center: [0, 0], size: [1, 1], count: %d, material: b},\n"
             "          {shape: box, center: [0, 0], size: [1, 1], count: %d, material: c}]\n"
             "parameters: {ddr: {radius: 0.1, stiffness: 3, near_stiffness: 5, quadratic_viscosity: 0.5}}\n",
             pairs, pairs / 2, pairs - pairs / 2);
    pd_world *world = world_of_text(text, 1);
    pd_particles *p = &world->particles;
    for (int i = 0; i < p->count;
         i++) { /* pair k: particle k of material a and number `pairs` + k; the last ones of b too */
        int k = (int)p->id[i] % pairs;
        bool second = (int)p->id[i] >= pairs;
        pd_random random = {(uint64_t)k + 1};
        float x = 0.4f * (float)(k % ACROSS) + 0.15f, y = 0.4f * (float)(k / ACROSS) + 0.15f;
        float angle = 6.28f * pd_random_below_one(&random), r = 0.02f + 0.06f * pd_random_below_one(&random);
        p->x[i] = x + (second ? r / 2 : -r / 2) * cosf(angle);
        p->y[i] = y + (second ? r / 2 : -r / 2) * sinf(angle);
        p->vx[i] = (second ? -1 : 1) * pd_random_below_one(&random);
        p->vy[i] = (second ? -1 : 1) * pd_random_below_one(&random);
    }
    return world;
}

/* Masses, viscosities and attractions: the same displacements as by the sweep over rows. */
static void test_pairs_as_over_rows(void **state) {
    use_level(*state);
    enum { FEW = 900, MANY = 1100 };
    static float vx[2][2 * MANY], vy[2][2 * MANY];
    const int pairs[2] = {FEW, MANY};
    for (int w = 0; w < 2; w++) {
        pd_world *world = world_of_lone_pairs(pairs[w]);
        step_many(world, 3);
        assert_int_equal(has_lists(world), w == 1);
        for (int i = 0; i < world->particles.count; i++) {
            int id = (int)world->particles.id[i], k = id % pairs[w] + (id >= pairs[w] ? MANY : 0);
            vx[w][k] = world->particles.vx[i];
            vy[w][k] = world->particles.vy[i];
        }
        pd_world_destroy(world);
    }
    double apart = 0, changed = 0;
    int compared = 0;
    for (int k = 0; k < MANY + FEW; k++) {
        if (k % MANY >= FEW / 2) continue; /* the others' partners are of other materials in the two worlds */
        apart = fmax(apart, hypot((double)vx[0][k] - (double)vx[1][k], (double)vy[0][k] - (double)vy[1][k]));
        changed += fabs((double)vx[0][k]);
        compared++;
    }
    print_message("%s: speeds of %.2f m/s are at most %.1e m/s apart\n", pd_simd_name(), changed / compared, apart);
    assert_int_equal(compared, FEW);
    assert_true(changed / compared > 0.1);
    assert_true(apart < 2e-3); /* positions are rounded to 1e-6 m, divided by 2 ms */
}

/* Materials that differ in everything: momentum is conserved. */
static void test_momentum(void **state) {
    (void)state;
    pd_world *world =
        world_of_text("puddle: 1\ngravity: [0, 0]\ncontainer: {shape: none}\nsubsteps: 4\nparticles: 3000\n"
                      "materials: {a: {color: '#ffffff', mass: 0.5, viscosity: 5}, b: {color: '#ffffff', mass: 2}}\n"
                      "attractions: [{between: [a, b], factor: 0.3}]\n"
                      "regions: [{shape: circle, center: [-0.4, 0], radius: 0.4, velocity: [0.5, 0.1], material: a},\n"
                      "          {shape: circle, center: [0.4, 0.2], radius: 0.4, material: b}]\n",
                      1);
    motion before = motion_of(world);
    step_many(world, fewer_frames(150, 10));
    motion after = motion_of(world);
    double drift = hypot(after.x - before.x, after.y - before.y);
    print_message("momentum drifts by %.2e\n", drift / after.momentum_scale);
    assert_true(has_lists(world));
    assert_true(drift < 1e-4 * after.momentum_scale);
    pd_world_destroy(world);
}

/* Properties of particles take memory only where pairs can differ. */
static void test_memory_for_properties(void **state) {
    (void)state;
    static const char *const SCENES[] = {
        "materials: {a: {color: '#ffffff'}}",
        "materials: {a: {color: '#ffffff'}}\nattractions: [{between: [a, a], factor: 0.5}]",
        "materials: {a: {color: '#ffffff'}, b: {color: '#3a8fff', mass: 2}}",
    };
    for (int k = 0; k < 3; k++) {
        char text[400];
        snprintf(text, sizeof text,
                 "puddle: 1\n%s\nregions: [{shape: circle, center: [0, 0], radius: 0.5, count: 2500, material: a}]\n",
                 SCENES[k]);
        pd_world *world = world_of_text(text, 1);
        step_many(world, 2);
        assert_true(has_lists(world));
        assert_true((lists_of(world)->property != NULL) == (k > 0));
        expect_sound(world);
        pd_world_destroy(world);
    }
}

/* ---- Without lists ---- */

/* Crowds: 600 particles within a hundredth of a radius, in a fluid that fills the container to a third. They are swept over
 * rows, and have lists again once they have spread. */
static void test_crowds(void **state) {
    (void)state;
    pd_world *world = world_of_text("puddle: 1\ncontainer: {shape: circle, radius: 1}\n"
                                    "regions: [{shape: box, center: [0, -0.5], size: [1.5, 0.6], count: 3000},\n"
                                    "          {shape: circle, center: [0.1, 0.4], radius: 0.0005, count: 600}]\n"
                                    "parameters: {ddr: {radius: 0.06}}\n",
                                    1);
    pd_world_step_part(world, 0);
    assert_false(has_lists(world));
    for (int frame = 0; frame < 120; frame++) {
        pd_world_step(world);
        if (frame % 20 == 0) expect_sound(world);
    }
    assert_true(has_lists(world));
    assert_int_equal(pd_world_particles(world), 3600);
    pd_world_destroy(world);
}

/* All 3,000 particles in one point separate, stay inside, and come to rest at a normal density. */
static void test_all_at_one_point(void **state) {
    (void)state;
    pd_world *world = world_of_text("puddle: 1\ncontainer: {shape: circle, radius: 1}\n"
                                    "regions: [{shape: circle, center: [0.1, 0.1], radius: 0.000001, count: 3000}]\n"
                                    "parameters: {ddr: {radius: 0.06}}\n",
                                    1);
    pd_world_step_part(world, 0);
    assert_false(has_lists(world));
    for (int frame = 0; frame < fewer_frames(400, 200); frame++) {
        pd_world_step(world);
        if (frame % 40 == 0) expect_sound(world);
    }
    pd_statistics s;
    pd_world_statistics(world, &s);
    print_message("density %.2f, at most %.2f\n", s.mean_density, s.max_density);
    assert_int_equal(s.particles, 3000);
    assert_true(has_lists(world));
    assert_true(s.max_density < 20);
    pd_world_destroy(world);
}

/* A cell with more particles than a batch takes, whose lists would not be too long. */
static void test_full_cell(void **state) {
    (void)state;
    pd_world *world = world_of_text("puddle: 1\ncontainer: {shape: circle, radius: 1}\ngravity: [0, 0]\n"
                                    "regions: [{shape: circle, center: [0, 0], radius: 0.7, count: 2500},\n"
                                    "          {shape: circle, center: [0.93, 0.03], radius: 0.001, count: 160}]\n"
                                    "parameters: {ddr: {radius: 0.06}}\n",
                                    1);
    pd_world_step_part(world, 0);
    assert_false(has_lists(world));
    step_many(world, 30);
    assert_true(has_lists(world));
    expect_sound(world);
    pd_world_destroy(world);
}

/* A radius at which each particle has more neighbours than a list holds: no cell is as full as that. */
static void test_long_lists(void **state) {
    (void)state;
    pd_world *world = world_of_text("puddle: 1\ncontainer: {shape: circle, radius: 1}\nparticles: 2500\n"
                                    "regions: [{shape: circle, center: [0, 0], radius: 0.7}]\n",
                                    1);
    step_many(world, 1);
    assert_true(has_lists(world));
    set_parameter(world, "ddr.radius", 0.25f); /* 319 particles within it, 101 to a cell */
    step_many(world, 1);
    assert_false(has_lists(world));
    expect_sound(world);
    pd_world_destroy(world);
}

/* A particle farther than the lists' arithmetic allows, which no snapshot may have: the substep has no lists, and returns the
 * particle to the world. Where the particle was before is corrected by hand, because the state after a step is validated. */
static void test_farther_than_sentinels(void **state) {
    (void)state;
    pd_world *world = world_of_text("puddle: 1\ncontainer: {shape: none}\ngravity: [0, 0]\nparticles: 2500\n"
                                    "regions: [{shape: circle, center: [0, 0], radius: 0.7}]\n",
                                    1);
    world->particles.x[3] = 1e30f;
    pd_world_step_part(world, 0);
    assert_false(has_lists(world));
    for (int i = 0; i < world->particles.count; i++)
        world->particles.previous_x[i] = fminf(world->particles.previous_x[i], 0.7f);
    step_many(world, 2);
    expect_sound(world);
    assert_true(has_lists(world));
    pd_world_destroy(world);
}

/* ---- Work for threads ---- */

/* The least over the colours of how many threads can work at the same time, and how much faster that
 * many can be at most if all batches take equally long. */
static void print_tasks(const ddr_lists *l, int threads, int *least, double *faster) {
    int batches = l->first_batch[DDR_CELL_COLOURS], longest = 0;
    *least = threads;
    for (int colour = 0; colour < DDR_CELL_COLOURS; colour++) {
        int of_colour = l->first_batch[colour + 1] - l->first_batch[colour],
            grain = pd_ddr_lists_batches_per_chunk(of_colour, threads);
        int tasks = (of_colour + grain - 1) / grain, rounds = (tasks + threads - 1) / threads;
        *least = tasks < *least ? tasks : *least;
        longest += rounds * grain < of_colour ? rounds * grain : of_colour;
    }
    *faster = (double)batches / longest;
    print_message("  %2d threads: at least %d have work in each colour; at most %.1f times as fast as one\n", threads,
                  *least, *faster);
}

/* At 50,000 particles nearly all of sixteen threads have work in each colour. */
static void test_work_for_many_threads(void **state) {
    (void)state;
    static const int particles[] = {10000, 50000, 200000};
    for (int n = 0; n < 3; n++) {
        char text[300];
        snprintf(text, sizeof text,
                 "puddle: 1\nsubsteps: 1\ncontainer: {shape: circle, radius: 1}\nparticles: %d\n"
                 "regions: [{shape: box, center: [0, -0.4], size: [1.2, 0.6]}]\n",
                 particles[n]);
        pd_world *world = world_of_text(text, 1);
        pd_world_step(world);
        const ddr_lists *l = lists_of(world);
        assert_true(has_lists(world));
        print_message("%d particles: %d batches of %d colours\n", particles[n], l->first_batch[DDR_CELL_COLOURS],
                      DDR_CELL_COLOURS);
        for (int threads = 1; threads <= 16; threads *= 2) {
            int least;
            double faster;
            print_tasks(l, threads, &least, &faster);
            if (particles[n] >= 50000) assert_true(least > 0.8 * threads && faster > 0.8 * threads);
        }
        pd_world_destroy(world);
    }
}

TEST_GROUP(ddr_lists) {
    const struct CMUnitTest tests[] = {
        AT_EVERY_LEVEL(test_lists_against_brute_force),
        cmocka_unit_test(test_folded_cells),
        AT_EVERY_LEVEL(test_rows_of_many_particles),
        AT_EVERY_LEVEL(test_pairs_as_over_rows),
        cmocka_unit_test(test_momentum),
        cmocka_unit_test(test_memory_for_properties),
        cmocka_unit_test(test_crowds),
        cmocka_unit_test(test_all_at_one_point),
        cmocka_unit_test(test_full_cell),
        cmocka_unit_test(test_long_lists),
        cmocka_unit_test(test_farther_than_sentinels),
        cmocka_unit_test(test_work_for_many_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
