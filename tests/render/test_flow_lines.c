/* Streamlines and arrows against flows that are known exactly, and how calm they stay when the flow changes. */
#include "fake_view.h"
#include "graphics.h"
#include "render/lines/flow_lines.h"

enum { WIDTH = 640, HEIGHT = 480, CELLS = 128 };

typedef pd_vec2 velocity_at(float x, float y);

static fake_view *fake;
static pd_field fields[2];
static pd_picture picture;
static pd_camera camera;
static pd_flow flow;
static pd_streamlines streamlines;
static float along_x[CELLS * CELLS], along_y[CELLS * CELLS];
static float moved; /* how far the unsteady flows below have come, m */
static uint8_t rgb[WIDTH * HEIGHT * 3], before[WIDTH * HEIGHT * 3];
static const pd_view_mode empty = {"nothing", PD_VIEW_IMAGE, "nothing"};

static int open_graphics(void **state) {
    (void)state;
    return create_graphics(2 * WIDTH, 2 * HEIGHT);
}

/* A box of 2 m x 2 m. */
static int set_up(void **state) {
    (void)state;
    fake = fake_view_create(0);
    fake_view_box(fake, 2, 2);
    fake->list[0] = &fields[0], fake->list[1] = &fields[1];
    fake->view.field_count = 2;
    moved = 0;
    picture = (pd_picture){.view = &fake->view,
                           .mode = &empty,
                           .lines = PD_LINES_STREAMLINES,
                           .alpha = 1,
                           .width = WIDTH,
                           .height = HEIGHT,
                           .scale = 1};
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    pd_streamlines_free(&streamlines);
    pd_flow_free(&flow);
    free(fake);
    return 0;
}

static void fill(int cells, velocity_at *velocity) {
    float cell = 2 / (float)cells;
    for (int j = 0; j < cells; j++)
        for (int i = 0; i < cells; i++) {
            pd_vec2 v = velocity(((float)i + 0.5f) * cell - 1, ((float)j + 0.5f) * cell - 1);
            along_x[j * cells + i] = v.x;
            along_y[j * cells + i] = v.y;
        }
    for (int k = 0; k < 2; k++)
        fields[k] = (pd_field){.info = {k ? "velocity_y" : "velocity_x", "velocity", "m/s", PD_FIELD_OF_CELLS},
                               .values = k ? along_y : along_x,
                               .low = -1,
                               .high = 1,
                               .layers = 1,
                               .nx = cells,
                               .ny = cells,
                               .origin = {-1, -1},
                               .cell = cell};
}

/* The lines of the flow, as in a picture. */
static void follow_lines(bool anew) {
    pd_camera_fit_view(&camera, &fake->view, picture.width, picture.height);
    assert_true(pd_flow_sample_velocities(&flow, &picture, &camera));
    pd_streamlines_update(&streamlines, &flow, (float)picture.width / picture.scale,
                          (float)picture.height / picture.scale, anew);
}

static void draw(void) {
    pd_renderer_draw(renderer, canvas.framebuffer, &picture);
    read_pixels(WIDTH, HEIGHT, rgb);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    pd_camera_fit_view(&camera, &fake->view, picture.width, picture.height);
}

static pd_vec2 world_of(const pd_stream_point *p) {
    return pd_camera_pixels_to_world(&camera, p->x * picture.scale, p->y * picture.scale);
}

static float units(float metres) { return metres * camera.pixels_per_metre / picture.scale; }

