/* Rasters of walls that move, and of walls that are thinner than a cell. */
#include "rasters.h"

/* The mean velocity of the obstacle at the samples of a face that are inside it. */
static double sampled_velocity(const setup *s, bool vertical, double x, double y, pd_vec2 center, double turn) {
    const pd_obstacle *o = s->scene.obstacles;
    double sum = 0.0, h = s->raster->grid.cell;
    int count = 0;
    for (int k = 0; k < 400; k++) {
        double along = (k + 0.5) / 400 * h, px = vertical ? x : x + along, py = vertical ? y + along : y;
        if (is_open(s->boundary, px, py)) continue;
        sum += vertical ? o->velocity.x - turn * (py - center.y) : o->velocity.y + turn * (px - center.x);
        count++;
    }
    return count ? sum / count : 0.0;
}

/* v + omega x r: exactly at the middle of covered faces, as a mean over the covered part of others. */
static void walls_move_rigidly(void **state) {
    (void)state;
    enum { N = 32 };
    pd_vec2 points[][4] = {{{0, 0}}, {{0, 0}}, {{-0.4f, -0.3f}, {0.4f, -0.2f}, {0.3f, 0.3f}, {-0.2f, 0.1f}}};
    pd_random random = {2};
    pd_obstacle obstacles[3];
    random_obstacles(&random, 0.1f, obstacles, 3, points);
    for (int k = 0; k < 3; k++) {
        obstacles[k].area.center = (pd_vec2){-0.1f, 0.05f};
        obstacles[k].velocity = (pd_vec2){1.5f, -0.75f};
        obstacles[k].spin = k ? 200.0f : -90.0f;
        setup s = set_up(PD_CONTAINER_BOX, 1.0, &obstacles[k], 1, square(N, 0.95));
        pd_boundary_move_obstacles(s.boundary, 0.1, 0.11);
        assert_true(pd_raster_update(s.raster, s.boundary));
        check_sound(s.raster);
        int count, covered = 0, partly = 0;
        pd_vec2 center = pd_boundary_obstacle_areas(s.boundary, &count)->center;
        double turn = obstacles[k].spin * pi / 180, h = s.raster->grid.cell;
        for (int j = 0; j < N; j++) {
            for (int i = 0; i < N; i++) {
                double x = s.raster->grid.origin.x + i * h, y = s.raster->grid.origin.y + j * h;
                float open_x = face_x_at(s.raster, i, j), open_y = face_y_at(s.raster, i, j);
                if (open_x == 0.0f)
                    assert_float_equal(wall_x_at(s.raster, i, j), 1.5 - turn * (y + 0.5 * h - center.y), 1e-5);
                if (open_y == 0.0f)
                    assert_float_equal(wall_y_at(s.raster, i, j), -0.75 + turn * (x + 0.5 * h - center.x), 1e-5);
                if (open_x < 0.95f)
                    assert_float_equal(wall_x_at(s.raster, i, j), sampled_velocity(&s, true, x, y, center, turn), 1e-3);
                if (open_y < 0.95f)
                    assert_float_equal(wall_y_at(s.raster, i, j), sampled_velocity(&s, false, x, y, center, turn),
                                       1e-3);
                covered += open_x == 0.0f;
                partly += open_x > 0.0f && open_x < 0.95f;
            }
        }
        assert_true(covered > 5 && partly > 5);
        tear_down(&s);
    }
}

/* An obstacle that reverses its motion or rotates by more than half a turn during a substep has its mean velocity, that
 * is displacement / duration. */
