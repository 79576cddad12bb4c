/* Contacts in wedges: where two of the walls that a particle touches face each other at less than 60 degrees, neither wall's normal
 * is the direction in which it is pushed back, whatever else it touches and in whichever order. */
#include "test.h"
#include "worlds.h"

/* The contact of a motion into the tip of a polyline, which the particle reaches. */
static pd_contact contact_at_tip(const char *container, const char *points, pd_vec2 tip, pd_vec2 start,
                                 pd_vec2 target) {
    char text[400];
    pd_error error;
    pd_boundary *boundary;
    pd_contact contact = {0};
    snprintf(text, sizeof text,
             "puddle: 1\ncontainer: %s\nobstacles: [{shape: polyline, points: %s, thickness: 0.0001}]\n", container,
             points);
    pd_scene scene = scene_of_text(text);
    must(pd_boundary_create(&boundary, &scene, &error), &error);
    pd_vec2 position = target;
    assert_true(pd_boundary_stop_at_walls(boundary, start, &position, &contact));
    if (hypotf(position.x - tip.x, position.y - tip.y) > 2e-3f)
        fail_msg("it stops at (%g, %g)", (double)position.x, (double)position.y);
    pd_boundary_destroy(boundary);
    pd_scene_free(&scene);
    return contact;
}

static void expect_normal(pd_contact contact, float x, float y) {
    float length = hypotf(x, y);
    if (fabsf(contact.normal.x - x / length) > 5e-3f || fabsf(contact.normal.y - y / length) > 5e-3f)
        fail_msg("the normal is (%g, %g), not (%g, %g)", (double)contact.normal.x, (double)contact.normal.y,
                 (double)(x / length), (double)(y / length));
}

/* Two boards at 53 degrees, and a motion that is not along the middle. */
static void a_sharp_wedge(void **state) {
    (void)state;
    const pd_vec2 tip = {0, -0.5f}, start = {0.01f, 0}, target = {0.1f, -1.5f};
    pd_contact contact = contact_at_tip("{shape: none}", "[[-0.4, 0.3], [0, -0.5], [0.4, 0.3]]", tip, start, target);
    expect_normal(contact, tip.x - target.x, tip.y - target.y);
}

/* At 90 degrees it is the normal of one of the boards. */
static void a_blunt_wedge(void **state) {
    (void)state;
    const pd_vec2 tip = {0, -0.5f}, start = {0.01f, 0}, target = {0.1f, -1.5f};
    pd_contact contact = contact_at_tip("{shape: none}", "[[-0.8, 0.3], [0, -0.5], [0.8, 0.3]]", tip, start, target);
    expect_normal(contact, contact.normal.x < 0 ? -1 : 1, 1);
}

/* The container's wall is touched first, then a floor, at last a board that faces the container's wall, but not the floor. */
static void a_wall_is_touched_between_those_of_a_wedge(void **state) {
    (void)state;
    const pd_vec2 tip = {-0.9f, 0}, start = {-0.91f, 0.05f}, target = {-1.2f, -0.5f};
    pd_contact contact =
        contact_at_tip("{shape: circle, radius: 1}", "[[-1.2, 0.06], [-0.9, 0], [-0.8, 1]]", tip, start, target);
    expect_normal(contact, tip.x - target.x, tip.y - target.y);
}

TEST_GROUP(wedges) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sharp_wedge),
        cmocka_unit_test(a_blunt_wedge),
        cmocka_unit_test(a_wall_is_touched_between_those_of_a_wedge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