static pd_vec2 rotation(float x, float y) { return (pd_vec2){-0.6f * y, 0.6f * x}; }
static pd_vec2 cells_of_four(float x, float y) { /* Taylor-Green */
    return (pd_vec2){sinf(3.14159265f * x) * cosf(3.14159265f * y), -cosf(3.14159265f * x) * sinf(3.14159265f * y)};
}
static pd_vec2 around_cylinder(float x, float y) { /* potential flow, radius 0.3 */
    float r2 = x * x + y * y, k = 0.09f / (r2 * r2);
    if (r2 < 0.09f) return (pd_vec2){NAN, NAN};
    return (pd_vec2){0.5f * (1 - k * (x * x - y * y)), -k * x * y};
}
static pd_vec2 stagnation(float x, float y) { return (pd_vec2){0.7f * x, -0.7f * y}; }
static pd_vec2 rest(float x, float y) { return (pd_vec2){0 * x, 0 * y}; }
static pd_vec2 nothing(float x, float y) { return (pd_vec2){NAN + x, NAN + y}; }
static pd_vec2 slanted(float x, float y) { return (pd_vec2){0.8f + 0 * x, 0.6f + 0 * y}; }
static pd_vec2 half_slow(float x, float y) { return (pd_vec2){0, x < 0 * y ? 0.009f : 0.5f}; }
static pd_vec2 half_solid(float x, float y) { return (pd_vec2){0.5f, x < 0 * y ? NAN : 0}; }
static pd_vec2 wandering(float x, float y) { /* vortices that move */
    pd_vec2 v = {0, 0};
    for (int k = 0; k < 4; k++) {
        float dx = x - 0.6f * cosf(1.6f * (float)k + moved), dy = y - 0.5f * sinf(1.6f * (float)k + moved);
        float strength = (k % 2 ? -6.f : 6.f) * expf(-9 * (dx * dx + dy * dy));
        v.x -= strength * dy, v.y += strength * dx;
    }
    return v;
}

static void lines_of_a_rotation_are_closed_circles(void **state) {
    (void)state;
    for (int cells = 16; cells <= CELLS; cells *= 2) {
        fill(cells, rotation);
        follow_lines(true);
        int closed = 0;
        assert_true(streamlines.line_count > 8);
        for (int i = 0; i < streamlines.line_count; i++) {
            const pd_streamline *line = &streamlines.lines[i];
            const pd_stream_point *p = &streamlines.points[line->first];
            pd_vec2 first = world_of(&p[0]), last = world_of(&p[line->count - 1]);
            float radius = hypotf(first.x, first.y);
            closed += line->closed;
            if (radius > 1 - 1 / (float)cells) continue; /* beyond the centres of the cells there is no rotation */
            assert_true(line->closed);
            if (line->closed) assert_true(first.x == last.x && first.y == last.y);
            for (int k = 0; k < line->count; k++) {
                pd_vec2 place = world_of(&p[k]);
                assert_true(units(fabsf(hypotf(place.x, place.y) - radius)) < 0.3f);
            }
        }
        assert_true(closed > 6);
    }
}

/* No line is nearer to another, or to a distant part of itself, than a line may be; and no place is far from all. */
static void expect_even_spacing(float farthest) {
    for (int i = 0; i < streamlines.line_count; i++)
        for (int j = 0; j <= i; j++) {
            const pd_streamline *a = &streamlines.lines[i], *b = &streamlines.lines[j];
            for (int k = 0; k < a->count; k++)
                for (int l = 0; l < b->count; l++) {
                    const pd_stream_point *p = &streamlines.points[a->first + k];
                    const pd_stream_point *q = &streamlines.points[b->first + l];
                    float apart = fabsf(p->distance_along - q->distance_along);
                    if (i == j && (apart < 30 || (a->closed && apart > a->ahead - 30))) continue;
                    assert_true(hypotf(p->x - q->x, p->y - q->y) >= PD_STREAM_END_DISTANCE - 0.5f);
                }
        }
    for (float x = -0.9f; x < 0.9f; x += 0.05f)
        for (float y = -0.9f; y < 0.9f; y += 0.05f) {
            float nearest = 1e9f;
            for (int k = 0; k < streamlines.point_count; k++) {
                pd_vec2 place = world_of(&streamlines.points[k]);
                nearest = fminf(nearest, units(hypotf(place.x - x, place.y - y)));
            }
            assert_true(nearest < farthest);
        }
}

