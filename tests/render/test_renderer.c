/* Pictures drawn without a window: tests check what is in them, and compare none with stored ones. */
#include "particle_picture.h"
#include "render/palette.h"

static uint8_t before[WIDTH * HEIGHT * 3];

/* Distance from the limit of the centres of particles to the drawn wall, which is at the edge of the fluid, m. */
static float wall_offset(void) { return 0.5f * fake->view.spacing; }

static void a_circle_is_a_bright_ring_on_dark_ground(void **state) {
    (void)state;
    draw();
    for (int i = 0; i < 360; i++) {
        float x = cosf((float)i / 57.29578f), y = sinf((float)i / 57.29578f), r = 1 + wall_offset();
        assert_true(brightest(r * x, r * y, 2) > 300);
        assert_true(is_ground(at(0.9f * x, 0.9f * y)));
    }
    assert_true(is_ground(pixel(3, 3)) && is_ground(pixel(WIDTH - 3, HEIGHT - 3)) && is_ground(at(0, 0)));
    assert_true(brightness(at(0, 0)) > brightness(pixel(3, 3))); /* lighter inside */
}

static void a_box_has_four_lines_and_nothing_has_none(void **state) {
    (void)state;
    fake_view_box(fake, 2, 1);
    draw();
    for (float t = -0.95f; t < 1; t += 0.1f) {
        float x = 1 + wall_offset(), y = 0.5f + wall_offset();
        assert_true(brightest(t, y, 2) > 300 && brightest(t, -y, 2) > 300);
        assert_true(brightest(x, 0.5f * t, 2) > 300 && brightest(-x, 0.5f * t, 2) > 300);
    }
    assert_true(is_ground(at(0.9f, 0.4f)));
    fake->view.container.shape = PD_CONTAINER_NONE;
    draw();
    for (int i = 0; i < WIDTH * HEIGHT; i++) assert_true(is_ground(&rgb[3 * i]));
}

static void three_colours_are_there(void **state) {
    (void)state;
    fake_view_fill(fake, half, -1);
    for (int mode = SURFACE; mode <= SPRITES; mode++) {
        picture.mode = &fake_modes[mode];
        draw();
        int blue = 0, rose = 0, gold = 0;
        for (int i = 0; i < WIDTH * HEIGHT; i++) {
            const uint8_t *p = &rgb[3 * i];
            blue += p[2] > 150 && p[0] < 110;
            rose += p[0] > 150 && p[1] < 110 && p[2] < 170;
            gold += p[0] > 150 && p[1] > 120 && p[2] < 110;
        }
        assert_true(blue > 4000 && rose > 4000 && gold > 4000);
        assert_true(is_ground(at(0, 0.5f)));
    }
}

static bool lower_inside(float x, float y) { return x * x + y * y < 0.97f * 0.97f && y < 0; }

/* The centres of particles end before the wall, but the fluid's surface must reach it. */
static void fluid_reaches_the_wall(void **state) {
    (void)state;
    fake_view_fill(fake, lower_inside, 2);
    for (float angle = 3.15f; angle < 6.28f; angle += fake->view.spacing)
        fake_view_add(fake, 0.99f * cosf(angle), 0.99f * sinf(angle), 2);
    draw();
    for (float angle = 3.3f; angle < 6.1f; angle += 0.01f)
        for (float r = 0.80f; r < 1.0f; r += 0.004f)
            assert_true(brightness(at(r * cosf(angle), r * sinf(angle))) > 230);
    /* and ends at it */
    for (float angle = 3.3f; angle < 6.1f; angle += 0.01f)
        assert_true(brightness(at(1.07f * cosf(angle), 1.07f * sinf(angle))) < 230);
}

static void a_thin_film_on_the_wall_is_closed(void **state) {
    (void)state;
    for (float angle = 2; angle < 4; angle += fake->view.spacing) /* one layer, half a spacing inside */
        fake_view_add(fake, (1 - 0.5f * fake->view.spacing) * cosf(angle),
                      (1 - 0.5f * fake->view.spacing) * sinf(angle), 2);
    draw();
    for (float angle = 2.1f; angle < 3.9f; angle += 0.01f)
        for (float r = 0.985f; r < 1.0f; r += 0.003f)
            assert_true(brightness(at(r * cosf(angle), r * sinf(angle))) > 230);
}

