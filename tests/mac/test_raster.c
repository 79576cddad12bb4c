/* The open fractions of rasterised walls compared with exact areas and lengths, and with samples of
 * pd_boundary_wall_distance. */
#include "rasters.h"
#include "sanitizers.h"

/* The error is of third order in the size of the cells, down to the rounding error of the sum. */
static void areas_of_circles(void **state) {
    (void)state;
    float radius = 0.83f;
    double area = pi * radius * radius;
    for (int n = 8; n <= 512; n *= 2) {
        double tolerance = 2e-4 * pow(8.0 / n, 3.0) + 2e-8;
        setup s = set_up(PD_CONTAINER_CIRCLE, radius, NULL, 0, square(n, 1.0));
        assert_float_equal(open_area(s.raster), area, tolerance);
        check_sound(s.raster);
        tear_down(&s);
        pd_obstacle disc = {.area.shape = PD_SHAPE_CIRCLE, .area.center = {0.0713f, -0.0391f}, .area.radius = radius};
        s = set_up(PD_CONTAINER_NONE, 1.0, &disc, 1, square(n, 1.0));
        assert_float_equal(closed_area(s.raster), area, tolerance);
        check_sound(s.raster);
        tear_down(&s);
    }
    /* smaller than a cell: neither widened nor lost */
    pd_obstacle tiny = {.area.shape = PD_SHAPE_CIRCLE, .area.center = {0.031f, 0.052f}, .area.radius = 0.03f};
    setup s = set_up(PD_CONTAINER_NONE, 1.0, &tiny, 1, square(16, 1.0));
    assert_float_equal(closed_area(s.raster), pi * 0.0009, 0.02 * pi * 0.0009);
    tear_down(&s);
}

/* The areas of straight walls are exact but for rounding. */
static void areas_of_boxes(void **state) {
    (void)state;
    static const float angles[] = {0, 1e-5f, 0.3f, 17, 45, 60, 89.9999f, 90, 133, 180, 270, -45};
    for (int n = 10; n <= 80; n *= 2) {
        for (int k = 0; k < COUNT(angles); k++) {
            pd_obstacle box = {.area.shape = PD_SHAPE_BOX,
                               .area.center = {0.05f, -0.123f},
                               .area.size = {0.9f, 0.37f},
                               .area.angle = angles[k]};
            setup s = set_up(PD_CONTAINER_CIRCLE, 3.0, &box, 1, square(n, 1.0));
            assert_float_equal(closed_area(s.raster), 0.9 * 0.37, 2e-6);
            check_sound(s.raster);
            tear_down(&s);
        }
    }
    /* a container that is not aligned with the grid */
    setup s = set_up(PD_CONTAINER_BOX, 0.4567, NULL, 0, square(23, 0.6));
    assert_float_equal(open_area(s.raster), pow(2 * (double)0.4567f, 2), 1e-6);
    tear_down(&s);
}

/* The area of a thick line of two segments: two rectangles, half discs at the ends, and at the joint a sector on the
 * outer side, less the kite on the inner side where the rectangles overlap. */
static double elbow_area(double length, double thickness, double bend) {
    double r = 0.5 * thickness;
    return 2 * length * thickness + pi * r * r + 0.5 * bend * r * r - r * r * tan(0.5 * bend);
}