static void wall_velocities_are_means(void **state) {
    (void)state;
    pd_obstacle disc = {
        .area.shape = PD_SHAPE_CIRCLE, .area.radius = 0.5f, .velocity = {3, 0}, .spin = 1e4f, .turn = 0.1f};
    setup s = set_up(PD_CONTAINER_CIRCLE, 1.0, &disc, 1, square(20, 1.0));
    static const double ends[] = {0.05, 0.125, 0.2};
    static const double parts[] = {1.0, 0.6, 0.0}; /* time of forward motion less that of backward motion, relative */
    for (int k = 0; k < COUNT(ends); k++) {
        pd_boundary_move_obstacles(s.boundary, 0.0, ends[k]);
        pd_raster_update(s.raster, s.boundary);
        double turn = 1e4 * pi / 180 * parts[k];
        int count, i = 10, j = 12;
        pd_vec2 center = pd_boundary_obstacle_areas(s.boundary, &count)->center;
        double x = -1 + 0.1 * (i + 0.5), y = -1 + 0.1 * (j + 0.5);
        assert_float_equal(wall_x_at(s.raster, i, j), 3 * parts[k] - turn * (y - center.y), 1e-4);
        assert_float_equal(wall_y_at(s.raster, i, j + 1), turn * (x - center.x), 1e-4);
        check_sound(s.raster);
    }
    pd_boundary_move_obstacles(s.boundary, 0.05, 0.05); /* zero duration */
    pd_raster_update(s.raster, s.boundary);
    assert_true(wall_x_at(s.raster, 10, 12) == 0.0f);
    tear_down(&s);
    /* a box moving along the wall: it covers half of face 14 and all of face 15, of which the wall covers a quarter */
    pd_obstacle lift = {
        .area.shape = PD_SHAPE_BOX, .area.center = {0.96875f, 0}, .area.size = {0.3125f, 1}, .velocity = {0, 2}};
    s = set_up(PD_CONTAINER_BOX, 0.96875, &lift, 1, square(16, 1.0));
    pd_boundary_move_obstacles(s.boundary, 0.0, 0.01);
    pd_raster_update(s.raster, s.boundary);
    assert_float_equal(face_y_at(s.raster, 14, 8), 0.5, 1e-6);
    assert_float_equal(wall_y_at(s.raster, 14, 8), 2.0, 1e-4);
    assert_float_equal(face_y_at(s.raster, 15, 8), 0.0, 0.0);
    assert_float_equal(wall_y_at(s.raster, 15, 8), 1.5, 1e-4);
    assert_true(wall_y_at(s.raster, 15, 2) == 0.0f && face_y_at(s.raster, 15, 2) == 0.75f);
    tear_down(&s);
}

/* A moving box that is off the grid lines by a rounding error, or tilted by one, is treated as aligned: no face is
 * partly open, and all have its velocity. Its ends are in the middle of cells. */
static void rounding_does_not_open_faces(void **state) {
    (void)state;
    static const float off[] = {0, 1e-6f, -1e-6f}, tilt[] = {0, 2e-5f};
    for (int test = 0; test < 12; test++) {
        bool upright = test >= 6; /* width and height exchanged, and rotated by 90 degrees */
        pd_obstacle piston = {.area.shape = PD_SHAPE_BOX, .area.center = {0.0625f, 0.0f}, .velocity = {0, 3}};
        float height = 0.5f + off[test % 3];
        piston.area.size = upright ? (pd_vec2){height, 0.5f} : (pd_vec2){0.5f, height};
        piston.area.angle = (upright ? 90.0f : 0.0f) + tilt[test / 3 % 2];
        setup s = set_up(PD_CONTAINER_BOX, 1.0, &piston, 1, square(16, 1.0));
        pd_boundary_move_obstacles(s.boundary, -0.01, 0.0);
        pd_raster_update(s.raster, s.boundary);
        check_sound(s.raster);
        for (int i = 7; i < 10; i++) {
            assert_true(cell_at(s.raster, i, 10) == 1.0f && cell_at(s.raster, i, 9) == 0.0f);
            assert_true(cell_at(s.raster, i, 5) == 1.0f && cell_at(s.raster, i, 6) == 0.0f);
            assert_true(face_y_at(s.raster, i, 10) == 0.0f && face_y_at(s.raster, i, 6) == 0.0f);
            assert_float_equal(wall_y_at(s.raster, i, 10), 3.0, 1e-4);
            assert_float_equal(wall_y_at(s.raster, i, 6), 3.0, 1e-4);
        }
        if (test / 3 % 2 == 0) { /* the ends of a tilted one are off the lines by more */
            assert_float_equal(face_y_at(s.raster, 10, 10), 0.5, 1e-5);
            assert_float_equal(face_y_at(s.raster, 6, 6), 0.5, 1e-5);
            assert_float_equal(wall_y_at(s.raster, 6, 10), 3.0, 1e-4);
        }
        tear_down(&s);
    }
}