/* Of a liquid that is a bubble, tracers are only carried apart there. */
static void gaps_between_tracers_are_closed(void **state) {
    (void)state;
    float gap = 1.5f * fake->view.spacing;
    fake_view_fill(fake, everywhere, 2);
    int kept = 0;
    for (int i = 0; i < fake->view.count; i++) {
        if (hypotf(fake->x[i], fake->y[i]) < gap) continue;
        fake->x[kept] = fake->x[i];
        fake->y[kept] = fake->y[i];
        kept++;
    }
    fake->view.count = kept;
    draw();
    int bubble = brightness(at(0, 0));
    fake->view.particles_are_tracers = true;
    draw();
    assert_true(bubble < 200 && brightness(at(0, 0)) > 300);
}

static void a_body_is_even_and_its_edge_is_shaded(void **state) {
    (void)state;
    fake_view_fill(fake, disc, 0);
    for (int i = fake->view.count - 1; i > 0; i -= 3) { /* fewer in the middle, as in stretched fluid */
        if (hypotf(fake->x[i], fake->y[i]) > 0.12f) continue;
        fake->view.count--;
        fake->x[i] = fake->x[fake->view.count], fake->y[i] = fake->y[fake->view.count];
    }
    draw();
    int low = 765, high = 0, lit = 0, shaded = 0;
    for (float y = -0.25f; y < 0.25f; y += 0.01f)
        for (float x = -0.25f; x < 0.25f; x += 0.01f) {
            if (x * x + y * y > 0.06f) continue;
            int now = brightness(at(x, y));
            if (now < low) low = now;
            if (now > high) high = now;
        }
    assert_true(high - low < 45);
    for (float r = 0.37f; r < 0.405f; r += 0.0025f) {
        lit += brightness(at(-0.7071f * r, 0.7071f * r));
        shaded += brightness(at(0.7071f * r, -0.7071f * r));
    }
    assert_true(lit > 15 * (high + 10));
    assert_true(10 * lit > 11 * shaded);
}

static void a_single_particle_is_a_droplet_of_constant_size(void **state) {
    (void)state;
    int smallest = WIDTH * HEIGHT, largest = 0;
    for (int k = 0; k < 40; k++) {
        fake->view.count = 0;
        fake_view_add(fake, 0.0037f * (float)k, 0.3f - 0.0051f * (float)k, 2);
        draw();
        int covered = 0;
        for (int y = 100; y < 300; y++)
            for (int x = 220; x < 420; x++) covered += brightness(pixel(x, y)) > 250;
        if (covered < smallest) smallest = covered;
        if (covered > largest) largest = covered;
    }
    assert_true(smallest >= 12);
    assert_true(largest <= smallest * 5 / 4 + 8);
}

static void edges_are_smooth(void **state) {
    (void)state;
    fake_view_fill(fake, disc, 2);
    for (int mode = SURFACE; mode <= SPRITES; mode++) {
        picture.mode = &fake_modes[mode];
        draw();
        int between = 0; /* neither fluid nor ground */
        for (int y = 0; y < HEIGHT; y++)
            for (int x = WIDTH / 2 - 110; x < WIDTH / 2 + 110; x++) {
                int now = brightness(pixel(x, y));
                between += y > HEIGHT / 2 - 110 && y < HEIGHT / 2 + 110 && now > 150 && now < 330;
            }
        assert_true(between > 100);
    }
}

static void sprites_are_round(void **state) {
    (void)state;
    fake->view.spacing = 0.4f;
    fake_view_add(fake, 0, 0, 2);
    picture.mode = &fake_modes[SPRITES];
    draw();
    double area = 0;
    int left = WIDTH, right = 0, top = HEIGHT, bottom = 0;
    for (int y = 100; y < 380; y++)
        for (int x = 180; x < 460; x++)
            if (brightness(pixel(x, y)) > 250) {
                area++;
                if (x < left) left = x;
                if (x > right) right = x;
                if (y < top) top = y;
                if (y > bottom) bottom = y;
            }
    assert_true(abs((right - left) - (bottom - top)) <= 2);
    double radius = 0.25 * (right - left + bottom - top + 2);
    assert_true(radius > 20);
    assert_true(fabs(area / (3.14159265 * radius * radius) - 1) < 0.05);
}

