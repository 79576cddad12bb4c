#include "test.h"

#include "core/memory.h"
#include "sim/particles/particles.h"

#include <stdlib.h>
#include <string.h>

static void fill(pd_particles *p, int count) {
    for (int i = 0; i < count; i++) {
        float f = (float)p->next_id;
        pd_particles_add(p, (pd_vec2){f, -f}, (pd_vec2){2 * f, 3 * f}, (int)p->next_id % 7);
    }
}

/* All values of particle i are functions of its id. */
static void check(const pd_particles *p, int i, uint32_t id) {
    float f = (float)id;
    assert_int_equal(p->id[i], id);
    assert_int_equal(p->material[i], id % 7);
    assert_true(p->x[i] == f && p->y[i] == -f && p->vx[i] == 2 * f && p->vy[i] == 3 * f);
    assert_true(p->old_x[i] == f && p->old_y[i] == -f && p->previous_x[i] == f && p->previous_y[i] == -f);
    assert_true(p->density[i] == 0.0f);
}

static void growing_keeps_everything(void **state) {
    (void)state;
    pd_particles p = {0};
    static const int capacities[] = {1, 2, 3, 17, 1000, 4096, 100001};
    for (int c = 0; c < 7; c++) {
        assert_int_equal(pd_particles_reserve(&p, capacities[c], NULL), PD_OK);
        assert_int_equal(p.capacity, capacities[c]);
        float *arrays[] = {p.x, p.y, p.vx, p.vy, p.old_x, p.old_y, p.previous_x, p.previous_y, p.density};
        for (int k = 0; k < 9; k++) {
            assert_int_equal((uintptr_t)arrays[k] % PD_ALIGNMENT, 0);
            for (int i = 0; i < PD_PADDING; i++) { /* the padding is readable and writable */
                assert_true(arrays[k][p.capacity + i] == 0.0f);
                arrays[k][p.capacity + i] = 1.0f;
            }
        }
        assert_int_equal((uintptr_t)p.id % PD_ALIGNMENT, 0);
        assert_int_equal((uintptr_t)p.material % PD_ALIGNMENT, 0);
        p.id[p.capacity + PD_PADDING - 1] = 1;
        p.material[p.capacity + PD_PADDING - 1] = 1;
        fill(&p, p.capacity - p.count);
        for (int i = 0; i < p.count; i++) check(&p, i, (uint32_t)i);
    }
    assert_int_equal(pd_particles_reserve(&p, 5, NULL), PD_OK); /* never shrinks */
    assert_int_equal(p.capacity, 100001);
    pd_particles_free(&p);
    assert_null(p.x);
    assert_int_equal(p.count, 0);
    pd_particles_free(&p);
}

static void removing_keeps_the_order(void **state) {
    (void)state;
    pd_particles p = {0};
    uint8_t flags[100] = {0};
    assert_int_equal(pd_particles_reserve(&p, 100, NULL), PD_OK);
    fill(&p, 100);
    pd_particles_remove_flagged(&p, flags);
    assert_int_equal(p.count, 100);
    for (int i = 0; i < 100; i++) flags[i] = i % 3 == 0 || i > 90;
    pd_particles_remove_flagged(&p, flags);
    int at = 0;
    for (uint32_t id = 0; id < 100; id++)
        if (id % 3 != 0 && id <= 90) check(&p, at++, id);
    assert_int_equal(p.count, at);
    fill(&p, 10); /* ids are not used again */
    for (int i = 0; i < 10; i++) check(&p, at + i, 100 + (uint32_t)i);
    memset(flags, 1, sizeof flags);
    pd_particles_remove_flagged(&p, flags);
    assert_int_equal(p.count, 0);
    assert_int_equal(p.next_id, 110);
    pd_particles_free(&p);
}

TEST_GROUP(particles) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(growing_keeps_everything),
        cmocka_unit_test(removing_keeps_the_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
