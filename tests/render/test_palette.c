/* Palettes: names, contrast with the background, monotonic lightness, legends. */
#include "test.h"

#include "fake_view.h"
#include "render/palette.h"
#include "render/picture.h"

static float lightness(const float rgb[3]) {
    return 0.2126f * rgb[0] * rgb[0] + 0.7152f * rgb[1] * rgb[1] + 0.0722f * rgb[2] * rgb[2];
}

static void palettes_have_names(void **state) {
    (void)state;
    assert_true(pd_palette_count() >= 6);
    assert_string_equal(pd_palette_name(0), "scene");
    for (int i = 0; i < pd_palette_count(); i++) assert_int_equal(pd_palette_find(pd_palette_name(i)), i);
    assert_int_equal(pd_palette_find("no such palette"), -1);
    assert_int_equal(pd_palette_find(""), -1);
}

static void maps_rise_from_visible_to_bright(void **state) {
    (void)state;
    for (int palette = 0; palette < pd_palette_count(); palette++) {
        float before = 0, rgb[3];
        for (int i = 0; i <= 100; i++) {
            pd_palette_get_map_colour(palette, (float)i / 100, rgb);
            for (int c = 0; c < 3; c++) assert_true(rgb[c] >= 0 && rgb[c] <= 1);
            float now = lightness(rgb);
            if (i == 0) assert_true(now > 0.015f); /* contrast with the background */
            assert_true(now > before);
            before = now;
        }
        assert_true(before > 0.6f);
    }
}

static void maps_hold_beyond_their_ends(void **state) {
    (void)state;
    const float beyond[][2] = {{-1, 0}, {2, 1}, {NAN, 0}, {INFINITY, 1}, {-INFINITY, 0}};
    for (size_t i = 0; i < sizeof beyond / sizeof beyond[0]; i++) {
        float rgb[3], end[3];
        pd_palette_get_map_colour(1, beyond[i][0], rgb);
        pd_palette_get_map_colour(1, beyond[i][1], end);
        assert_memory_equal(rgb, end, sizeof rgb);
    }
}

/* Lightness of OKLab (Ottosson 2020), in which equal steps look equal. */
static float perceived(const float rgb[3]) {
    float c[3];
    for (int i = 0; i < 3; i++) c[i] = rgb[i] <= 0.04045f ? rgb[i] / 12.92f : powf((rgb[i] + 0.055f) / 1.055f, 2.4f);
    return 0.2104542553f * cbrtf(0.4122214708f * c[0] + 0.5363325363f * c[1] + 0.0514459929f * c[2]) +
           0.7936177850f * cbrtf(0.2119034982f * c[0] + 0.6806995451f * c[1] + 0.1073969566f * c[2]) -
           0.0040720468f * cbrtf(0.0883024619f * c[0] + 0.2817188376f * c[1] + 0.6299787005f * c[2]);
}

static float difference(const float a[3], const float b[3]) {
    return fabsf(a[0] - b[0]) + fabsf(a[1] - b[1]) + fabsf(a[2] - b[2]);
}

static void signed_maps_rise_evenly_from_a_dark_middle(void **state) {
    (void)state;
    for (int palette = 0; palette < pd_palette_count(); palette++) {
        float middle[3], low[3], high[3], end, dark;
        pd_palette_get_signed_map_colour(palette, 0, middle);
        pd_palette_get_signed_map_colour(palette, 1, high);
        dark = perceived(middle), end = perceived(high);
        assert_true(dark > 0.22f && dark < 0.3f && end > 0.9f);
        assert_true(fmaxf(middle[0], fmaxf(middle[1], middle[2])) < 0.2f);
        for (int i = 1; i <= 50; i++) {
            float t = (float)i / 50, expected = dark + (end - dark) * t;
            pd_palette_get_signed_map_colour(palette, -t, low);
            pd_palette_get_signed_map_colour(palette, t, high);
            assert_true(fabsf(perceived(low) - expected) < 0.02f && fabsf(perceived(high) - expected) < 0.02f);
            if (i >= 15 && i <= 45) assert_true(difference(low, high) > 0.15f); /* the sign is seen */
        }
        pd_palette_get_signed_map_colour(palette, NAN, low);
        assert_memory_equal(low, middle, sizeof low);
        pd_palette_get_signed_map_colour(palette, INFINITY, low);
        pd_palette_get_signed_map_colour(palette, 1, high);
        assert_memory_equal(low, high, sizeof low);
    }
}