static void pictures_are_interpolated_between_steps(void **state) {
    (void)state;
    fake_view_add(fake, 0.5f, 0.3f, 2);
    fake->previous_x[0] = -0.5f;
    for (int mode = SURFACE; mode <= SPRITES; mode++) {
        picture.mode = &fake_modes[mode];
        for (int k = 0; k <= 4; k++) {
            picture.alpha = 0.25f * (float)k;
            draw();
            assert_true(brightness(at(-0.5f + picture.alpha, 0.3f)) > 250);
            assert_true(is_ground(at(-0.5f + picture.alpha + (k < 4 ? 0.25f : -0.25f), 0.3f)));
        }
    }
}

/* A polygon is filled to its outline and no farther, also where that turns inwards, and has a rim on it. */
static void polygons_are_filled(void **state) {
    (void)state;
    static const int triangles[][3] = {{0, 1, 3}, {1, 2, 3}};
    pd_vec2 points[] = {{-0.5f, -0.4f}, {0, -0.1f}, {0.5f, -0.4f}, {0, 0.5f}};
    const pd_area arrow = {.shape = PD_SHAPE_POLYGON,
                           .center = {0.1f, 0},
                           .angle = 90,
                           .points = points,
                           .point_count = 4,
                           .triangles = triangles};
    fake_view_fill(fake, everywhere, 2);
    fake->view.obstacles = &arrow, fake->view.obstacle_count = 1;
    draw();
    float side_of_pixel = 1 / camera.pixels_per_metre, rim = 0, pixels = 0;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            pd_vec2 place = pd_camera_pixels_to_world(&camera, (float)x + 0.5f, (float)y + 0.5f);
            float u = place.y, v = 0.1f - place.x; /* of the points; the arrow is symmetric about u = 0 */
            u = fabsf(u);
            float side = (0.9f * u + 0.5f * v - 0.25f) / hypotf(0.9f, 0.5f);
            float notch = (-0.3f * u - 0.5f * v - 0.05f) / hypotf(0.3f, 0.5f), outside = fmaxf(side, notch);
            if (hypotf(place.x, place.y) > 0.85f) continue;
            if (outside < -2 * side_of_pixel) assert_true(brightness(at(place.x, place.y)) < 200);
            if (outside > 8 * side_of_pixel && hypotf(u - 0.5f, v + 0.4f) > 8 * side_of_pixel)
                assert_true(brightness(at(place.x, place.y)) > 300);
            if (fabsf(side - 0.9f * side_of_pixel) < 0.8f * side_of_pixel && v > -0.3f && v < 0.4f && place.y > 0) {
                rim += (float)brightness(at(place.x, place.y));
                pixels++;
            }
        }
    assert_true(pixels > 50 && rim / pixels > 220);
}

