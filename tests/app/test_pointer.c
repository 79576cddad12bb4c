/* The mouse as a tool: where the tool is in each step of a frame, and when a press ends. */
#include "test.h"

#include "app/device/pointer.h"
#include "app/session/timeline.h"
#include <math.h>
#include <SDL.h>

static const double FRAME = 0.1; /* s: six steps are owed */
static const pd_view VIEW = {.low = {-1, -1}, .high = {1, 1}};

static pd_camera camera;
static pd_pointer pointer;

static void move_to(float x) {
    pd_vec2 pixels = pd_camera_world_to_pixels(&camera, (pd_vec2){x, 0});
    pointer.pixel_x = pixels.x;
    pointer.pixel_y = pixels.y;
    pd_pointer_update_position(&pointer, &VIEW, &camera);
}

static void press_at(float x) {
    pointer = (pd_pointer){.size = 0.1f};
    pd_camera_fit_framed_view(&camera, &VIEW, &(pd_framing){0}, 800, 800);
    move_to(x);
    assert_true(pd_pointer_record_press(&pointer, SDL_BUTTON_LEFT, false));
    pd_pointer_begin_tool(&pointer, PD_TOOL_POUR, SDL_BUTTON_LEFT, -1);
}

static void release_at(float x) {
    move_to(x);
    pd_pointer_record_release(&pointer, SDL_BUTTON_LEFT, &VIEW, &camera);
}

static pd_tool tool_of_step(int step, int step_count) {
    pd_tool tool;
    pd_pointer_make_tool(&pointer, step, step_count, 1, -1, 0, &tool);
    return tool;
}

static void expect_tool(pd_tool tool, pd_tool_kind kind, float x) {
    assert_int_equal(tool.kind, kind);
    assert_float_equal(tool.position.x, x, 1e-4f);
}

/* Only the first of the steps that were expected is made. */
static void a_release_ends_at_the_next_step(void **state) {
    (void)state;
    press_at(0);
    pd_pointer_update_velocity(&pointer, FRAME, false);
    expect_tool(tool_of_step(0, 6), PD_TOOL_POUR, 0);
    pd_pointer_end_frame(&pointer);
    release_at(0.3f);
    move_to(0.8f);
    pd_pointer_update_velocity(&pointer, FRAME, false);
    expect_tool(tool_of_step(0, 6), PD_TOOL_POUR, 0.3f);
    assert_int_equal(pointer.press, PD_PRESS_NONE);
    assert_int_equal(tool_of_step(1, 6).kind, PD_TOOL_NONE);
}

/* Frames without a step: the picture shows the pointer, and the tool's last step is where the button was released. */
static void the_pointer_moves_while_a_release_waits(void **state) {
    (void)state;
    press_at(0);
    release_at(0.1f);
    for (int frame = 1; frame < 9; frame++) {
        move_to(0.1f * (float)frame);
        pd_pointer_update_velocity(&pointer, FRAME, false);
        assert_false(pd_pointer_has_press(&pointer));
        assert_float_equal(pointer.position.x, 0.1f * (float)frame, 1e-4f);
        pd_pointer_end_frame(&pointer);
    }
    expect_tool(tool_of_step(0, 1), PD_TOOL_POUR, 0.1f);
    assert_int_equal(tool_of_step(0, 1).kind, PD_TOOL_NONE);
}

/* A held tool is at the pointer in the last step of each frame, however slow steps are. */
static void a_held_tool_is_at_the_pointer(void **state) {
    (void)state;
    static const double costs[] = {0.001, 0.012, 0.5};
    static const int counts[] = {6, 2, 1};
    for (int i = 0; i < 3; i++) {
        pd_pace pace;
        pd_pace_init(&pace, 1.0 / 60);
        pd_pace_record_work(&pace, costs[i], 1, 1, true);
        pace.owed = 0;
        pd_pace_begin_frame(&pace, FRAME);
        int count = pd_pace_expected_steps(&pace);
        assert_int_equal(count, counts[i]);
        press_at(0);
        move_to(0.6f);
        pd_pointer_update_velocity(&pointer, FRAME, false);
        for (int k = 0; k < count; k++)
            expect_tool(tool_of_step(k, count), PD_TOOL_POUR, 0.6f * (float)(k + 1) / (float)count);
    }
}

TEST_GROUP(pointer) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_release_ends_at_the_next_step),
        cmocka_unit_test(the_pointer_moves_while_a_release_waits),
        cmocka_unit_test(a_held_tool_is_at_the_pointer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