static void lines_are_evenly_spaced(void **state) {
    (void)state;
    velocity_at *flows[] = {rotation, cells_of_four, stagnation, slanted, wandering};
    for (size_t i = 0; i < sizeof flows / sizeof flows[0]; i++) {
        fill(64, flows[i]);
        follow_lines(true);
        expect_even_spacing(1.9f * PD_STREAM_SEPARATION);
    }
}

/* The stream function is constant along a line. */
static void lines_follow_the_flow(void **state) {
    (void)state;
    fill(CELLS, cells_of_four);
    follow_lines(true);
    assert_true(streamlines.line_count > 20);
    for (int i = 0; i < streamlines.line_count; i++) {
        const pd_streamline *line = &streamlines.lines[i];
        float low = 1e9f, high = -1e9f;
        for (int k = 0; k < line->count; k++) {
            pd_vec2 place = world_of(&streamlines.points[line->first + k]);
            float value = sinf(3.14159265f * place.x) * sinf(3.14159265f * place.y);
            low = fminf(low, value), high = fmaxf(high, value);
        }
        assert_true(high - low < 0.01f);
        for (int k = 1; k < line->count; k++) { /* downstream */
            const pd_stream_point *p = &streamlines.points[line->first + k];
            float v[2] = {0, 0};
            pd_flow_interpolate(&flow, p->x, p->y, v);
            assert_true((p->x - p[-1].x) * v[0] + (p->y - p[-1].y) * v[1] > 0);
            assert_true(p->time > p[-1].time && p->distance_along > p[-1].distance_along);
        }
    }
}

static void lines_end_where_there_is_no_fluid(void **state) {
    (void)state;
    fill(64, around_cylinder);
    follow_lines(true);
    int beside = 0;
    for (int k = 0; k < streamlines.point_count; k++) {
        pd_vec2 place = world_of(&streamlines.points[k]);
        float distance = hypotf(place.x, place.y) - 0.3f;
        assert_true(distance > -0.75f * fields[0].cell);
        assert_true(fabsf(place.x) < 1.001f && fabsf(place.y) < 1.001f);
        beside += distance < 0.08f;
    }
    assert_true(beside > 10); /* they lead closely around it */
    velocity_at *still[] = {rest, nothing};
    for (int i = 0; i < 2; i++) {
        fill(64, still[i]);
        follow_lines(true);
        assert_int_equal(streamlines.line_count, 0);
    }
}

/* At 200 % a picture has the same lines. */
static pd_vec2 level(float x, float y) { return (pd_vec2){0.5f + 0 * x, 0 * y}; }

/* Along a wall that the fluid slides on, a line would look like a part of the wall. */
static void no_line_runs_along_a_wall(void **state) {
    (void)state;
    for (int width = 0; width < 30; width++) { /* places where lines begin lie differently to the walls */
        fake_view_box(fake, 2 + 0.01f * (float)width, 2 + 0.01f * (float)width);
        fill(CELLS, level);
        follow_lines(true);
        assert_true(streamlines.line_count > 10);
        for (int k = 0; k < streamlines.point_count; k++)
            assert_true(units(1 - fabsf(world_of(&streamlines.points[k]).y)) > 5);
    }
}

static void lines_follow_the_scale_of_the_interface(void **state) {
    (void)state;
    static pd_stream_point kept[1 << 16];
    fill(64, cells_of_four);
    follow_lines(true);
    int count = streamlines.point_count;
    memcpy(kept, streamlines.points, (size_t)count * sizeof *kept);
    picture.width *= 2, picture.height *= 2, picture.scale = 2;
    follow_lines(true);
    assert_int_equal(streamlines.point_count, count);
    for (int k = 0; k < count; k++)
        assert_true(hypotf(kept[k].x - streamlines.points[k].x, kept[k].y - streamlines.points[k].y) < 0.5f);
}