/* Marks lie over the fluid: an area with rim and inside, a rim alone, an outline and a line with dark halos. */
static void marks_lie_over_the_world(void **state) {
    (void)state;
    const float width = 6, halo = 4; /* interface units are pixels here */
    const pd_area disc = {.shape = PD_SHAPE_CIRCLE, .center = {-0.4f, 0}, .radius = 0.2f};
    const pd_area box = {.shape = PD_SHAPE_BOX, .center = {0.4f, 0}, .size = {0.4f, 0.3f}};
    const pd_area ring = {.shape = PD_SHAPE_CIRCLE, .center = {0, 0.5f}, .radius = 0.2f};
    const pd_mark marks[] = {
        {PD_MARK_LINE, .from = {-0.3f, -0.5f}, .to = {0.3f, -0.5f}, .width = width, .halo = halo,
         .colour = {1, 1, 1, 1}},
        {PD_MARK_OUTLINE, ring, .width = width, .halo = halo, .colour = {1, 1, 1, 1}},
        {PD_MARK_AREA, disc, .colour = {0, 0, 1, 1}, .inside = {1, 0, 0, 1}},
        {PD_MARK_AREA, box, .colour = {0, 0, 1, 1}},
    };
    fake_view_fill(fake, everywhere, 2);
    draw();
    memcpy(before, rgb, sizeof rgb);
    int fluid = brightness(at(0, 0));
    float side = 1 / camera.pixels_per_metre;
    picture.marks = marks;
    picture.mark_count = sizeof marks / sizeof *marks;
    draw();
    assert_int_equal(brightness(at(0, 0)), fluid);
    const uint8_t *inside = at(-0.4f, 0), *rim = at(-0.2f - 0.6f * side, 0), *edge = at(0.6f, 0);
    assert_true(inside[0] == 255 && inside[1] == 0 && inside[2] == 0);
    assert_true(rim[2] > 150 && rim[1] < 100);
    assert_true(edge[2] > 150 && edge[1] < 100);
    assert_int_equal(brightness(at(0.4f, 0)), fluid);
    for (int k = -1; k <= 1; k += 2) {
        float beside = (float)k * (0.5f * width + 0.5f * halo) * side;
        assert_int_equal(brightness(at(0, -0.5f)), 3 * 255);
        assert_true(brightness(at(0, -0.5f + beside)) < 0.75 * fluid);
        assert_int_equal(brightness(at(0, 0.3f)), 3 * 255);
        assert_true(brightness(at(0, 0.3f + beside)) < 0.75 * fluid);
    }
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        pd_vec2 place = pd_camera_pixels_to_world(&camera, (float)(i % WIDTH) + 0.5f, (float)(i / WIDTH) + 0.5f);
        bool far = fabsf(place.y) > 0.75f || fabsf(place.x) > 0.65f;
        if (far) assert_memory_equal(&rgb[3 * i], &before[3 * i], 3);
    }
}

static void obstacles_drains_and_the_tool_are_seen(void **state) {
    (void)state;
    pd_vec2 points[] = {{-0.2f, 0}, {0, 0.1f}, {0.2f, 0}};
    const pd_area obstacles[] = {{.shape = PD_SHAPE_CIRCLE, .center = {-0.5f, 0}, .radius = 0.15f},
                                 {.shape = PD_SHAPE_BOX, .center = {0.5f, 0}, .size = {0.5f, 0.1f}, .angle = 90},
                                 {.shape = PD_SHAPE_POLYLINE,
                                  .center = {0, -0.5f},
                                  .points = points,
                                  .point_count = 3,
                                  .thickness = 0.06f,
                                  .angle = 180}};
    const pd_drain drain = {.area.shape = PD_SHAPE_CIRCLE, .area.center = {0, 0}, .area.radius = 0.12f};
    fake_view_fill(fake, everywhere, 2);
    fake->view.obstacles = obstacles, fake->view.obstacle_count = 3;
    fake->view.drains = &drain, fake->view.drain_count = 1;
    draw();
    assert_true(brightness(at(-0.5f, 0)) < 200);
    assert_true(brightness(at(0.5f, 0.2f)) < 200 && brightness(at(0.5f, -0.2f)) < 200); /* rotated by 90 degrees */
    assert_true(brightness(at(0.7f, 0)) > 300);
    assert_true(brightness(at(0, -0.6f)) < 200); /* rotated by 180 degrees, its middle is lowest */
    assert_true(brightness(at(0, -0.4f)) > 300);
    memcpy(before, rgb, sizeof rgb);
    picture.show_tool = true;
    picture.tool = (pd_vec2){0.1f, 0.5f};
    picture.tool_radius = 0.2f;
    fake->view.drain_count = 0;
    draw();
    int tool = 0, drained = 0, elsewhere = 0;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            if (!memcmp(pixel(x, y), &before[(y * WIDTH + x) * 3], 3)) continue;
            pd_vec2 place = pd_camera_pixels_to_world(&camera, (float)x + 0.5f, (float)y + 0.5f);
            bool ring = fabsf(hypotf(place.x - 0.1f, place.y - 0.5f) - 0.2f) < 0.02f;
            bool dashes = fabsf(hypotf(place.x, place.y) - 0.12f) < 0.02f;
            tool += ring;
            drained += dashes;
            elsewhere += !ring && !dashes;
        }
    assert_true(tool > 150);
    assert_true(drained > 30 &&
                drained < 2 * 3.15 * 0.12 * (double)camera.pixels_per_metre * 1.6); /* dashed, not solid */
    assert_int_equal(elsewhere, 0);
}

