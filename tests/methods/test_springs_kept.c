/* What springs outlive and what they do not: snapshots, resets, drains, emitters, changes of material, crowds,
 * damage. */
#include "methods.h"
#include "methods/ddr/ddr.h"
#include "methods/pbf/pbf.h"
#include "methods/sph/sph.h"
#include "sim/world.h"
#include "snapshots.h"

#include <sys/resource.h>
#include <unistd.h>

/* Two elastic materials, one of them plastic, with emitters, drains, and changes into each other and into water. */
static const char *const MIXED =
    "container: {shape: box, width: 2, height: 1}\nparticles: 600\n"
    "materials:\n"
    "  jelly: {color: '#ffffff', elasticity: 1500}\n"
    "  clay: {color: '#ff0000', elasticity: 3000, plasticity: 10, yield: 0.05, mass: 1.4}\n"
    "  water: {color: '#0000ff'}\n"
    "regions: [{shape: box, center: [-0.5, -0.1], size: [0.5, 0.5], material: jelly},\n"
    "          {shape: circle, center: [0.4, -0.1], radius: 0.28, material: clay},\n"
    "          {shape: box, center: [0, -0.45], size: [2, 0.1], material: water}]\n"
    "emitters: [{position: [0, 0.4], direction: [0.3, -1], speed: 1, width: 0.1, rate: 120, material: jelly},\n"
    "           {position: [-0.8, 0.4], direction: [0.3, -1], speed: 1, width: 0.1, rate: 60, material: clay}]\n"
    "drains: [{shape: box, center: [0.9, -0.4], size: [0.2, 0.2]}, {shape: circle, center: [-0.5, 0], radius: 0.05}]\n"
    "changes: [{shape: box, center: [0.4, -0.4], size: [0.4, 0.2], from: clay, to: jelly, rate: 2},\n"
    "          {shape: box, center: [-0.9, -0.4], size: [0.3, 0.3], from: jelly, to: water, rate: 2},\n"
    "          {shape: box, center: [0, -0.45], size: [0.2, 0.2], from: water, to: clay, rate: 2}]\n";