static void areas_of_lines(void **state) {
    (void)state;
    double length = 0.5, thickness = 0.21;
    for (int n = 20; n <= 320; n *= 2) {
        double straight_tolerance = 0.005 * pow(2.0 / n, 2.0), tolerance = 0.01 * pow(2.0 / n, 2.0);
        for (int k = 0; k < 12; k++) {
            double angle = 0.2 + k * pi / 12, bend = 0.1 + 0.15 * k;
            pd_vec2 points[] = {{(float)(-length * cos(angle)), (float)(-length * sin(angle))},
                                {0, 0},
                                {(float)(length * cos(angle + bend)), (float)(length * sin(angle + bend))}};
            pd_obstacle line = {
                .area.shape = PD_SHAPE_POLYLINE, .area.center = {0.03f, 0.017f}, .area.thickness = (float)thickness};
            line.area.points = points;
            line.area.point_count = 2;
            setup s = set_up(PD_CONTAINER_NONE, 1.0, &line, 1, square(n, 1.0));
            double area = length * thickness + pi * thickness * thickness / 4;
            assert_float_equal(closed_area(s.raster), area, straight_tolerance + 1e-7);
            tear_down(&s);
            line.area.point_count = 3;
            s = set_up(PD_CONTAINER_NONE, 1.0, &line, 1, square(n, 1.0));
            area = elbow_area(length, thickness, bend);
            assert_float_equal(closed_area(s.raster), area, tolerance + 1e-7);
            check_sound(s.raster);
            tear_down(&s);
        }
    }
}

/* Two crossing boxes, the second given twice and partly outside the container, which is 1 m wide. Of the second 0.2 x
 * 0.4 is inside, of which 0.2 x 0.02 belongs to the first as well. */
static void overlaps_count_once(void **state) {
    (void)state;
    pd_obstacle boxes[] = {{.area.shape = PD_SHAPE_BOX, .area.center = {0.013f, 0.02f}, .area.size = {0.8f, 0.2f}},
                           {.area.shape = PD_SHAPE_BOX, .area.center = {0.1f, 0.5f}, .area.size = {0.2f, 0.8f}},
                           {.area.shape = PD_SHAPE_BOX, .area.center = {0.1f, 0.5f}, .area.size = {0.2f, 0.8f}}};
    for (int n = 16; n <= 37; n += 7) {
        setup s = set_up(PD_CONTAINER_BOX, 0.5, boxes, COUNT(boxes), square(n, 0.6));
        assert_float_equal(open_area(s.raster), 1.0 - 0.8 * 0.2 - 0.2 * 0.4 + 0.2 * 0.02, 2e-6);
        check_sound(s.raster);
        tear_down(&s);
    }
}

/* Boxes aligned with the grid have no partly open faces and cells; a wall that ends on a line of faces closes them. */
static void aligned_walls_are_sharp(void **state) {
    (void)state;
    for (int turns = 0; turns < 4; turns++) {
        bool upright = turns % 2;
        pd_obstacle box = {
            .area.shape = PD_SHAPE_BOX, .area.center = {0.25f, -0.125f}, .area.angle = 90.0f * (float)turns};
        box.area.size =
            upright ? (pd_vec2){0.25f, 0.5f} : (pd_vec2){0.5f, 0.25f}; /* cells 8 to 11 by 6 to 7 in any case */
        setup s = set_up(PD_CONTAINER_BOX, 1.0, &box, 1, square(16, 1.0));
        for (int j = 0; j < 16; j++) {
            for (int i = 0; i < 16; i++) {
                bool in = i >= 8 && i < 12 && j >= 6 && j < 8;
                bool at_left = i == 0 || (i >= 8 && i <= 12 && j >= 6 && j < 8);
                bool below = j == 0 || (i >= 8 && i < 12 && j >= 6 && j <= 8);
                assert_true(cell_at(s.raster, i, j) == (in ? 0.0f : 1.0f));
                assert_true(face_x_at(s.raster, i, j) == (at_left ? 0.0f : 1.0f));
                assert_true(face_y_at(s.raster, i, j) == (below ? 0.0f : 1.0f));
            }
            assert_true(face_x_at(s.raster, 16, j) == 0.0f && face_y_at(s.raster, j, 16) == 0.0f);
        }
        tear_down(&s);
    }
    /* half a cell off */
    pd_obstacle box = {.area.shape = PD_SHAPE_BOX, .area.center = {0.3125f, 0}, .area.size = {0.5f, 0.5f}};
    setup s = set_up(PD_CONTAINER_NONE, 1.0, &box, 1, square(16, 1.0));
    assert_true(face_y_at(s.raster, 8, 8) == 0.5f && face_y_at(s.raster, 12, 8) == 0.5f);
    assert_true(face_y_at(s.raster, 9, 8) == 0.0f && face_x_at(s.raster, 9, 8) == 0.0f &&
                face_x_at(s.raster, 8, 8) == 1.0f);
    assert_true(cell_at(s.raster, 8, 8) == 0.5f && cell_at(s.raster, 12, 7) == 0.5f &&
                cell_at(s.raster, 13, 8) == 1.0f);
    tear_down(&s);
    /* sizes that are rounded: the container's walls are off the grid lines by the rounding error */
    s = set_up(PD_CONTAINER_BOX, 0.3, NULL, 0, square(70, 0.3));
    for (int j = 0; j < 70; j++) {
        for (int i = 0; i < 70; i++) {
            assert_true(cell_at(s.raster, i, j) == 1.0f);
            assert_true(face_x_at(s.raster, i, j) == (i ? 1.0f : 0.0f) &&
                        face_y_at(s.raster, i, j) == (j ? 1.0f : 0.0f));
        }
        assert_true(face_x_at(s.raster, 70, j) == 0.0f && face_y_at(s.raster, j, 70) == 0.0f);
    }
    tear_down(&s);
}