static bool has_colour(const uint8_t *p, int red, int green, int blue) {
    return abs(p[0] - red) < 3 && abs(p[1] - green) < 3 && abs(p[2] - blue) < 3;
}

/* An obstacle without a colour has the default, also beside one with a colour. */
static void obstacles_have_their_own_colours(void **state) {
    (void)state;
    pd_area obstacles[] = {{.shape = PD_SHAPE_CIRCLE, .center = {-0.5f, 0}, .radius = 0.2f},
                           {.shape = PD_SHAPE_BOX, .center = {0.5f, 0}, .size = {0.4f, 0.2f}}};
    fake->view.obstacles = obstacles, fake->view.obstacle_count = 2;
    draw();
    memcpy(before, rgb, sizeof rgb);
    obstacles[0].color = (pd_own_color){255, 128, 0, true};
    draw();
    assert_true(has_colour(at(-0.5f, 0), 255, 128, 0));
    assert_true(has_colour(at(0.5f, 0), 41, 46, 60));
    obstacles[0].color.is_given = false;
    draw();
    assert_memory_equal(rgb, before, sizeof rgb);
}

/* A joint outside a body has an arm to the body. A motor has an arc that shows which way its body turns. */
static void joints_show_their_bodies_and_motors(void **state) {
    (void)state;
    pd_view_body body = {{.shape = PD_SHAPE_BOX, .center = {0.4f, 0}, .size = {0.2f, 0.2f}}, {0.4f, 0}};
    pd_view_joint joint = {.type = PD_JOINT_HINGE, .at = {-0.4f, 0}, .to = {-0.4f, 0}, .bodies = {-1, 0}};
    fake->view.bodies = &body, fake->view.body_count = 1;
    fake->view.joints = &joint, fake->view.joint_count = 1;
    draw();
    assert_true(brightest(-0.4f, 0, 1) > 600);
    for (float x = -0.35f; x < 0.3f; x += 0.05f) {
        assert_true(brightest(x, 0, 1) > 250);
        assert_true(is_ground(at(x, 0.03f)) && is_ground(at(x, -0.03f)));
    }
    assert_true(is_ground(at(-0.45f, 0)));
    joint.at = joint.to = (pd_vec2){0.32f, 0}; /* in the body */
    draw();
    assert_true(is_ground(at(0.2f, 0)));
    assert_true(is_ground(at(-0.4f, 0)));
    joint.type = PD_JOINT_WELD; /* the line of a weld is the shortest one */
    joint.at = joint.to = (pd_vec2){-0.4f, 0.08f};
    draw();
    assert_true(brightest(-0.2f, 0.08f, 1) > 250 && brightest(0.2f, 0.08f, 1) > 250);
    joint.type = PD_JOINT_HINGE;
    pd_vec2 cup[] = {{-0.1f, 0.2f}, {0.1f, 0.2f}, {0.1f, -0.2f}, {-0.1f, -0.2f}}; /* open at the left */
    body.area = (pd_area){.shape = PD_SHAPE_POLYLINE, .center = {0.4f, 0}, .thickness = 0.04f};
    body.area.points = cup, body.area.point_count = 4;
    joint.at = joint.to = (pd_vec2){0, 0};
    draw();
    assert_true(brightest(0.2f, 0, 1) > 250 && brightest(0.45f, 0, 1) > 250); /* beyond the centroid to the bottom */
    assert_true(is_ground(at(0.55f, 0)));
    joint = (pd_view_joint){.type = PD_JOINT_MOTOR, .at = {-0.4f, 0}, .to = {-0.4f, 0}, .bodies = {-1, 0}};
    float radius = 8 / camera.pixels_per_metre;
    for (int k = -1; k <= 1; k++) {
        joint.speed = 50 * (float)k;
        draw();
        float x = joint.at.x;
        assert_true(brightest(x, radius, 1) > 400 && brightest(x - radius, 0, 1) > 400);
        assert_true((brightest(x, -radius, 1) > 400) == (k == 0)); /* only a brake has a whole ring */
        /* The head is at the right if the second body turns clockwise: if the first one, the world, would turn the other way. */
        float side = 0.98f * radius, low = -0.28f * radius, beyond = 3 / camera.pixels_per_metre;
        assert_true((brightest(x + side + beyond, low, 1) > 300) == (k > 0));
        assert_true((brightest(x - side - beyond, low, 1) > 300) == (k < 0));
    }
}

