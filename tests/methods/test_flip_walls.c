/* FLIP beside obstacles that touch the container, or overlap it by a hair. */
#include "contract.h"
#include "methods.h"

#include <math.h>

static const double OVERLAPS[] = {0, 1e-4, 1e-3, 3e-3, 1e-2}; /* m */
enum { OVERLAP_COUNT = sizeof OVERLAPS / sizeof *OVERLAPS };

typedef struct corner {
    const char *name, *container;
    double x, y;   /* of the wall, m */
    double dx, dy; /* outwards */
} corner;

#define BOX                                                                                                            \
    "container: {shape: box, width: 2.2, height: 1.5}\nregions: [{shape: box, center: [0, -0.4], size: [2.2, 0.7]}]\n"
#define ROUND "container: {shape: circle, radius: 1}\nregions: [{shape: box, center: [0, -0.4], size: [2, 0.8]}]\n"
#define FULL                                                                                                           \
    "container: {shape: box, width: 2.2, height: 1.5}\nregions: [{shape: box, center: [0, 0], size: [2.2, 1.48]}]\n"

static const corner CORNERS[] = {
    {"the floor", BOX, -0.45, -0.75, 0, -1},  {"the left wall", BOX, -1.1, -0.5, -1, 0},
    {"the right wall", BOX, 1.1, -0.5, 1, 0}, {"the ceiling", FULL, -0.45, 0.75, 0, 1},
    {"a round floor", ROUND, 0, -1, 0, -1},   {"a round wall", ROUND, -0.8660254, -0.5, -0.8660254, -0.5},
};
enum { CORNER_COUNT = sizeof CORNERS / sizeof *CORNERS };

enum { CIRCLE, SQUARE, LINE, SHAPES };
static const char *const SHAPE_NAMES[] = {"circle", "box", "polyline"};

/* An obstacle of half width 0.1 m that overlaps the wall. */
static void write_obstacle(char *text, size_t size, int shape, const corner *at, double overlap) {
    double x = at->x - at->dx * (0.1 - overlap), y = at->y - at->dy * (0.1 - overlap);
    if (shape == CIRCLE)
        snprintf(text, size, "{shape: circle, center: [%.6f, %.6f], radius: 0.1}", x, y);
    else if (shape == SQUARE)
        snprintf(text, size, "{shape: box, center: [%.6f, %.6f], size: [0.2, 0.2]}", x, y);
    else
        snprintf(text, size, "{shape: polyline, thickness: 0.2, points: [[%.6f, %.6f], [%.6f, %.6f]]}",
                 x + 0.1 * at->dy, y - 0.1 * at->dx, x - 0.1 * at->dy, y + 0.1 * at->dx);
}

static double speed_after(const char *container, const char *obstacles, double seconds) {
    char text[1000];
    snprintf(text, sizeof text, "gravity: [0, -9.81]\nparticles: 3000\n%sobstacles: [%s]\n", container, obstacles);
    pd_world *world = world_of_method("flip", text, 1);
    step_many(world, (int)lround(60 * seconds));
    double speed = statistics_of(world).rms_speed;
    pd_world_destroy(world);
    return speed;
}

/* Still water stays still: it does not fall into openings that particles cannot enter, as one between a wall drawn along
 * the floor and the floor would be. */
static void test_still_beside_obstacles_at_walls(void **state) {
    int moving = 0;
    (void)state;
    skip_under_sanitizers();
    for (int c = 0; c < CORNER_COUNT; c++) {
        for (int shape = 0; shape < SHAPES; shape++) {
            for (int k = 0; k < (in_short_run() ? 1 : OVERLAP_COUNT); k++) {
                char obstacle[200];
                if (c >= 4 && shape == SQUARE) continue;             /* not along the wall */
                if (in_short_run() && (c / 2 + shape) % 2) continue; /* shapes by turns */
                write_obstacle(obstacle, sizeof obstacle, shape, &CORNERS[c], OVERLAPS[k]);
                double speed = speed_after(CORNERS[c].container, obstacle, 3);
                if (speed < 0.05) continue;
                print_message("%s %g m into %s: %g m/s\n", SHAPE_NAMES[shape], OVERLAPS[k], CORNERS[c].name, speed);
                moving++;
            }
        }
    }
    assert_int_equal(moving, 0);
}

static void test_still_beside_obstacles_that_overlap(void **state) {
    static const char *const others[] = {"{shape: circle, center: [0, -0.5], radius: 0.1}",
                                         "{shape: box, center: [0, -0.5], size: [0.2, 0.2]}"};
    (void)state;
    skip_under_sanitizers();
    for (int other = 0; other < 2; other++) {
        for (int k = 0; k < (in_short_run() ? 2 : OVERLAP_COUNT); k++) {
            char obstacles[200];
            snprintf(obstacles, sizeof obstacles, "%s, {shape: circle, center: [%.6f, -0.5], radius: 0.1}",
                     others[other], 0.2 - OVERLAPS[k]);
            assert_true(speed_after(BOX, obstacles, 3) < 0.05);
        }
    }
}

TEST_GROUP(flip_walls) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_still_beside_obstacles_at_walls),
        cmocka_unit_test(test_still_beside_obstacles_that_overlap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