#define OF_SPRINGS(test)                                                                                               \
    { #test, test, has_springs }

static const springs *springs_in(const pd_world *world) { return &((const particle_fluid *)world->state)->springs; }

static int springs_of(const pd_world *world) { return pd_springs_count_springs(springs_in(world)); }

static const uint32_t *slots_in(const pd_world *world) {
    const pd_particles *p = &world->particles;
    for (int k = 0; k < p->method_column_count; k++)
        if (strcmp(p->method_columns[k].name, "spring_slot") == 0) return p->method[k];
    fail_msg("no column of slots");
    return NULL;
}

/* Every spring connects two existing particles of the same material, and is in both of their lists with the same rest
 * length. */
static void expect_sound_springs(const pd_world *world) {
    const springs *s = springs_in(world);
    const uint32_t *slots = slots_in(world);
    for (int i = 0; i < world->particles.count && s->capacity > 0; i++) {
        uint32_t slot = slots ? slots[i] : SPRINGS_NO_SLOT;
        if (slot == SPRINGS_NO_SLOT) continue;
        assert_true(slot < (uint32_t)s->capacity && s->assigned[slot]);
        for (int k = 0; k < s->spring_count[slot]; k++) {
            uint32_t other = s->other_slot[(size_t)slot * SPRINGS_PER_PARTICLE + (size_t)k];
            int back = -1;
            assert_true(other < (uint32_t)s->capacity && s->assigned[other] && s->material[other] == s->material[slot]);
            for (int e = 0; e < s->spring_count[other]; e++)
                if (s->other_slot[(size_t)other * SPRINGS_PER_PARTICLE + (size_t)e] == slot) back = e;
            assert_true(back >= 0);
            assert_true(s->rest_length[(size_t)other * SPRINGS_PER_PARTICLE + (size_t)back] ==
                        s->rest_length[(size_t)slot * SPRINGS_PER_PARTICLE + (size_t)k]);
        }
    }
}

/* ---- New springs ---- */

/* Springs of particles that are new, and move fast, have as rest length the distance at which the method lets them act: in
 * their first substep they do not pull. */
static void test_new_springs_are_not_strained(void **state) {
    pd_world *world = world_of_method(*state,
                                      "gravity: [0, 0]\ncontainer: {shape: none}\nparticles: 300\n"
                                      "materials: {a: {color: '#ffffff', elasticity: 1000}}\n"
                                      "regions: [{shape: box, center: [0, 0], size: [0.4, 0.4]}]\n",
                                      1);
    pd_particles *p = &world->particles;
    pd_random random = {7};
    for (int i = 0; i < p->count; i++) {
        p->vx[i] = (float)pd_random_below_one(&random) - 0.5f;
        p->vy[i] = (float)pd_random_below_one(&random) - 0.5f;
    }
    pd_world_step_part(world, 0);
    const springs *s = springs_in(world);
    double most = 0;
    for (int slot = 0; slot < s->capacity; slot++)
        for (int k = 0; s->assigned[slot] && k < s->spring_count[slot]; k++) {
            size_t at = (size_t)slot * SPRINGS_PER_PARTICLE + (size_t)k;
            uint32_t other = s->other_slot[at];
            float length = hypotf(s->x[other] - s->x[slot], s->y[other] - s->y[slot]);
            most = fmax(most, fabs((double)(s->rest_length[at] / length) - 1));
        }
    print_message("%d springs, strained by up to %.1e\n", springs_of(world), most);
    assert_true(springs_of(world) > 2000);
    assert_true(most < 1e-5);
    pd_world_destroy(world);
}

/* ---- Snapshots and resets ---- */

static void test_snapshots_with_springs(void **state) {
    char path[TEMPORARY_SIZE];
    int file = mkstemp(temporary_template(path));
    assert_true(file >= 0);
    close(file);
    pd_error error = {0};
    void *bytes;
    size_t size;
    pd_world *world = world_of_method(*state, MIXED, 1), *loaded;
    const int frames = fewer_frames(40, 10);
    step_many(world, frames);
    assert_true(springs_of(world) > 3000);
    assert_int_equal(pd_world_save(world, path, &error), PD_OK);
    assert_int_equal(pd_world_save_to_memory(world, &bytes, &size, &error), PD_OK);
    if (load_with_threads(&loaded, path, 2, &error) != PD_OK) fail_msg("%s", error.message);
    assert_int_equal(springs_of(loaded), springs_of(world));
    step_many(world, frames);
    step_many(loaded, frames);
    uint64_t future = pd_world_hash(world);
    assert_true(pd_world_hash(loaded) == future);
    assert_int_equal(springs_of(loaded), springs_of(world));
    if (pd_world_restore_from_memory(world, bytes, size, &error) != PD_OK) fail_msg("%s", error.message);
    step_many(world, frames);
    assert_true(pd_world_hash(world) == future);
    free(bytes);
    pd_world_destroy(loaded);
    pd_world_destroy(world);
    unlink(path);
}

/* The estimated size of a snapshot counts the springs. */
static void test_snapshot_size_with_springs(void **state) {
    pd_error error = {0};
    void *bytes;
    size_t size;
    pd_world *world = world_of_method(*state, MIXED, 1);
    step_many(world, 10);
    assert_int_equal(pd_world_save_to_memory(world, &bytes, &size, &error), PD_OK);
    size_t estimate = pd_world_snapshot_size(world);
    print_message("%d springs, %zu bytes, estimated %zu\n", springs_of(world), size, estimate);
    assert_true(springs_of(world) > 3000);
    assert_true(estimate >= size && estimate <= 3 * size);
    free(bytes);
    pd_world_destroy(world);
}

static void test_reset_with_springs(void **state) {
    pd_world *world = world_of_method(*state, MIXED, 1), *fresh = world_of_method(*state, MIXED, 1);
    const int frames = fewer_frames(50, 10);
    step_many(world, frames);
    pd_world_reset(world);
    step_many(world, frames);
    step_many(fresh, frames);
    assert_true(pd_world_hash(world) == pd_world_hash(fresh));
    assert_int_equal(springs_of(world), springs_of(fresh));
    pd_world_step_part(world, 0); /* also within a step */
    pd_world_reset(world);
    step_many(world, frames);
    assert_true(pd_world_hash(world) == pd_world_hash(fresh));
    pd_world_destroy(world);
    pd_world_destroy(fresh);
}

/* ---- Emitters, drains, changes ---- */

static void test_springs_of_mixed_materials(void **state) {
    pd_world *world = world_of_method(*state, MIXED, 1);
    int materials[3] = {0};
    for (int frame = 0, frames = fewer_frames(300, 30); frame < frames; frame++) {
        pd_world_step(world);
        if (frame % 10 == 0) expect_sound_springs(world);
    }
    pd_view view;
    pd_world_view(world, &view);
    for (int i = 0; i < view.count; i++) materials[view.material[i]]++;
    print_message("%d particles (%d, %d, %d), %d springs\n", view.count, materials[0], materials[1], materials[2],
                  springs_of(world));
    expect_sound(world);
    pd_world_destroy(world);
}

static const char *const STILL = "gravity: [0, 0]\ncontainer: {shape: none}\nparticles: 300\n"
                                 "materials: {a: {color: '#ffffff', elasticity: 1000}, b: {color: '#ffffff'}}\n"
                                 "regions: [{shape: box, center: [0, 0], size: [0.4, 0.4]}]\n";

/* Particles that change lose their springs; the other half keeps the springs within itself. */
static void test_changes_release_springs(void **state) {
    char text[1000];
    pd_world *whole = world_of_method(*state, STILL, 1);
    snprintf(text, sizeof text, "%s%s", STILL,
             "changes: [{shape: box, center: [0.5, 0], size: [1, 2], from: a, to: b}]\n");
    pd_world *half = world_of_method(*state, text, 1);
    step_many(half, 3);
    step_many(whole, 3);
    expect_sound_springs(half);
    print_message("%d springs in all, %d in the half\n", springs_of(whole), springs_of(half));
    assert_true(springs_of(whole) > 2000);
    assert_true(springs_of(half) < 0.5 * springs_of(whole) && springs_of(half) > 0.4 * springs_of(whole));
    pd_world_destroy(whole);
    pd_world_destroy(half);
}

static void test_drains_release_springs(void **state) {
    char text[1000];
    snprintf(text, sizeof text, "%s%s", STILL, "drains: [{shape: box, center: [0, 0], size: [2, 2]}]\n");
    pd_world *world = world_of_method(*state, text, 1);
    step_many(world, 1);
    assert_int_equal(pd_world_particles(world), 0);
    step_many(world, 3);
    assert_int_equal(springs_of(world), 0);
    pd_world_destroy(world);
}

/* More neighbours than a spring list or a searched range holds: springs form only between particles with room in their
 * lists. */
static void test_crowds(void **state) {
    (void)state;
    const int counts[] = {60, 64, 65, 66, 120, 3000};
    for (int i = 0; i < 6; i++) {
        char text[600];
        snprintf(text, sizeof text,
                 "puddle: 1\ncontainer: {shape: circle, radius: 1}\n"
                 "materials: {a: {color: '#ffffff', elasticity: 2000, plasticity: 20}}\n"
                 "regions: [{shape: circle, center: [0, 0], radius: 0.03, count: %d}]\n"
                 "parameters: {ddr: {radius: 0.1, stiffness: 1.6, near_stiffness: 4.5}}\n",
                 counts[i]);
        pd_world *world = world_of_text(text, 1);
        /* After the first substep, before the pressure has driven them apart. */
        pd_world_step_part(world, 0);
        expect_sound_springs(world);
        if (counts[i] <= 65) assert_int_equal(springs_of(world), counts[i] * (counts[i] - 1) / 2);
        if (counts[i] >= 66) assert_int_equal(springs_of(world), 0);
        for (int frame = 0; frame < 30; frame++) {
            pd_world_step(world);
            expect_sound_springs(world);
        }
        expect_sound(world);
        assert_int_equal(pd_world_particles(world), counts[i]);
        pd_world_destroy(world);
    }
}

/* ---- Edits ---- */

typedef struct spring {
    uint32_t end[2]; /* ids of its particles, the smaller first */
    float rest;      /* m */
} spring;

static int by_ends(const void *a, const void *b) {
    const spring *p = a, *q = b;
    for (int e = 0; e < 2; e++)
        if (p->end[e] != q->end[e]) return p->end[e] < q->end[e] ? -1 : 1;
    return 0;
}

/* All springs in the order of their ends; to be freed with test_free. */
static spring *list_springs(const pd_world *world) {
    const springs *s = springs_in(world);
    const uint32_t *slots = slots_in(world);
    uint32_t *id = test_calloc((size_t)s->capacity, sizeof *id);
    spring *list = test_calloc((size_t)springs_of(world), sizeof *list);
    int count = 0;
    for (int i = 0; i < world->particles.count; i++)
        if (slots[i] != SPRINGS_NO_SLOT) id[slots[i]] = world->particles.id[i];
    for (uint32_t slot = 0; slot < (uint32_t)s->capacity; slot++)
        for (int k = 0; s->assigned[slot] && k < s->spring_count[slot]; k++) {
            size_t at = (size_t)slot * SPRINGS_PER_PARTICLE + (size_t)k;
            uint32_t a = id[slot], b = id[s->other_slot[at]];
            if (a < b) list[count++] = (spring){{a, b}, s->rest_length[at]}; /* each is in the lists of both ends */
        }
    assert_int_equal(count, springs_of(world));
    qsort(list, (size_t)count, sizeof *list, by_ends);
    test_free(id);
    return list;
}

/* The removal of a material without particles, which gives the jelly another number, leaves each spring its ends and its rest
 * length, though it is deformed. */
static void test_springs_outlive_a_removed_material(void **state) {
    pd_error error = {0};
    pd_world *world =
        world_of_method(*state,
                        "gravity: [0, 0]\ncontainer: {shape: none}\nparticles: 300\n"
                        "materials: {unused: {color: '#0000ff'}, jelly: {color: '#ffffff', elasticity: 1000}}\n"
                        "regions: [{shape: box, center: [0, 0], size: [0.4, 0.4], material: jelly}]\n",
                        1);
    step_many(world, 2);
    for (int i = 0; i < world->particles.count; i++) world->particles.x[i] *= 1.05f;
    step_many(world, 1);
    int count = springs_of(world);
    spring *before = list_springs(world);
    assert_true(count > 2000);
    pd_command command;
    if (pd_command_parse("edit {materials: {unused: none}}", NULL, &command, &error) != PD_OK ||
        pd_world_apply(world, &command, &error) != PD_OK)
        fail_msg("%s", error.message);
    pd_command_free(&command);
    assert_int_equal(pd_world_scene(world)->material_count, 1);
    step_many(world, 1);
    assert_int_equal(springs_of(world), count);
    spring *after = list_springs(world);
    assert_memory_equal(after, before, (size_t)count * sizeof *after);
    expect_sound_springs(world);
    test_free(before), test_free(after);
    pd_world_destroy(world);
}

/* ---- Damage ---- */

static const char *const SMALL =
    "puddle: 1\ncontainer: {shape: circle, radius: 1}\nparticles: 60\n"
    "materials: {a: {color: '#ffffff', elasticity: 1000, plasticity: 5}, b: {color: '#ffffff', elasticity: 500}}\n"
    "regions: [{shape: circle, center: [0, 0], radius: 0.2, material: a},\n"
    "          {shape: circle, center: [0.5, 0], radius: 0.2, material: b}]\n"
    "drains: [{shape: circle, center: [0.1, -0.1], radius: 0.08}, {shape: circle, center: [0.5, 0.1], radius: 0.05}]\n"
    "changes: [{shape: box, center: [-0.1, 0], size: [0.1, 2], from: a, to: b}]\n";

/* A snapshot with a changed byte and a valid checksum is refused, or gives a world that steps, with drains and changes,
 * to a valid state. At the baseline level, since AddressSanitizer checks the reads of scalar loops, but not those of gather
 * instructions. */
static void test_damaged_springs(void **state) {
    (void)state;
    use_level("baseline");
    pd_error error = {0};
    void *saved;
    size_t size;
    pd_world *world = world_of_text(SMALL, 1);
    pd_world_step(world);
    assert_int_equal(pd_world_save_to_memory(world, &saved, &size, &error), PD_OK);
    uint8_t *bytes = saved;
    int refused = 0, taken = 0;
    for (size_t at = snapshot_state(bytes); at < size; at += is_shortened() ? 7 : 3) {
        const uint8_t flips[] = {0x01, 0x55, 0x80};
        uint8_t flip = flips[at / 3 % 3];
        bytes[at] ^= flip;
        snapshot_sign(bytes, size);
        if (pd_world_restore_from_memory(world, bytes, size, &error) == PD_OK) {
            step_many(world, 2);
            assert_true(pd_world_has_valid_state(world));
            taken++;
        } else {
            refused++;
        }
        bytes[at] ^= flip;
    }
    print_message("%d refused, %d taken\n", refused, taken);
    assert_true(refused > 100 && taken > 100);
    snapshot_sign(bytes, size);
    assert_int_equal(pd_world_restore_from_memory(world, bytes, size, &error), PD_OK);
    free(saved);
    pd_world_destroy(world);
}

/* A snapshot in which a spring is in the list of only one of its two particles is refused. */
static void test_one_sided_springs(void **state) {
    (void)state;
    use_level("baseline");
    pd_error error = {0};
    void *saved;
    size_t size;
    pd_world *world = world_of_text(SMALL, 1);
    pd_world_step(world);
    springs *s = &((particle_fluid *)world->state)->springs;
    uint32_t first = 0, unrelated = 0;
    while (!s->assigned[first] || s->spring_count[first] == 0) first++;
    for (bool known = true; known; unrelated++) {
        known = !s->assigned[unrelated] || unrelated == first;
        for (int k = 0; k < s->spring_count[first]; k++)
            known |= s->other_slot[(size_t)first * SPRINGS_PER_PARTICLE + (size_t)k] == unrelated;
        if (!known) break;
    }
    s->other_slot[(size_t)first * SPRINGS_PER_PARTICLE] = unrelated;
    assert_int_equal(pd_world_save_to_memory(world, &saved, &size, &error), PD_OK);
    pd_result result = pd_world_restore_from_memory(world, saved, size, &error);
    print_message("%s\n", result == PD_OK ? "taken" : error.message);
    assert_int_equal(result, PD_BAD_INPUT);
    assert_int_equal(error.code, PD_ERROR_SNAPSHOT_BROKEN);
    free(saved);
    pd_world_destroy(world);
}

static long peak_megabytes(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss / 1024;
}

/* A small file that claims a large number of springs is refused without allocating memory for them. */
static void test_a_false_number_of_springs(void **state) {
    (void)state;
    pd_error error = {0};
    void *saved;
    size_t size;
    pd_world *world = world_of_text(SMALL, 1);
    pd_world_step(world);
    int32_t capacity = ((particle_fluid *)world->state)->springs.capacity, claimed = 2000000;
    assert_int_equal(pd_world_save_to_memory(world, &saved, &size, &error), PD_OK);
    long before = peak_megabytes();
    int refused = 0;
    for (size_t at = snapshot_state(saved); at + 4 <= size; at++) {
        if (memcmp((uint8_t *)saved + at, &capacity, 4) != 0) continue;
        memcpy((uint8_t *)saved + at, &claimed, 4);
        snapshot_sign(saved, size);
        refused += pd_world_restore_from_memory(world, saved, size, &error) == PD_BAD_INPUT;
        memcpy((uint8_t *)saved + at, &capacity, 4);
    }
    print_message("%d places refused, %ld MB more\n", refused, peak_megabytes() - before);
    assert_true(refused >= 1);
    assert_true(peak_megabytes() - before < 100);
    free(saved);
    pd_world_destroy(world);
}

/* An elastic material that has no particles at first, and later more than the initial number of slots. */
static void test_springs_begin_late(void **state) {
    uint64_t hash[2];
    for (int threads = 1; threads <= 2; threads++) {
        pd_world *world = world_of_method(*state,
                                          "container: {shape: box, width: 2, height: 1}\n"
                                          "materials: {water: {color: '#0000ff'},\n"
                                          "            jelly: {color: '#00ff00', elasticity: 3000, plasticity: 2}}\n"
                                          "regions: [{shape: box, center: [0, -0.4], size: [2, 0.2], count: 600}]\n"
                                          "emitters: [{position: [0, 0.3], direction: [0, -1], speed: 1, width: 0.3,\n"
                                          "            rate: 2000, material: jelly, from: 0.1}]\n",
                                          threads);
        for (int frame = 0; frame < fewer_frames(90, 24); frame++) {
            pd_world_step(world);
            if (frame == 3) assert_int_equal(springs_of(world), 0);
        }
        expect_sound(world);
        assert_true(springs_of(world) > 1000);
        hash[threads - 1] = pd_world_hash(world);
        pd_world_destroy(world);
    }
    assert_true(hash[0] == hash[1]);
}

TEST_GROUP(springs_kept) {
    const method_test tests[] = {
        ONCE(test_a_false_number_of_springs), /* first: it compares the peak memory of the process */
        OF_SPRINGS(test_springs_begin_late),
        OF_SPRINGS(test_new_springs_are_not_strained),
        OF_SPRINGS(test_snapshots_with_springs),
        OF_SPRINGS(test_snapshot_size_with_springs),
        OF_SPRINGS(test_reset_with_springs),
        OF_SPRINGS(test_springs_of_mixed_materials),
        OF_SPRINGS(test_changes_release_springs),
        OF_SPRINGS(test_drains_release_springs),
        OF_SPRINGS(test_springs_outlive_a_removed_material),
        ONCE(test_crowds),
        ONCE(test_damaged_springs),
        ONCE(test_one_sided_springs),
    };
    return RUN_METHOD_TESTS(tests);
}