static long long changed_light(void) {
    long long sum = 0;
    for (int i = 0; i < WIDTH * HEIGHT * 3; i++) sum += abs(rgb[i] - before[i]);
    return sum;
}

static int changed_pixels(void) {
    int count = 0;
    for (int i = 0; i < WIDTH * HEIGHT * 3; i += 3)
        count += abs(rgb[i] - before[i]) + abs(rgb[i + 1] - before[i + 1]) + abs(rgb[i + 2] - before[i + 2]) > 150;
    return count;
}

/* In an unsteady flow lines go on from picture to picture; chosen anew in each they would flicker. */
static void lines_are_calm(void **state) {
    (void)state;
    double born = 0, lost = 0;
    for (int k = 0; k < 60; k++) {
        int count = streamlines.line_count;
        moved = 0.004f * (float)k;
        fill(64, wandering);
        follow_lines(k == 0);
        for (int i = 0; k && i < streamlines.line_count; i++) {
            const pd_streamline *line = &streamlines.lines[i];
            if (i >= count - 8 && line->opacity < 0.1f) born++; /* nothing appears or disappears at once */
        }
        if (k) lost += fmax(count - streamlines.line_count, 0);
        if (k > 1) assert_true(abs(streamlines.line_count - count) < 10);
    }
    assert_true(born > 0 && lost > 0);
    /* The same in pictures: pixels that change much in one, with lines that go on and with new ones. */
    int jumps[2] = {0}, drawn = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < 45; k++) {
            moved = 0.001f * (float)k;                   /* a tenth of a pixel in each */
            fake->view.time = (pass ? -1e-6 : 1e-6) * k; /* time that goes back makes all lines new */
            fill(64, wandering);
            draw();
            if (k > 4) jumps[pass] += changed_pixels();
            memcpy(before, rgb, sizeof rgb);
        }
    picture.lines = PD_LINES_NONE;
    draw();
    drawn = changed_pixels();
    print_message("of %d pixels of lines %.2f change much in a picture; chosen anew %.2f\n", drawn, jumps[0] / 40.,
                  jumps[1] / 40.);
    assert_true(5 * jumps[0] < jumps[1]);
}

static void the_same_flow_twice_is_the_same_picture(void **state) {
    (void)state;
    for (int lines = PD_LINES_STREAMLINES; lines <= PD_LINES_ARROWS; lines++) {
        picture.lines = (pd_view_lines)lines;
        fill(64, cells_of_four);
        draw();
        memcpy(before, rgb, sizeof rgb);
        draw();
        assert_memory_equal(rgb, before, sizeof rgb);
        picture.width = 320, picture.height = 240; /* a picture of another size in between, as of a recording */
        pd_renderer_draw(renderer, canvas.framebuffer, &picture);
        picture.width = WIDTH, picture.height = HEIGHT;
        draw();
        assert_memory_equal(rgb, before, sizeof rgb);
    }
}

/* How much brighter than the ground a place is; rgb: with lines, before: without. */
static float bright_at(float x, float y) {
    int i = ((int)y * WIDTH + (int)x) * 3;
    return fmaxf((float)(rgb[i] + rgb[i + 1] + rgb[i + 2] - before[i] - before[i + 1] - before[i + 2]), 0);
}

static void draw_arrows(velocity_at *velocity) {
    fill(64, velocity);
    picture.lines = PD_LINES_NONE;
    draw();
    memcpy(before, rgb, sizeof rgb);
    picture.lines = PD_LINES_ARROWS;
    draw();
}

/* Arrows lie along the flow, with the middle at a point of the lattice, and their heads downstream: the half with the head
 * is the brighter one. */