/* The area that walls carry out of the cell, m²/s: the sum over its faces of covered length times wall velocity. */
static double wall_flux(const pd_raster *r, int i, int j) {
    double left = (1.0 - face_x_at(r, i, j)) * wall_x_at(r, i, j);
    double right = (1.0 - face_x_at(r, i + 1, j)) * wall_x_at(r, i + 1, j);
    double bottom = (1.0 - face_y_at(r, i, j)) * wall_y_at(r, i, j);
    double top = (1.0 - face_y_at(r, i, j + 1)) * wall_y_at(r, i, j + 1);
    return (right - left + top - bottom) * r->grid.cell;
}

/* The flux of an obstacle's walls, summed over the cells with fluid, is 0; otherwise no pressure could make the flow
 * divergence-free. And, by Gauss's theorem for x u, covered length times cell size times wall velocity, summed over its
 * faces, is its area times its velocity. */
static void fluxes_balance(void **state) {
    (void)state;
    pd_vec2 points[3][4] = {{{0, 0}}, {{0, 0}}, {{-0.4f, -0.3f}, {0.4f, -0.2f}, {0.3f, 0.3f}, {-0.2f, 0.1f}}};
    pd_random random = {3};
    pd_obstacle obstacles[3];
    random_obstacles(&random, 0.15f, obstacles, 3, points);
    for (int test = 0; test < 6; test++) {
        pd_obstacle *o = &obstacles[test % 3];
        o->area.center = (pd_vec2){0.02f, -0.03f};
        o->velocity = (pd_vec2){1.7f, 0.6f};
        o->spin = test < 3 ? 0.0f : 150.0f;
        for (int n = 16; n <= 128; n *= 2) {
            setup s = set_up(PD_CONTAINER_CIRCLE, 1.0, o, 1, square(n, 1.0));
            pd_boundary_move_obstacles(s.boundary, 0.02, 0.03);
            pd_raster_update(s.raster, s.boundary);
            double h = s.raster->grid.cell, net = 0.0, total = 0.0, swept = 0.0, area = 0.0;
            for (int j = 0; j < n; j++) {
                for (int i = 0; i < n; i++) {
                    bool inside = hypot(-1 + (i + 0.5) * h, -1 + (j + 0.5) * h) < 1.0 - 2 * h;
                    double flux = wall_flux(s.raster, i, j);
                    if (cell_at(s.raster, i, j) > 0.0f) {
                        net += flux;
                        total += fabs(flux);
                    }
                    swept += (1.0 - face_x_at(s.raster, i, j)) * wall_x_at(s.raster, i, j) * h * h;
                    if (inside) area += (1.0 - cell_at(s.raster, i, j)) * h * h;
                }
            }
            assert_true(total > 0.1);
            assert_true(fabs(net) < 1e-5 * total);
            if (test < 3) assert_float_equal(swept, 1.7 * area, 0.15 * h);
            tear_down(&s);
        }
    }
}

/* An updated raster has the same bits as a new one, for obstacles that are fast, slow, rotating, reversing, inside,
 * leaving and outside the grid; without a wall layer and with one. */
