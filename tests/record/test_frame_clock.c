/* The frames in each step of a recording, counted exactly. */
#include "test.h"

#include "record/sink.h"
#include <limits.h>
#include <math.h>

enum { STEPS = 10000 };

/* Makes a step and returns the number of frames in it. Checks that they lie within the step, in ascending order. */
static int step(pd_frame_clock *clock) {
    int frames = 0;
    double alpha, before = 0;
    pd_frame_clock_count_step(clock);
    for (; pd_frame_clock_count_due_frame(clock, &alpha); before = alpha, frames++)
        if (!(alpha > before && alpha <= 1)) fail_msg("step %lld: %g after %g", clock->steps, alpha, before);
    return frames;
}

/* Steps of 1/rate seconds: for every n there are n * fps / rate frames after n steps, rounded down. */
static void assert_exact(int fps, int rate, double dt) {
    pd_frame_clock clock;
    pd_frame_clock_begin(&clock, fps, dt);
    assert_int_equal(clock.fps, fps);
    for (long long n = 1; n <= STEPS; n++) {
        step(&clock);
        if (clock.frames != n * fps / rate)
            fail_msg("%d fps of %d steps: %lld frames after %lld steps", fps, rate, clock.frames, n);
    }
}

static void counts_are_exact_and_do_not_drift(void **state) {
    (void)state;
    static const int fps[] = {1, 7, 24, 25, 30, 50, 59, 60, 61, 90, 120, 144, 240, 999, 1000};
    static const int rates[] = {24, 50, 60, 90, 120, 240, 1000};
    for (size_t i = 0; i < sizeof fps / sizeof *fps; i++)
        for (size_t j = 0; j < sizeof rates / sizeof *rates; j++) assert_exact(fps[i], rates[j], 1.0 / rates[j]);
    /* dt as scenes store it: in single precision 1/60 is rounded up. */
    assert_exact(30, 60, (double)(float)(1.0 / 60));
    assert_exact(60, 60, (double)(float)(1.0 / 60));
    assert_exact(120, 60, (double)(float)(1.0 / 60));
}

/* Frames before the start are not due; a limit counts the frames after them. */
static void skipped_frames_are_not_due(void **state) {
    (void)state;
    pd_frame_clock clock;
    pd_frame_clock_begin(&clock, 30, 1.0 / 60);
    pd_frame_clock_skip(&clock, 1);
    pd_frame_clock_set_limits(&clock, 1000, 5);
    assert_int_equal(clock.last_frame, 35);
    for (int n = 1; n <= 61; n++) assert_int_equal(step(&clock), 0);
    assert_int_equal(step(&clock), 1);
    pd_frame_clock_begin(&clock, 0, 0.5);
    pd_frame_clock_skip(&clock, 2);
    pd_frame_clock_set_limits(&clock, 6, 0);
    for (int n = 1; n <= 6; n++) assert_int_equal(step(&clock), n > 4);
}

static void fps_equal_to_the_step_rate_is_a_frame_each_step(void **state) {
    (void)state;
    static const struct {
        int fps;
        double dt;
        int rate;
        bool every_step;
    } table[] = {{0, 1.0 / 60, 60, true}, {60, 0.0166667, 60, true}, {60, 1.0 / 60.05, 60, true},
                 {0, 5, 1, true},         {0, 0.0123, 81, true},     {30, 1.0 / 60, 30, false}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        pd_frame_clock clock;
        double alpha;
        pd_frame_clock_begin(&clock, table[i].fps, table[i].dt);
        assert_int_equal(clock.fps, table[i].rate);
        assert_int_equal(clock.every_step, table[i].every_step);
        for (int n = 1; table[i].every_step && n <= STEPS; n++) {
            pd_frame_clock_count_step(&clock);
            assert_true(pd_frame_clock_count_due_frame(&clock, &alpha));
            assert_true(alpha == 1);
            assert_false(pd_frame_clock_count_due_frame(&clock, &alpha));
        }
    }
}

/* alpha is the time of a frame as a fraction of its step. */
static void alpha_is_the_fraction_of_the_step(void **state) {
    (void)state;
    static const double expected[] = {0.8, 0.6, 0.4, 0.2,
                                      1}; /* of the steps 1, 2, 3, 4, 4: 75 fps, 60 steps a second */
    pd_frame_clock clock;
    double alpha;
    pd_frame_clock_begin(&clock, 75, 1.0 / 60);
    for (int frame = 0; frame < 5;) {
        pd_frame_clock_count_step(&clock);
        while (pd_frame_clock_count_due_frame(&clock, &alpha)) assert_float_equal(alpha, expected[frame++], 1e-9);
    }
    assert_int_equal(clock.steps, 4);
    assert_int_equal(clock.frames, 5);
}

static void the_last_step_has_the_remaining_frames(void **state) {
    (void)state;
    static const struct {
        int fps;
        double dt;
        long long steps, asked, frames, last; /* last: frames in the last step */
    } table[] = {
        {30, 0.016666, 300, 0, 150, 1},  /* 5 s are 299.99 steps */
        {60, 0.0166667, 300, 0, 300, 1}, /* one a step */
        {24, 1.0 / 60, 60, 0, 24, 1},    {24, 1.0 / 60, 59, 0, 23, 0}, {240, 1.0 / 60, 2, 0, 8, 4},
        {240, 1.0 / 60, 100, 6, 6, 0},   {30, 1.0 / 60, 0, 0, 0, 0},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        pd_frame_clock clock;
        int last = 0;
        pd_frame_clock_begin(&clock, table[i].fps, table[i].dt);
        pd_frame_clock_set_limits(&clock, table[i].steps, table[i].asked);
        assert_int_equal(clock.last_frame, table[i].frames);
        while (clock.steps < clock.last_step) last = step(&clock);
        assert_int_equal(clock.frames, table[i].frames);
        assert_int_equal(last, table[i].last);
    }
    pd_frame_clock clock;
    pd_frame_clock_begin(&clock, 30, 1.0 / 60);
    pd_frame_clock_set_limits(&clock, LLONG_MAX, 3); /* the number of frames is limited, that of steps is not */
    while (clock.frames < clock.last_frame) step(&clock);
    assert_int_equal(clock.steps, 6);
}

TEST_GROUP(frame_clock) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(skipped_frames_are_not_due),
        cmocka_unit_test(counts_are_exact_and_do_not_drift),
        cmocka_unit_test(fps_equal_to_the_step_rate_is_a_frame_each_step),
        cmocka_unit_test(alpha_is_the_fraction_of_the_step),
        cmocka_unit_test(the_last_step_has_the_remaining_frames),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
