/* Palettes: names, contrast with the background, monotonic lightness, legends. */
#include "cmocka_all.h"

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
            pd_palette_map(palette, (float)i / 100, rgb);
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
        pd_palette_map(1, beyond[i][0], rgb);
        pd_palette_map(1, beyond[i][1], end);
        assert_memory_equal(rgb, end, sizeof rgb);
    }
}

static void scene_palette_shows_the_scene(void **state) {
    (void)state;
    fake_view *fake = fake_view_create(0.05f);
    assert_int_equal(pd_palette_material(0, &fake->view, 0), 0xffff8f3au);
    for (int palette = 1; palette < pd_palette_count(); palette++)
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < a; b++)
                assert_true(pd_palette_material(palette, &fake->view, a) !=
                            pd_palette_material(palette, &fake->view, b));
    /* A material that does not exist has an opaque colour too. */
    assert_int_equal(pd_palette_material(0, &fake->view, 77) >> 24, 255);
    assert_int_equal(pd_palette_material(1, &fake->view, 77) >> 24, 255);
    free(fake);
}

static void legends_are_those_of_the_mode_s_field(void **state) {
    (void)state;
    fake_view *fake = fake_view_create(0.05f);
    pd_legend legend;
    for (int k = 0; k < FAKE_MODES; k++)
        assert_int_equal(pd_picture_legend(&fake->view, &fake_modes[k], &legend), fake_modes[k].field != NULL);
    assert_true(pd_picture_legend(&fake->view, &fake_modes[FAKE_MODES - 1], &legend));
    assert_float_equal(legend.low, -1, 0);
    assert_float_equal(legend.high, 1, 0);
    assert_string_equal(legend.title, "density error");
    assert_string_equal(legend.unit, "%");
    assert_false(pd_picture_legend(&fake->view, &(pd_view_mode){"smoke", PD_VIEW_IMAGE, "smoke"}, &legend));
    free(fake);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(palettes_have_names),
        cmocka_unit_test(maps_rise_from_visible_to_bright),
        cmocka_unit_test(maps_hold_beyond_their_ends),
        cmocka_unit_test(scene_palette_shows_the_scene),
        cmocka_unit_test(legends_are_those_of_the_mode_s_field),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