static void updated_rasters_equal_new_ones(void **state) {
    (void)state;
    enum { OBSTACLES = 7 };
    pd_random random = {4};
    pd_obstacle obstacles[OBSTACLES];
    pd_vec2 points[OBSTACLES][4];
    for (int scene = 0; scene < 24; scene++) {
        random_obstacles(&random, 0.02f, obstacles, OBSTACLES, points);
        for (int i = 0; i < OBSTACLES; i++) {
            obstacles[i].turn = between(&random, 0.1f, 0.5f);
            if (i == 2 || i == 4) {
                obstacles[i].spin = 0;
                obstacles[i].velocity = (pd_vec2){0, 0};
            }
            if (i == 5) obstacles[i].velocity.x = 30; /* leaves the grid at once */
            if (i == 6) obstacles[i].area.radius = scene % 4 == 3 ? 5.0f : 0.01f;
        }
        pd_grid grid = {20 + scene % 12, 40 - 2 * (scene % 12), {-1.1, -0.9}, 0.07};
        setup s = set_up((pd_container_shape)(scene % 3), 1.0, obstacles, OBSTACLES, grid);
        double wall_layer_thickness = scene < 12 ? 0 : 0.03; /* m */
        pd_raster_destroy(s.raster);
        s.raster = raster_with_wall_layer(s.boundary, &grid, wall_layer_thickness);
        for (int step = 1; step < 25; step++) {
            pd_boundary_move_obstacles(s.boundary, (step - 1) / 60.0, step / 60.0);
            assert_true(pd_raster_update(s.raster, s.boundary));
            pd_raster *fresh = raster_with_wall_layer(s.boundary, &grid, wall_layer_thickness);
            check_same(s.raster, fresh);
            check_sound(fresh);
            pd_raster_destroy(fresh);
            assert_false(pd_raster_update(s.raster, s.boundary)); /* nothing has moved since */
        }
        tear_down(&s);
    }
    setup s = set_up(PD_CONTAINER_CIRCLE, 1.0, NULL, 0, square(8, 1.0));
    pd_boundary_move_obstacles(s.boundary, 0.0, 0.1);
    assert_false(pd_raster_update(s.raster, s.boundary));
    tear_down(&s);
}

/* Removes some obstacles, changes some in their places and appends others; returns the new number. Some are as wide as
 * cells and lie along them, so that faces are closed which no wall covers. */
static int edit_randomly(pd_random *random, double cell, pd_obstacle *obstacles, int count, int most,
                         pd_vec2 (*points)[4]) {
    int kept = 0;
    for (int i = 0; i < count; i++) {
        float draw = between(random, 0, 1);
        if (draw < 0.1f) continue;
        obstacles[kept] = obstacles[i];
        memmove(points[kept], points[i], sizeof points[i]);
        obstacles[kept].area.points = points[kept];
        if (draw < 0.2f) obstacles[kept].area.center.x += 0.1f;
        if (draw > 0.95f) obstacles[kept].area.radius *= 1.1f;
        kept++;
    }
    for (; kept < most && between(random, 0, 1) < 0.7f; kept++) {
        pd_obstacle *o = &obstacles[kept];
        pd_obstacle three[3];
        pd_vec2 lines[3][4];
        int k = (int)between(random, 0, 2.99f);
        random_obstacles(random, 0.005f, three, 3, lines);
        *o = three[k];
        memcpy(points[kept], lines[k], sizeof lines[k]);
        o->area.points = points[kept];
        if (between(random, 0, 1) < 0.6f) {
            o->velocity = (pd_vec2){0, 0};
            o->spin = 0;
        }
        if (o->area.shape != PD_SHAPE_BOX || between(random, 0, 1) < 0.3f) continue;
        o->area.angle = 0;
        o->spin = 0;
        o->area.size = (pd_vec2){(float)(2 * cell), (float)(between(random, 0, 1) < 0.5f ? 0.1 * cell : 4 * cell)};
        o->area.center.x = (float)(cell * round((double)o->area.center.x / cell));
        o->area.center.y = (float)(cell * round((double)o->area.center.y / cell));
    }
    return kept;
}

