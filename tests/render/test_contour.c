/* The contour of the surface view: its area against the pixels, its outlines, its faces. */
#include "particle_picture.h"
#include "refusing.h"
#include "render/particles/contour.h"

static pd_contour contour;

static void find_contour(void) { assert_int_equal(pd_contour_create(&contour, &fake->view, 1, NULL), PD_OK); }

static double compute_face_area(const pd_contour_face *face) {
    double area = 0;
    for (int k = 0; k < face->count; k++) {
        pd_vec2 p = contour.vertices[contour.corners[face->first + k]],
                q = contour.vertices[contour.corners[face->first + (k + 1) % face->count]];
        area += 0.5 * ((double)p.x * (double)q.y - (double)q.x * (double)p.y);
    }
    return area;
}

/* Returns the area of a material's faces; -1: of all faces. Each face has a positive area. */
static double compute_area(int material) {
    double area = 0;
    for (int f = 0; f < contour.face_count; f++) {
        double part = compute_face_area(&contour.faces[f]);
        assert_true(part > 0);
        if (material < 0 || contour.faces[f].material == material) area += part;
    }
    return area;
}

/* Returns the sum of the areas inside a material's outlines; holes are negative. outer, holes: receive their numbers. */
static double compute_outlined_area(int material, int *outer, int *holes) {
    int *next = malloc((size_t)contour.vertex_count * sizeof *next + 1);
    double sum = 0;
    *outer = *holes = 0;
    pd_contour_find_outlines(&contour, material, next);
    for (int first = 0; first < contour.vertex_count; first++) {
        double area = 0;
        if (next[first] < 0) continue;
        int i = first;
        do {
            int j = next[i];
            assert_true(j >= 0); /* closed, and no vertex is met twice */
            pd_vec2 p = contour.vertices[i], q = contour.vertices[j];
            area += 0.5 * ((double)p.x * (double)q.y - (double)q.x * (double)p.y);
            next[i] = -1;
            i = j;
        } while (i != first);
        *(area > 0 ? outer : holes) += 1;
        sum += area;
    }
    free(next);
    return sum;
}

/* Returns the area of the fluid's pixels, m^2: the picture has a plain black background, and neither outline nor glow counts. */
static double compute_drawn_area(void) {
    picture.transparent = true;
    picture.no_outline = true;
    unsigned target = canvas.framebuffer;
    static uint8_t rgba[WIDTH * HEIGHT * 4];
    pd_renderer_draw(renderer, target, &picture);
    glBindFramebuffer(GL_FRAMEBUFFER, target);
    glReadPixels(0, 0, WIDTH, HEIGHT, GL_RGBA, GL_UNSIGNED_BYTE, rgba);
    pd_view drawn = pd_picture_move_walls_outwards(&fake->view);
    pd_camera_fit_view(&camera, &drawn, WIDTH, HEIGHT);
    double covered = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++) covered += rgba[4 * i + 3] / 255.0;
    return covered / ((double)camera.pixels_per_metre * (double)camera.pixels_per_metre);
}

/* The areas differ by at most 0.3 %. The measured differences are below 0.1 %. */
static void assert_area_is_drawn(void) {
    double drawn = compute_drawn_area();
    find_contour();
    double area = compute_area(-1);
    if (fabs(area - drawn) > 0.003 * drawn) fail_msg("the contour has %g m², the picture %g m²", area, drawn);
}

static void clear(void) { pd_contour_free(&contour); }

static void areas_are_those_of_the_picture(void **state) {
    (void)state;
    fake_inside *const shapes[] = {disc, half, everywhere};
    for (int k = 0; k < 3; k++) {
        fake->view.count = 0;
        fake_view_fill(fake, shapes[k], 0);
        assert_area_is_drawn();
        clear();
    }
}

static void areas_in_a_box_are_those_of_the_picture(void **state) {
    (void)state;
    fake_view_box(fake, 1.9f, 1.4f);
    fake_view_fill(fake, half, 0);
    assert_area_is_drawn();
    clear();
}

static bool beside_the_box(float x, float y) {
    return hypotf(fmaxf(fabsf(x) - 0.2f, 0), fmaxf(fabsf(y) - 0.1f, 0)) < 1.9f * fake->view.spacing;
}

static bool around_the_box(float x, float y) { return x * x + y * y < 0.7f && !beside_the_box(x, y); }

/* The gap at an obstacle is closed, as in the picture. Obstacles are drawn over the fluid, which reaches below them. */
static void gaps_beside_obstacles_are_closed(void **state) {
    (void)state;
    const pd_area box = {.shape = PD_SHAPE_BOX, .size = {0.4f, 0.2f}};
    fake_view_fill(fake, around_the_box, 0);
    find_contour();
    double open = compute_area(-1);
    clear();
    fake->view.obstacles = &box, fake->view.obstacle_count = 1;
    find_contour();
    assert_true(compute_area(-1) > open + 1.2 * 1.0 * (double)fake->view.spacing);
    clear();
}

/* Holes of thin dye are closed, as in the picture. */
static bool outside_holes(float x, float y) {
    float side = 9 * fake->view.spacing;
    x -= side * floorf(x / side + 0.5f);
    y -= side * floorf(y / side + 0.5f);
    return hypotf(x, y) > 2.4f * fake->view.spacing;
}
static bool dye(float x, float y) { return x * x + y * y < 0.6f && outside_holes(x, y); }

static void holes_of_dye_are_closed(void **state) {
    (void)state;
    fake_view_fill(fake, dye, 0);
    fake->view.particles_are_tracers = true;
    assert_area_is_drawn();
    clear();
}