/* A nozzle lies behind its mouth, and hides nothing before it. */
static void emitters_have_nozzles(void **state) {
    (void)state;
    const pd_emitter emitters[] = {{.position = {0, 0}, .direction = {0, -3}, .speed = 1, .width = 0.2f},
                                   {.position = {-1, 0}, .direction = {1, 0}, .speed = 0, .width = 0.1f}};
    fake_view_fill(fake, everywhere, 2);
    draw();
    memcpy(before, rgb, sizeof rgb);
    fake->view.emitters = emitters, fake->view.emitter_count = 2;
    draw();
    assert_true(brightness(at(0, 0.03f)) < 200 && brightness(at(0.08f, 0.03f)) < 200);
    assert_true(has_colour(at(-1.03f, 0), 41, 46, 60)); /* outside of the container */
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            pd_vec2 place = pd_camera_pixels_to_world(&camera, (float)x + 0.5f, (float)y + 0.5f);
            bool near = hypotf(place.x, place.y - 0.05f) < 0.22f || hypotf(place.x + 1.05f, place.y) < 0.15f;
            bool before_mouth = place.x > -0.95f && place.y < -0.04f;
            if (memcmp(pixel(x, y), &before[(y * WIDTH + x) * 3], 3)) assert_true(near && !before_mouth);
        }
    picture.no_sources = true;
    draw();
    assert_memory_equal(rgb, before, sizeof rgb);
}

/* Each switch of the picture removes its part and nothing else. */
static void outline_and_sources_are_switched_off(void **state) {
    (void)state;
    const pd_drain drain = {.area.shape = PD_SHAPE_CIRCLE, .area.center = {0, 0}, .area.radius = 0.12f};
    picture.no_outline = true;
    draw();
    for (int i = 0; i < 360; i++) {
        float x = cosf((float)i / 57.29578f), y = sinf((float)i / 57.29578f), r = 1 + wall_offset();
        assert_true(brightest(r * x, r * y, 2) < 150);
    }
    memcpy(before, rgb, sizeof rgb);
    fake->view.drains = &drain, fake->view.drain_count = 1;
    draw();
    assert_true(brightest(0.12f, 0, 5) > 200);
    picture.no_sources = true;
    draw();
    assert_memory_equal(rgb, before, sizeof rgb);
    picture.plain = true;
    memcpy(picture.background, (float[3]){1, 0.5f, 0}, sizeof picture.background);
    draw();
    for (int i = 0; i < WIDTH * HEIGHT; i++) assert_true(has_colour(&rgb[3 * i], 255, 128, 0));
    /* Lines on white are dark. */
    picture.no_outline = false;
    memcpy(picture.background, (float[3]){1, 1, 1}, sizeof picture.background);
    draw();
    int dark = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++) dark += brightness(&rgb[3 * i]) < 300;
    assert_true(dark > 1000);
}