static void arrows_point_along_the_flow(void **state) {
    (void)state;
    draw_arrows(slanted);
    int found = 0;
    for (int row = -5; row <= 5; row++)
        for (int column = -5; column <= 5; column++) {
            float x = 0.5f * WIDTH + 28 * (float)column, y = 0.5f * HEIGHT + 28 * (float)row;
            float ahead = 0, back = 0, aside = 0, off = 0;
            for (int j = -13; j <= 13; j++)
                for (int i = -13; i <= 13; i++) {
                    float light = bright_at(x + (float)i, y + (float)j);
                    float along = 0.8f * ((float)i + 0.5f) - 0.6f * ((float)j + 0.5f);
                    float across = 0.6f * ((float)i + 0.5f) + 0.8f * ((float)j + 0.5f);
                    if (along > 0)
                        ahead += light;
                    else
                        back += light;
                    aside += light * across;
                    if (fabsf(across) > 4) off += light;
                }
            assert_true(ahead > 1.5f * back && back > 0);
            assert_true(fabsf(aside) < 0.35f * (ahead + back) && off == 0);
            found++;
        }
    assert_int_equal(found, 121);
}

static void arrows_are_where_the_fluid_moves(void **state) {
    (void)state;
    velocity_at *half[] = {half_slow, half_solid};
    for (int i = 0; i < 2; i++) {
        draw_arrows(half[i]);
        float left = 0, right = 0;
        for (int y = 20; y < HEIGHT - 20; y++)
            for (int x = 20; x < WIDTH - 20; x++)
                if (x < WIDTH / 2 - 15)
                    left += bright_at((float)x, (float)y);
                else
                    right += bright_at((float)x, (float)y);
        assert_true(left == 0 && right > 10000);
    }
}

static bool everywhere(float x, float y) { return fabsf(x) < 0.97f && fabsf(y) < 0.97f; }

/* Over particles too; and nothing is drawn without a velocity field. */
static void lines_are_drawn_over_any_view(void **state) {
    (void)state;
    fake->view.spacing = 0.05f;
    fake_view_fill(fake, everywhere, 0);
    for (int mode = SURFACE; mode <= SPRITES; mode++)
        for (int lines = PD_LINES_STREAMLINES; lines <= PD_LINES_ARROWS; lines++) {
            picture.mode = &fake_modes[mode];
            fill(64, cells_of_four);
            picture.lines = PD_LINES_NONE;
            draw();
            memcpy(before, rgb, sizeof rgb);
            picture.lines = (pd_view_lines)lines;
            assert_true(pd_lines_can_be_drawn(&fake->view, picture.mode, picture.lines));
            draw();
            assert_true(changed_light() > 400000);
            fields[1].info.name = "other";
            assert_false(pd_lines_can_be_drawn(&fake->view, picture.mode, picture.lines));
            draw();
            assert_memory_equal(rgb, before, sizeof rgb);
        }
}

/* Lines change the light of many pixels by more than a third of its range, on the dark ground and on a white dye, on
 * which only their halo is seen. */
static void lines_are_seen_on_white(void **state) {
    (void)state;
    static const pd_view_mode dyes = {"smoke", PD_VIEW_DYES, "smoke"};
    static pd_field all[3];
    static float amount[CELLS * CELLS];
    fake->materials[0] = (pd_material){.name = "white", .red = 0xff, .green = 0xff, .blue = 0xff, .mass = 1};
    picture.mode = &dyes;
    for (int white = 0; white < 2; white++)
        for (int lines = PD_LINES_STREAMLINES; lines <= PD_LINES_ARROWS; lines++) {
            fill(64, cells_of_four);
            for (int k = 0; k < 64 * 64; k++) amount[k] = (float)white;
            all[0] = fields[0], all[1] = fields[1];
            all[2] = fields[0];
            all[2].info = (pd_field_info){"smoke", "smoke", "", PD_FIELD_OF_CELLS};
            all[2].values = amount;
            all[2].low = 0;
            for (int k = 0; k < 3; k++) fake->list[k] = &all[k];
            fake->view.field_count = 3;
            picture.lines = PD_LINES_NONE;
            draw();
            memcpy(before, rgb, sizeof rgb);
            picture.lines = (pd_view_lines)lines;
            draw();
            int seen = 0;
            for (int i = 0; i < WIDTH * HEIGHT * 3; i += 3)
                seen += abs(rgb[i] + rgb[i + 1] + rgb[i + 2] - before[i] - before[i + 1] - before[i + 2]) > 260;
            print_message("%s, %s: %d pixels\n", white ? "white" : "ground", pd_lines_name(picture.lines), seen);
            assert_true(seen > 1500);
        }
}