static void a_drop_has_the_area_of_its_particles(void **state) {
    (void)state;
    fake_view_fill(fake, disc, 0);
    find_contour();
    double exact = fake->view.count * (double)(fake->view.spacing * fake->view.spacing);
    assert_true(fabs(compute_area(0) / exact - 1) < 0.1); /* the surface is a part of a spacing outside */
    clear();
}

static bool ring(float x, float y) { return x * x + y * y < 0.49f && x * x + y * y > 0.09f; }

/* Outlines have the fluid on the left, and enclose the area of the faces. */
static void outlines_are_closed(void **state) {
    (void)state;
    int outer, holes;
    fake_view_fill(fake, ring, 0);
    find_contour();
    assert_true(fabs(compute_outlined_area(0, &outer, &holes) - compute_area(0)) < 1e-5);
    assert_int_equal(outer, 1);
    assert_int_equal(holes, 1);
    clear();
}

/* Each edge inside the fluid belongs to two faces in opposite directions, also between materials: no gap, no overlap. Mixed
 * materials and scattered particles give all cases of cells. */
static void materials_share_their_vertices(void **state) {
    (void)state;
    fake_view_fill(fake, everywhere, -1);
    for (int i = 0; i < fake->view.count; i++) {
        if (fake->x[i] < 0) fake->material[i] = (uint8_t)(pd_random_below_one(&fake->random) * 2.999f);
        if (fake->y[i] > 0.3f && pd_random_below_one(&fake->random) < 0.8f) fake->x[i] = fake->y[i] = 0;
    }
    find_contour();
    double sum = 0;
    int outer, holes;
    for (int m = 0; m < 3; m++) {
        double area = compute_area(m);
        assert_true(area > 0.1);
        assert_true(fabs(compute_outlined_area(m, &outer, &holes) - area) < 1e-4);
        sum += area;
    }
    assert_true(fabs(sum - compute_area(-1)) < 1e-4);
    /* The faces cover what one material would. */
    memset(fake->material, 0, sizeof fake->material);
    double all = sum;
    clear();
    find_contour();
    assert_true(fabs(compute_area(0) - all) < 1e-3 * all);
    clear();
}

static void no_vertex_is_outside(void **state) {
    (void)state;
    float wall = 1 + 0.5f * fake->view.spacing;
    fake_view_fill(fake, everywhere, 0);
    find_contour();
    for (int i = 0; i < contour.vertex_count; i++)
        assert_true(hypotf(contour.vertices[i].x, contour.vertices[i].y) < wall + 1e-3f * fake->view.spacing);
    clear();
    fake_view_box(fake, 1, 1);
    find_contour();
    for (int i = 0; i < contour.vertex_count; i++)
        assert_true(fmaxf(fabsf(contour.vertices[i].x), fabsf(contour.vertices[i].y)) <=
                    0.5f * (1 + fake->view.spacing) + 1e-5f);
    double side = 1 + (double)fake->view.spacing;
    assert_true(fabs(compute_area(0) - side * side) < 1e-4); /* a full box, with its corners */
    clear();
}

static void without_a_container_the_contour_follows_the_fluid(void **state) {
    (void)state;
    fake->view.container = (pd_container){.shape = PD_CONTAINER_NONE};
    fake_view_fill(fake, disc, 0);
    find_contour();
    double area = compute_area(0);
    clear();
    for (int i = 0; i < fake->view.count; i++) fake->x[i] += 20;
    find_contour();
    assert_true(fabs(compute_area(0) - area) < 0.005 * area);
    clear();
}

static void an_empty_view_has_no_faces(void **state) {
    (void)state;
    find_contour();
    assert_int_equal(contour.face_count, 0);
    assert_int_equal(contour.vertex_count, 0);
    clear();
}

/* With all requests of memory refused from any one on there is an error, and no memory is lost. */
static void without_memory_there_is_an_error(void **state) {
    (void)state;
    const pd_area box = {.shape = PD_SHAPE_BOX, .size = {0.4f, 0.2f}};
    bool refused = true;
    fake_view_fill(fake, ring, -1);
    fake->view.obstacles = &box, fake->view.obstacle_count = 1;
    set_refusing_allocator();
    long blocks = memory.blocks;
    for (long n = 1; refused; n += n < 20 ? 1 : 7) {
        pd_error error = {0};
        refuse(REFUSE_ALL_FROM, n);
        pd_result result = pd_contour_create(&contour, &fake->view, 1, &error);
        refused = was_refused();
        assert_int_equal(result, refused ? PD_ERROR_OUT_OF_MEMORY : PD_OK);
        clear();
        assert_int_equal(memory.blocks, blocks);
    }
    pd_set_allocator(NULL);
}

TEST_GROUP(contour) {
    const struct CMUnitTest tests[] = {
        TEST(areas_are_those_of_the_picture),
        TEST(areas_in_a_box_are_those_of_the_picture),
        TEST(gaps_beside_obstacles_are_closed),
        TEST(holes_of_dye_are_closed),
        TEST(a_drop_has_the_area_of_its_particles),
        TEST(outlines_are_closed),
        TEST(materials_share_their_vertices),
        TEST(no_vertex_is_outside),
        TEST(without_a_container_the_contour_follows_the_fluid),
        TEST(an_empty_view_has_no_faces),
        TEST(without_memory_there_is_an_error),
    };
    return cmocka_run_group_tests(tests, open_graphics, close_graphics);
}
