/* Snapshot files: damage at any place is detected. */
#include "methods/vortex/vortex.h"
#include "sim/world.h"
#include "snapshots.h"
#include "worlds.h"

static const char *const SMALL =
    "puddle: 1\nname: Small\nparticles: 30\ncontainer: {shape: box, width: 2, height: 1}\n"
    "materials: {a: {color: '#ffffff', mass: 1.3, elasticity: 800, plasticity: 3}, b: {color: '#ffffff'}}\n"
    "regions: [{shape: circle, center: [-0.4, -0.1], radius: 0.2, material: a},\n"
    "          {shape: box, center: [0.4, -0.3], size: [0.5, 0.3], material: b}]\n"
    "emitters: [{position: [0, 0.4], direction: [0.2, -1], speed: 0.5, width: 0.2, rate: 60, material: b}]\n"
    "parameters: {grid: {resolution: 16}, flip: {resolution: 16}, vortex: {core: 0.1}}\n";

/* ---- Damage ---- */

/* A snapshot with one wrong bit is refused with a message of one line, and the world is unchanged. */
static void expect_refused(pd_world *world, const uint8_t *bytes, size_t size, size_t bit) {
    pd_error error = {0};
    uint64_t before = pd_world_hash(world);
    pd_result result = pd_world_restore_from_memory(world, bytes, size, &error);
    bool right_code = error.code == PD_ERROR_SNAPSHOT_BROKEN || error.code == PD_ERROR_SNAPSHOT_VERSION;
    if (result != PD_BAD_INPUT || !right_code || strchr(error.message, '\n'))
        fail_msg("bit %zu of byte %zu: result %d, code %d: %s", bit % 8, bit / 8, result, error.code, error.message);
    assert_true(pd_world_hash(world) == before);
}

static void test_every_flipped_bit_is_detected(void **state) {
    (void)state;
    pd_error error = {0};
    void *saved;
    size_t size;
    pd_world *world = world_of_text(SMALL, 1);
    step_many(world, 5);
    assert_int_equal(pd_world_save_to_memory(world, &saved, &size, &error), PD_OK);
    uint8_t *bytes = saved;
    /* All bits of the header and of the beginning of the scene, then one bit of every 13th byte, and one of the last.
     * */
    for (size_t bit = 0; bit < 8 * size; bit += bit < 8 * 64 ? 1 : 8 * 13 + 1) {
        bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        expect_refused(world, bytes, size, bit);
        bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    bytes[size - 1] ^= 0x10;
    expect_refused(world, bytes, size, 8 * size - 4);
    bytes[size - 1] ^= 0x10;
    assert_int_equal(pd_world_restore_from_memory(world, bytes, size, &error), PD_OK);
    free(saved);
    pd_world_destroy(world);
}

/* The header is checked also if the checksum is right. */
static void test_header_with_a_right_checksum(void **state) {
    (void)state;
    const struct {
        size_t at;
        uint8_t value;
        pd_error_code code;
        const char *message;
    } changes[] = {
        {0, 'p', PD_ERROR_SNAPSHOT_BROKEN, "this is not a snapshot"},
        {VERSION_AT, 0, PD_ERROR_SNAPSHOT_VERSION, "snapshot of version 0"},
        {VERSION_AT, 200, PD_ERROR_SNAPSHOT_VERSION, "snapshot of version 200"},
        {BYTE_ORDER_AT, 1, PD_ERROR_SNAPSHOT_BROKEN, "another byte order"},
        {TEXT_SIZE_AT + 5, 1, PD_ERROR_SNAPSHOT_BROKEN, "cut short"},
    };
    pd_error error = {0};
    void *saved;
    size_t size;
    pd_world *world = world_of_text(SMALL, 1);
    assert_int_equal(pd_world_save_to_memory(world, &saved, &size, &error), PD_OK);
    uint8_t *bytes = saved;
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        uint8_t before = bytes[changes[i].at];
        bytes[changes[i].at] = changes[i].value;
        snapshot_sign(bytes, size);
        assert_int_equal(pd_world_restore_from_memory(world, bytes, size, &error), PD_BAD_INPUT);
        if (error.code != changes[i].code || !strstr(error.message, changes[i].message))
            fail_msg("change %zu: code %d: %s", i, error.code, error.message);
        bytes[changes[i].at] = before;
    }
    snapshot_sign(bytes, size);
    assert_int_equal(pd_world_restore_from_memory(world, bytes, size, &error), PD_OK);
    free(saved);
    pd_world_destroy(world);
}

/* An impossible state with a right checksum: a particle so far away that distances to it overflow. */
static void test_positions_outside_the_world(void **state) {
    (void)state;
    const float coordinates[] = {1e6f, -1e6f, 1e7f, -3e14f, 1e38f};
    for (int m = 0; m < pd_method_count(); m++) {
        pd_error error = {0};
        pd_world *world = world_of_text(SMALL, 1), *copy = world_of_text(SMALL, 1);
        must(pd_world_set_method(world, pd_method_at(m)->name, &error), &error);
        step_many(world, 2);
        pd_particles *p = &world->particles;
        float *arrays[] = {p->x, p->y, p->previous_x, p->previous_y};
        for (size_t k = 0; k < 4 * sizeof coordinates / sizeof *coordinates; k++) {
            void *saved;
            size_t size;
            float before = arrays[k % 4][3];
            arrays[k % 4][3] = coordinates[k / 4];
            must(pd_world_save_to_memory(world, &saved, &size, &error), &error);
            arrays[k % 4][3] = before;
            if (fabsf(coordinates[k / 4]) <= 1e6f) {
                assert_int_equal(pd_world_restore_from_memory(copy, saved, size, &error), PD_OK);
            } else {
                assert_int_equal(pd_world_restore_from_memory(copy, saved, size, &error), PD_BAD_INPUT);
                assert_int_equal(error.code, PD_ERROR_SNAPSHOT_BROKEN);
            }
            step_many(copy, 2);
            expect_sound(copy);
            free(saved);
        }
        pd_world_destroy(world), pd_world_destroy(copy);
    }
}

/* Numbers that are finite, but overflow in a step. */
static void test_numbers_of_no_world(void **state) {
    (void)state;
    enum { SPACING, LENGTH, GRAVITY, VORTEX_MASS, KINDS };
    for (int kind = 0; kind < KINDS; kind++) {
        pd_error error = {0};
        void *saved;
        size_t size;
        pd_world *world = world_of_text(SMALL, 1), *copy = world_of_text(SMALL, 1);
        assert_int_equal(pd_world_set_method(world, kind == VORTEX_MASS ? "vortex" : "flip", &error), PD_OK);
        float *const scales[] = {&world->resolution.spacing, &world->resolution.length, &world->resolution.gravity};
        if (kind == VORTEX_MASS)
            ((vortex_state *)world->state)->mass[0] = 1e38f;
        else
            *scales[kind] = 1e-38f;
        assert_int_equal(pd_world_save_to_memory(world, &saved, &size, &error), PD_OK);
        assert_int_equal(pd_world_restore_from_memory(copy, saved, size, &error), PD_BAD_INPUT);
        assert_int_equal(error.code, PD_ERROR_SNAPSHOT_BROKEN);
        free(saved);
        pd_world_destroy(world), pd_world_destroy(copy);
    }
}

TEST_GROUP(snapshot) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_flipped_bit_is_detected),
        cmocka_unit_test(test_header_with_a_right_checksum),
        cmocka_unit_test(test_positions_outside_the_world),
        cmocka_unit_test(test_numbers_of_no_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