static void colours_of_fields_match_the_palette(void **state) {
    (void)state;
    fake->view.spacing = 0.2f;
    for (int i = 0; i < 5; i++) {
        fake_view_add(fake, -0.6f + 0.3f * (float)i, 0, 0);
        fake->speed[i] = fake->fields[FAKE_SPEED].high * 0.25f * (float)i;
        fake->density[i] = fake->fields[FAKE_DENSITY].high * 0.25f * (float)i;
        fake->pressure[i] = 0.5f * (float)i - 1;
    }
    for (int palette = 0; palette < pd_palette_count(); palette++)
        for (int mode = SPEED; mode <= PRESSURE; mode++) {
            picture.mode = &fake_modes[mode];
            picture.palette = palette;
            draw();
            for (int i = 0; i < 5; i++) {
                float expected[3];
                const uint8_t *shown = at(-0.6f + 0.3f * (float)i, 0);
                const pd_field *field = &fake->fields[mode - SPEED];
                pd_palette_get_legend_colour(palette, field->low, field->high, 0.25f * (float)i, expected);
                for (int c = 0; c < 3; c++) assert_true(fabsf((float)shown[c] - 255 * expected[c]) < 5);
            }
        }
}

static void the_same_picture_twice_is_the_same(void **state) {
    (void)state;
    fake_view_fill(fake, half, -1);
    draw();
    memcpy(before, rgb, sizeof rgb);
    picture.width = 320, picture.height = 200; /* a picture of another size in between has no effect */
    picture.mode = &fake_modes[DENSITY];
    pd_renderer_draw(renderer, canvas.framebuffer, &picture);
    picture.width = WIDTH, picture.height = HEIGHT;
    picture.mode = &fake_modes[SURFACE];
    draw();
    assert_memory_equal(rgb, before, sizeof rgb);
}

static void extreme_views_cause_no_errors(void **state) {
    (void)state;
    fake_view_add(fake, NAN, 0, 0);
    fake_view_add(fake, INFINITY, -INFINITY, 1);
    fake_view_add(fake, 1e30f, 1e30f, 2);
    fake_view_add(fake, 0.3f, 0.3f, 2);
    fake->speed[3] = NAN;
    const float spacings[] = {0.05f, 1e-6f, 10, 0};
    for (int mode = 0; mode < FAKE_MODES; mode++)
        for (int shape = 0; shape < 3; shape++)
            for (size_t i = 0; i < sizeof spacings / sizeof spacings[0]; i++) {
                picture.mode = &fake_modes[mode];
                fake->view.spacing = spacings[i];
                fake->view.container =
                    (pd_container){.shape = (pd_container_shape)shape, .radius = 1, .width = 2, .height = 2};
                draw();
            }
    const int sizes[][2] = {{1, 1}, {16, 480}, {640, 16}, {321, 241}};
    picture.mode = &fake_modes[SURFACE];
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        picture.width = sizes[i][0], picture.height = sizes[i][1];
        pd_renderer_draw(renderer, canvas.framebuffer, &picture);
        assert_int_equal(glGetError(), GL_NO_ERROR);
    }
}

TEST_GROUP(renderer) {
    const struct CMUnitTest tests[] = {
        TEST(a_circle_is_a_bright_ring_on_dark_ground),
        TEST(a_box_has_four_lines_and_nothing_has_none),
        TEST(three_colours_are_there),
        TEST(fluid_reaches_the_wall),
        TEST(a_thin_film_on_the_wall_is_closed),
        TEST(gaps_between_tracers_are_closed),
        TEST(a_body_is_even_and_its_edge_is_shaded),
        TEST(a_single_particle_is_a_droplet_of_constant_size),
        TEST(edges_are_smooth),
        TEST(sprites_are_round),
        TEST(pictures_are_interpolated_between_steps),
        TEST(polygons_are_filled),
        TEST(marks_lie_over_the_world),
        TEST(obstacles_drains_and_the_tool_are_seen),
        TEST(obstacles_have_their_own_colours),
        TEST(joints_show_their_bodies_and_motors),
        TEST(emitters_have_nozzles),
        TEST(outline_and_sources_are_switched_off),
        TEST(colours_of_fields_match_the_palette),
        TEST(the_same_picture_twice_is_the_same),
        TEST(extreme_views_cause_no_errors),
    };
    return cmocka_run_group_tests(tests, open_graphics, close_graphics);
}