static void legends_of_both_signs_have_their_middle_at_zero(void **state) {
    (void)state;
    float shown[3], expected[3];
    const struct {
        float low, high, t, value; /* value: -1..1 of the signed map */
    } both[] = {{-1, 1, 0.5f, 0},     {-1, 1, 0, -1},   {-1, 1, 1, 1},     {-1, 3, 0.25f, 0},        {-1, 3, 1, 1},
                {-1, 3, 0, -1.f / 3}, {-4, 1, 0.8f, 0}, {-4, 1, 1, 0.25f}, {-3e38f, 3e38f, 0.5f, 0}, {-1, 1, NAN, -1}};
    for (size_t i = 0; i < sizeof both / sizeof both[0]; i++) {
        pd_palette_get_legend_colour(3, both[i].low, both[i].high, both[i].t, shown);
        pd_palette_get_signed_map_colour(3, both[i].value, expected);
        assert_true(difference(shown, expected) < 0.01f);
    }
    const float one[][2] = {{0, 1}, {1, 2}, {-2, -1}, {-1, 0}, {-INFINITY, INFINITY}, {NAN, 1}};
    for (size_t i = 0; i < sizeof one / sizeof one[0]; i++)
        for (float t = 0; t <= 1; t += 0.1f) {
            pd_palette_get_legend_colour(3, one[i][0], one[i][1], t, shown);
            pd_palette_get_map_colour(3, t, expected);
            assert_memory_equal(shown, expected, sizeof shown);
        }
}

static void scene_palette_shows_the_scene(void **state) {
    (void)state;
    fake_view *fake = fake_view_create(0.05f);
    assert_int_equal(pd_palette_material_colour(0, &fake->view, 0), 0xffff8f3au);
    for (int palette = 1; palette < pd_palette_count(); palette++)
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < a; b++)
                assert_true(pd_palette_material_colour(palette, &fake->view, a) !=
                            pd_palette_material_colour(palette, &fake->view, b));
    /* A material that does not exist has an opaque colour too. */
    assert_int_equal(pd_palette_material_colour(0, &fake->view, 77) >> 24, 255);
    assert_int_equal(pd_palette_material_colour(1, &fake->view, 77) >> 24, 255);
    free(fake);
}

static void legends_are_those_of_the_mode_s_field(void **state) {
    (void)state;
    fake_view *fake = fake_view_create(0.05f);
    pd_legend legend;
    for (int k = 0; k < FAKE_MODES; k++)
        assert_int_equal(pd_picture_find_legend(&fake->view, &fake_modes[k], &legend), fake_modes[k].field != NULL);
    assert_true(pd_picture_find_legend(&fake->view, &fake_modes[FAKE_MODES - 1], &legend));
    assert_float_equal(legend.low, -1, 0);
    assert_float_equal(legend.high, 1, 0);
    assert_string_equal(legend.title, "density error");
    assert_string_equal(legend.unit, "%");
    assert_false(pd_picture_find_legend(&fake->view, &(pd_view_mode){"smoke", PD_VIEW_IMAGE, "smoke"}, &legend));
    free(fake);
}

TEST_GROUP(palette) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(palettes_have_names),
        cmocka_unit_test(maps_rise_from_visible_to_bright),
        cmocka_unit_test(maps_hold_beyond_their_ends),
        cmocka_unit_test(signed_maps_rise_evenly_from_a_dark_middle),
        cmocka_unit_test(legends_of_both_signs_have_their_middle_at_zero),
        cmocka_unit_test(scene_palette_shows_the_scene),
        cmocka_unit_test(legends_are_those_of_the_mode_s_field),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