/* A raster that is made from the one before an edit has the same bits as a new one, whatever has moved before. */
static void edited_rasters_equal_new_ones(void **state) {
    (void)state;
    enum { MOST = 12, EDITS = 12 };
    pd_random random = {8};
    for (int scene = 0; scene < 24; scene++) {
        pd_obstacle obstacles[MOST];
        pd_vec2 points[MOST][4];
        pd_error error;
        double cell = 0.0625, wall_layer_thickness = scene % 2 ? 0.03 : 0; /* m */
        pd_grid grid = {34, 30 + scene % 5, {-1.0625, -1}, cell};
        int count = edit_randomly(&random, cell, obstacles, 0, MOST, points);
        setup s = set_up((pd_container_shape)(scene % 3), 1.0, obstacles, count, grid);
        pd_raster_destroy(s.raster);
        s.raster = raster_with_wall_layer(s.boundary, &grid, wall_layer_thickness);
        for (int edit = 1; edit <= EDITS; edit++) {
            double now = edit / 60.0;
            pd_boundary_move_obstacles(s.boundary, now - 1 / 60.0, now);
            pd_raster_update(s.raster, s.boundary);
            count = edit_randomly(&random, cell, obstacles, count, MOST, points);
            setup after = set_up((pd_container_shape)(scene % 3), 1.0, obstacles, count, grid);
            pd_raster_destroy(after.raster);
            if (edit % 2) /* as edits do; with the same velocities as before */
                pd_boundary_move_obstacles(after.boundary, now, now);
            else
                pd_boundary_move_obstacles(after.boundary, now - 1 / 60.0, now);
            assert_int_equal(pd_raster_create_after_edit(&after.raster, s.raster, after.boundary, &error), PD_OK);
            pd_raster *fresh = raster_with_wall_layer(after.boundary, &grid, wall_layer_thickness);
            check_same(after.raster, fresh);
            pd_raster_destroy(fresh);
            tear_down(&s);
            s = after;
        }
        tear_down(&s);
    }
}

static void mirrored_scenes(void **state) {
    (void)state;
    enum { N = 30, OBSTACLES = 6 };
    pd_random random = {5};
    pd_obstacle obstacles[OBSTACLES], mirrored[OBSTACLES];
    pd_vec2 points[OBSTACLES][4], mirrored_points[OBSTACLES][4];
    for (int scene = 0; scene < 30; scene++) {
        random_obstacles(&random, 0.03f, obstacles, OBSTACLES, points);
        for (int i = 0; i < OBSTACLES; i++) {
            mirrored[i] = obstacles[i];
            mirrored[i].area.center.x = -obstacles[i].area.center.x;
            mirrored[i].velocity.x = -obstacles[i].velocity.x;
            mirrored[i].area.angle = -obstacles[i].area.angle;
            mirrored[i].spin = -obstacles[i].spin;
            mirrored[i].area.points = mirrored_points[i];
            for (int k = 0; k < 4; k++) mirrored_points[i][k] = (pd_vec2){-points[i][k].x, points[i][k].y};
        }
        setup a = set_up((pd_container_shape)(scene % 3), 1.0, obstacles, OBSTACLES, square(N, 1.0));
        setup b = set_up((pd_container_shape)(scene % 3), 1.0, mirrored, OBSTACLES, square(N, 1.0));
        pd_boundary_move_obstacles(a.boundary, 0.0, 0.1), pd_boundary_move_obstacles(b.boundary, 0.0, 0.1);
        pd_raster_update(a.raster, a.boundary), pd_raster_update(b.raster, b.boundary);
        for (int j = 0; j < N; j++) {
            for (int i = 0; i < N; i++) {
                int k = N - 1 - i;
                double tolerance = 1.01 * PD_RASTER_LEAST;
                assert_float_equal(cell_at(a.raster, i, j), cell_at(b.raster, k, j), 1e-3);
                assert_float_equal(face_x_at(a.raster, i, j), face_x_at(b.raster, k + 1, j), tolerance);
                assert_float_equal(face_y_at(a.raster, i, j), face_y_at(b.raster, k, j), tolerance);
                if (face_x_at(a.raster, i, j) < 0.999f)
                    assert_float_equal(wall_x_at(a.raster, i, j), -wall_x_at(b.raster, k + 1, j), 1e-4);
                if (face_y_at(a.raster, i, j) < 0.999f)
                    assert_float_equal(wall_y_at(a.raster, i, j), wall_y_at(b.raster, k, j), 1e-4);
            }
        }
        tear_down(&a), tear_down(&b);
    }
}