/* The open fraction of n by m samples in the rectangle of w by h at (x, y). */
static double sampled(const pd_boundary *boundary, double x, double y, double w, double h, int n, int m) {
    int open = 0;
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) open += is_open(boundary, x + (i + 0.5) / n * w, y + (j + 0.5) / m * h);
    return (double)open / (n * m);
}

static void agrees_with_samples(void **state) {
    (void)state;
    enum { N = 24, SCENES = UNDER_ADDRESS_SANITIZER ? 3 : 9, OBSTACLES = 6 };
    pd_random random = {1};
    pd_obstacle obstacles[OBSTACLES];
    pd_vec2 points[OBSTACLES][4];
    pd_grid grid = square(N, 1.1);
    double h = grid.cell, cell_error = 0.0, face_error = 0.0;
    for (int scene = 0; scene < SCENES; scene++) {
        random_obstacles(&random, (float)h, obstacles, OBSTACLES, points);
        setup s = set_up((pd_container_shape)(scene % 3), 1.0, obstacles, OBSTACLES, grid);
        pd_boundary_move_obstacles(s.boundary, 0.3, 0.35);
        assert_true(pd_raster_update(s.raster, s.boundary));
        check_sound(s.raster);
        for (int j = 0; j < N; j++) {
            for (int i = 0; i < N; i++) {
                double x = grid.origin.x + i * h, y = grid.origin.y + j * h, open = cell_at(s.raster, i, j);
                int k = open > 0.0 && open < 1.0 ? 80 : 6;
                cell_error = fmax(cell_error, fabs(open - sampled(s.boundary, x, y, h, h, k, k)));
                open = face_x_at(s.raster, i, j);
                face_error = fmax(face_error, fabs(open - sampled(s.boundary, x, y, 0, h, 1, 200)));
                open = face_y_at(s.raster, i, j);
                face_error = fmax(face_error, fabs(open - sampled(s.boundary, x, y, h, 0, 200, 1)));
            }
        }
        tear_down(&s);
    }
    assert_true(cell_error < 0.008);
    assert_true(face_error < 0.0101); /* two samples of 200 */
}

static void check_all(const pd_raster *r, float value) {
    int nx = r->grid.nx, ny = r->grid.ny;
    for (int k = 0; k < nx * ny; k++) assert_true(r->cell[k] == value);
    for (int k = 0; k < (nx + 1) * ny; k++) assert_true(r->face_x[k] == value);
    for (int k = 0; k < nx * (ny + 1); k++) assert_true(r->face_y[k] == value);
}