static pd_vec2 rounding(float x, float y) { return (pd_vec2){1e-5f * sinf(9 * y), 2e-5f * cosf(7 * x)}; }

/* The legend's range follows the greatest speed, but a fluid at rest has neither streamlines nor arrows. */
static void fluid_at_rest_has_no_lines(void **state) {
    (void)state;
    for (int lines = PD_LINES_STREAMLINES; lines <= PD_LINES_ARROWS; lines++) {
        fill(64, rounding);
        for (int k = 0; k < 2; k++) fields[k].low = -2e-5f, fields[k].high = 2e-5f;
        picture.lines = PD_LINES_NONE;
        draw();
        memcpy(before, rgb, sizeof rgb);
        picture.lines = (pd_view_lines)lines;
        draw();
        assert_memory_equal(rgb, before, sizeof rgb);
    }
}

static void odd_fields_do_no_harm(void **state) {
    (void)state;
    velocity_at *flows[] = {rest, nothing, cells_of_four, around_cylinder};
    const float cells[] = {1e-9f, 1e9f, 0, -1, NAN, INFINITY, 0.03f, 1e-4f};
    const int sizes[][2] = {{1, 1}, {1, 128}, {128, 1}, {0, 5}, {-1, -1}, {100, 100}};
    for (size_t i = 0; i < sizeof flows / sizeof flows[0]; i++)
        for (size_t k = 0; k < sizeof cells / sizeof cells[0]; k++)
            for (size_t l = 0; l < sizeof sizes / sizeof sizes[0]; l++) {
                fill(CELLS, flows[i]);
                for (int f = 0; f < 2; f++) {
                    fields[f].cell = cells[k];
                    fields[f].nx = sizes[l][0], fields[f].ny = sizes[l][1];
                    fields[f].low = l % 2 ? NAN : -1, fields[f].high = l % 3 ? INFINITY : 1;
                    if (k == 6) along_x[7] = INFINITY, along_y[9] = -3e38f, along_x[11] = 3e38f;
                }
                picture.lines = l % 2 ? PD_LINES_STREAMLINES : PD_LINES_ARROWS;
                draw();
            }
    fill(64, rotation);
    fields[0].values = NULL; /* there was no memory for them */
    draw();
    fill(64, rotation);
    fields[1].nx = 32; /* another grid */
    draw();
    fill(64, rotation);
    fields[0].origin.x = NAN;
    draw();
}

TEST_GROUP(flow_lines) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(lines_of_a_rotation_are_closed_circles),
        TEST(lines_are_evenly_spaced),
        TEST(lines_follow_the_flow),
        TEST(lines_end_where_there_is_no_fluid),
        TEST(no_line_runs_along_a_wall),
        TEST(lines_follow_the_scale_of_the_interface),
        TEST(lines_are_calm),
        TEST(the_same_flow_twice_is_the_same_picture),
        TEST(arrows_point_along_the_flow),
        TEST(arrows_are_where_the_fluid_moves),
        TEST(lines_are_drawn_over_any_view),
        TEST(lines_are_seen_on_white),
        TEST(fluid_at_rest_has_no_lines),
        TEST(odd_fields_do_no_harm),
    };
    return cmocka_run_group_tests(tests, open_graphics, close_graphics);
}