/* Flood fill: marks the cells that are connected to cell (i, j) by open faces and cells; returns their number. */
static int flood(const pd_raster *r, int i, int j, bool *wet) {
    int nx = r->grid.nx, ny = r->grid.ny, top = 0, count = 0, *stack = malloc(sizeof *stack * (size_t)(nx * ny));
    memset(wet, 0, sizeof *wet * (size_t)(nx * ny));
    assert_true(cell_at(r, i, j) > 0.0f);
    assert_non_null(stack);
    wet[i + nx * j] = true;
    stack[top++] = i + nx * j;
    while (top) {
        int k = stack[--top], x = k % nx, y = k / nx;
        const float faces[] = {face_x_at(r, x, y), face_x_at(r, x + 1, y), face_y_at(r, x, y), face_y_at(r, x, y + 1)};
        const int to[] = {x > 0 ? k - 1 : k, x < nx - 1 ? k + 1 : k, y > 0 ? k - nx : k, y < ny - 1 ? k + nx : k};
        count++;
        for (int side = 0; side < 4; side++) {
            if (!(faces[side] > 0.0f) || !(r->cell[to[side]] > 0.0f) || wet[to[side]]) continue;
            wet[to[side]] = true;
            stack[top++] = to[side];
        }
    }
    free(stack);
    return count;
}

static const int resolutions[] = {16, 33, 50, 128};

/* The number of wet cells whose middle is more than 1.5 cells beyond the line through (x, y) with this normal. */
static int wet_beyond(const pd_raster *r, const bool *wet, double x, double y, double nx, double ny) {
    int count = 0;
    for (int k = 0; k < r->grid.nx * r->grid.ny; k++) {
        double cx = r->grid.origin.x + (k % r->grid.nx + 0.5) * r->grid.cell;
        double cy = r->grid.origin.y + ((double)(k / r->grid.nx) + 0.5) * r->grid.cell;
        if (wet[k] && (cx - x) * nx + (cy - y) * ny > 1.5 * r->grid.cell) count++;
    }
    return count;
}

/* The two sides of a thin box or line from wall to wall, at any angle, are not connected; with a gap in it they are. */
static void straight_walls_are_tight(void **state) {
    (void)state;
    static bool wet[128 * 128];
    for (int n = 0; n < COUNT(resolutions); n++) {
        for (int test = 0; test < 144; test++) {
            double angle = test / 6 * 7.5, x = 0.01 * (test % 7), y = 0.013 * (test % 5), c = cos(angle * pi / 180),
                   sine = sin(angle * pi / 180);
            pd_vec2 ends[] = {{(float)(-1.6 * c), (float)(-1.6 * sine)}, {(float)(1.6 * c), (float)(1.6 * sine)}};
            pd_obstacle wall = {.area.shape = test % 2 ? PD_SHAPE_BOX : PD_SHAPE_POLYLINE,
                                .area.center = {(float)x, (float)y},
                                .area.size = {3.2f, 1e-4f},
                                .area.points = ends,
                                .area.point_count = 2};
            if (test % 2) wall.area.angle = (float)angle;
            setup s =
                set_up(test % 3 ? PD_CONTAINER_CIRCLE : PD_CONTAINER_BOX, 1.0, &wall, 1, square(resolutions[n], 1.0));
            int i = (int)((x + 0.5 * sine + 1) / s.raster->grid.cell),
                j = (int)((y - 0.5 * c + 1) / s.raster->grid.cell);
            assert_true(flood(s.raster, i, j, wet) > resolutions[n] * resolutions[n] / 5);
            assert_int_equal(wet_beyond(s.raster, wet, x, y, -sine, c), 0);
            check_sound(s.raster);
            tear_down(&s);
        }
        pd_vec2 ends[] = {{-1.6f, -1}, {-0.3f, -0.1f}};
        pd_obstacle wall = {.area.shape = PD_SHAPE_POLYLINE, .area.points = ends, .area.point_count = 2};
        setup s = set_up(PD_CONTAINER_BOX, 1.0, &wall, 1, square(resolutions[n], 1.0));
        flood(s.raster, resolutions[n] / 2, 1, wet);
        assert_true(wet_beyond(s.raster, wet, 0, 0, 0, 1) > 0);
        tear_down(&s);
    }
}