static void extremes(void **state) {
    (void)state;
    pd_vec2 dot = {0.1f, 0.1f};
    pd_obstacle obstacles[] = {
        {.area.shape = PD_SHAPE_CIRCLE, .area.radius = 1e6f, .spin = 1e4f},
        {.area.shape = PD_SHAPE_BOX, .area.size = {1e4f, 1e5f}, .area.angle = 33, .velocity = {5, 0}, .turn = 1},
        {.area.shape = PD_SHAPE_CIRCLE, .area.center = {-8, 3}, .area.radius = 1},
        {.area.shape = PD_SHAPE_BOX,
         .area.center = {-1e6f, 1e6f},
         .area.size = {1, 1e-6f},
         .area.angle = 12,
         .velocity = {1e6f, -1e6f},
         .spin = 1e4f},
        {.area.shape = PD_SHAPE_POLYLINE,
         .area.center = {3, 3},
         .area.points = &dot,
         .area.point_count = 1,
         .spin = -1e4f},
        {.area.shape = PD_SHAPE_POLYLINE, .area.point_count = 0, .spin = 5},
    };
    static const pd_grid grids[] = {{1, 1, {-1, -1}, 2},
                                    {1, 9, {-1, -1}, 0.25},
                                    {7, 1, {-0.5, 0.1}, 1e-3},
                                    {16, 16, {-1, -1}, 0.125},
                                    {3, 2, {50, 50}, 10}};
    for (int g = 0; g < COUNT(grids); g++) {
        for (int shape = PD_CONTAINER_CIRCLE; shape <= PD_CONTAINER_NONE; shape++) {
            for (int first = 0; first < COUNT(obstacles); first++) {
                bool covered = first < 2 || (g == 4 && shape != PD_CONTAINER_NONE);
                setup s = set_up((pd_container_shape)shape, 3.0, obstacles + first, COUNT(obstacles) - first, grids[g]);
                for (int step = 0; step < 5; step++) {
                    check_sound(s.raster);
                    if (covered) check_all(s.raster, 0.0f);
                    if (!covered && step == 0 && first > 1) check_all(s.raster, 1.0f);
                    pd_boundary_move_obstacles(s.boundary, step * 0.5, step * 0.5 + 0.5);
                    pd_raster_update(s.raster, s.boundary);
                }
                tear_down(&s);
            }
        }
    }
    /* one cell: a quarter of a disc, and the whole of it */
    pd_obstacle disc = {.area.shape = PD_SHAPE_CIRCLE, .area.radius = 0.5f};
    setup s = set_up(PD_CONTAINER_NONE, 1.0, &disc, 1, (pd_grid){1, 1, {0, 0}, 1});
    assert_float_equal(cell_at(s.raster, 0, 0), 1 - pi / 16, 1e-2);
    assert_true(face_x_at(s.raster, 0, 0) == 0.5f && face_x_at(s.raster, 1, 0) == 1.0f &&
                face_y_at(s.raster, 0, 0) == 0.5f);
    tear_down(&s);
}

/* Many points of a polyline in one cell. */
static void crowded_cells(void **state) {
    (void)state;
    pd_vec2 points[400];
    for (int k = 0; k < COUNT(points); k++)
        points[k] = (pd_vec2){(float)(0.8 * cos(2 * pi * k / 399)), (float)(0.8 * sin(2 * pi * k / 399))};
    pd_obstacle ring = {.area.shape = PD_SHAPE_POLYLINE,
                        .area.points = points,
                        .area.point_count = COUNT(points),
                        .area.thickness = 0.4f};
    double area = pi * 2 * 0.8 * 0.4;
    for (int n = 1; n <= 64; n *= 4) {
        setup s = set_up(PD_CONTAINER_NONE, 1.0, &ring, 1, square(n, 1.2));
        if (n >= 16) assert_float_equal(closed_area(s.raster), area, 1e-3 * area);
        check_sound(s.raster);
        tear_down(&s);
    }
}

TEST_GROUP(raster) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(areas_of_circles),
        cmocka_unit_test(areas_of_boxes),
        cmocka_unit_test(areas_of_lines),
        cmocka_unit_test(overlaps_count_once),
        cmocka_unit_test(aligned_walls_are_sharp),
        cmocka_unit_test(agrees_with_samples),
        cmocka_unit_test(extremes),
        cmocka_unit_test(crowded_cells),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