/* Closed thin polylines, rotated and displaced: inside and outside are not connected. */
static void rings_are_tight(void **state) {
    (void)state;
    static bool wet[128 * 128];
    for (int n = 0; n < COUNT(resolutions); n++) {
        for (int test = 0; test < 60; test++) {
            pd_vec2 points[25];
            static const int counts[] = {5, 11, 25}; /* a square, a star, nearly a circle */
            int count = counts[test % 3];
            for (int k = 0; k < count; k++) {
                double r = count == 11 && k % 2 ? 0.45 : 0.7,
                       angle = 2 * pi * (k % (count - 1)) / (count - 1) + 0.11 * test;
                points[k] = (pd_vec2){(float)(r * cos(angle)), (float)(r * sin(angle))};
            }
            pd_obstacle ring = {.area.shape = PD_SHAPE_POLYLINE,
                                .area.center = {0.01f * (float)(test % 7), -0.02f},
                                .area.points = points,
                                .area.point_count = count,
                                .area.thickness = 1e-6f};
            if (test % 3 == 0 && test < 9) /* aligned with the grid */
                memcpy(points, (pd_vec2[]){{-0.5f, -0.5f}, {0.5f, -0.5f}, {0.5f, 0.5f}, {-0.5f, 0.5f}, {-0.5f, -0.5f}},
                       5 * sizeof *points);
            ring.spin = 40;
            setup s = set_up(PD_CONTAINER_BOX, 1.0, &ring, 1, square(resolutions[n], 1.0));
            pd_boundary_move_obstacles(s.boundary, 0.0, 0.1 * test);
            pd_raster_update(s.raster, s.boundary);
            int middle = resolutions[n] / 2, inside = flood(s.raster, middle, middle, wet);
            assert_in_range(inside, resolutions[n] * resolutions[n] / 25, resolutions[n] * resolutions[n] / 2);
            assert_false(wet[0] || wet[resolutions[n] - 1]);
            tear_down(&s);
        }
    }
}

/* A room of four thin boxes that overlap at its corners, rotated and displaced as a whole. */
static void rooms_are_tight(void **state) {
    (void)state;
    static bool wet[128 * 128];
    for (int n = 0; n < COUNT(resolutions); n++) {
        for (int test = 0; test < 96; test++) {
            pd_obstacle walls[4];
            double turn = test / 4 * 3.75 * pi / 180, x = 0.017 * (test % 9), y = 0.011 * (test % 4), half = 0.5;
            float thick = test % 2 ? 0.01f : 0.05f;
            for (int k = 0; k < 4; k++) {
                double angle = turn + k * pi / 2;
                walls[k] = (pd_obstacle){.area.shape = PD_SHAPE_BOX, .area.size = {(float)(2 * half) + thick, thick}};
                walls[k].area.center = (pd_vec2){(float)(x + half * sin(angle)), (float)(y - half * cos(angle))};
                walls[k].area.angle = (float)(angle * 180 / pi);
            }
            setup s = set_up(PD_CONTAINER_BOX, 1.0, walls, 4, square(resolutions[n], 1.0));
            int i = (int)((x + 1) / s.raster->grid.cell), j = (int)((y + 1) / s.raster->grid.cell);
            int inside = flood(s.raster, i, j, wet);
            assert_in_range(inside, resolutions[n] * resolutions[n] / 8, resolutions[n] * resolutions[n] / 3);
            assert_false(wet[0]);
            tear_down(&s);
        }
    }
}

TEST_GROUP(raster_moving) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walls_move_rigidly),
        cmocka_unit_test(wall_velocities_are_means),
        cmocka_unit_test(rounding_does_not_open_faces),
        cmocka_unit_test(fluxes_balance),
        cmocka_unit_test(updated_rasters_equal_new_ones),
        cmocka_unit_test(edited_rasters_equal_new_ones),
        cmocka_unit_test(mirrored_scenes),
        cmocka_unit_test(straight_walls_are_tight),
        cmocka_unit_test(rings_are_tight),
        cmocka_unit_test(rooms_are_tight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
