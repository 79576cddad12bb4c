/* puddle render --compare: the same scene under two methods, each in a half of the picture. */
#include "command.h"
#include "methods.h"

enum { WIDTH = 480, HEIGHT = 200, HALF = WIDTH / 2, FRAMES = 6 };
enum { CAPTION_WIDTH = 215, CAPTION_HEIGHT = 50 }; /* pixels at the upper left that the caption may cover */

/* Renders to raw RGB. */
static unsigned char *render(const char *what, int width) {
    char arguments[256];
    size_t size = (size_t)FRAMES * HEIGHT * (size_t)width * 3;
    unsigned char *rgb = malloc(size);
    snprintf(arguments, sizeof arguments, "render %s --size %dx%d --frames %d --quiet -o -", what, width, HEIGHT,
             FRAMES);
    if (run(arguments) != 0) fail_msg("puddle %s: %s", arguments, err);
    FILE *file = fopen(at("out"), "rb");
    assert_int_equal(fread(rgb, 1, size, file), size);
    assert_int_equal(fgetc(file), EOF);
    fclose(file);
    return rgb;
}

/* Pixels of a half that are not those of a picture of one method, without the caption and the line between the halves. */
static int different(const unsigned char *both, const unsigned char *one, int half) {
    int count = 0;
    for (int y = 0; y < FRAMES * HEIGHT; y++)
        for (int x = 0; x < HALF; x++) {
            bool caption = x < CAPTION_WIDTH && y % HEIGHT < CAPTION_HEIGHT;
            if (caption || x == (half ? 0 : HALF - 1)) continue;
            count += memcmp(&both[(y * WIDTH + half * HALF + x) * 3], &one[(y * HALF + x) * 3], 3) != 0;
        }
    return count;
}

/* Of these methods, two and two. */
static void expect_halves(const char *scene, const char *const *names, int count) {
    assert_true(count > 1);
    for (int i = 0; i < count; i += 2) {
        char what[200];
        const char *methods[] = {names[i], names[(i + 1) % count]};
        snprintf(what, sizeof what, "%s --compare %s,%s", scene, methods[0], methods[1]);
        unsigned char *both = render(what, WIDTH);
        for (int half = 0; half < 2; half++) {
            snprintf(what, sizeof what, "%s --method %s", scene, methods[half]);
            unsigned char *one = render(what, HALF);
            int own = different(both, one, half), other = different(both, one, 1 - half);
            if (own) fail_msg("%s: %d pixels of half %d are others than those of %s", scene, own, half, what);
            assert_true(other > FRAMES * 100);
            free(one);
        }
        free(both);
    }
}

static bool has_tracers(const pd_method *method) { return !is_of_particles(method); }

/* Each half is what a picture of its method alone is, in all frames: neither what the renderer keeps from one frame to the
 * next, such as streamlines, nor a legend is that of the other. */
static void halves_are_the_pictures_of_each_method(void **state) {
    (void)state;
    const char *names[MOST_METHODS];
    int count = methods_that(is_of_particles, names);
    expect_halves("two-drops --particles 500", names, count);
    expect_halves("two-drops --particles 500 --view speed", names + 1, count - 1);
    count = methods_that(has_tracers, names);
    expect_halves("dye-drops --particles 500 --lines streamlines --view vorticity", names, count);
}

/* The worlds are those of two runs, also from a snapshot and with the parameters of both. */
static void worlds_are_those_of_two_runs(void **state) {
    (void)state;
    static const char *const methods[] = {"ddr", "flip"};
    static const char *const of[] = {"drop --particles 300 --seed 5 --set ddr.stiffness=9 --set flip.transfer=apic",
                                     "--load begun.puddle --set ddr.stiffness=9 --set flip.transfer=apic"};
    assert_int_equal(run("run drop --particles 300 --steps 10 --method pbf --save begun.puddle --quiet"), 0);
    for (int k = 0; k < 2; k++) {
        char arguments[256];
        snprintf(arguments, sizeof arguments,
                 "render %s --compare ddr,flip --steps 15 --size 64x48 -o frames --force --json", of[k]);
        cJSON *json = parse_output(arguments);
        assert_int_equal(cJSON_GetNumberValue(cJSON_GetObjectItem(json, "frames")), 15);
        for (int i = 0; i < 2; i++) {
            const cJSON *item = cJSON_GetArrayItem(cJSON_GetObjectItem(json, "compared"), i);
            snprintf(arguments, sizeof arguments, "run %s --method %s --steps 15 --json", of[k], methods[i]);
            cJSON *alone = parse_output(arguments);
            assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(item, "method")), methods[i]);
            assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(item, "hash")),
                                cJSON_GetStringValue(cJSON_GetObjectItem(alone, "hash")));
            cJSON_Delete(alone);
        }
        cJSON_Delete(json);
    }
}

static void write_log(const char *name, const char *method_line) {
    char text[600];
    snprintf(
        text, sizeof text,
        "puddle-log 1\nscene\npuddle: 1\nmethod: ddr\nparticles: 300\ncontainer: {shape: box, width: 2, height: 1}\n"
        "regions: [{shape: box, center: [0, -0.3], size: [2, 0.4]}]\nend\n3 gravity 1 -1\n4 tool push -0.5 -0.3 0 0 "
        "0.3\n9 tool none\n%s10 parameter ddr.stiffness 3\n14 reset\n16 gravity 0 -3\n18 restart\n20 gravity 2 0\n"
        "25 gravity 0 0\n",
        method_line);
    write_text(name, text);
}

static const char *compared_hash(const cJSON *json, int index) {
    return cJSON_GetStringValue(
        cJSON_GetObjectItem(cJSON_GetArrayItem(cJSON_GetObjectItem(json, "compared"), index), "hash"));
}

/* Both worlds get the input of the log, and keep their methods where the log changes its own. */
static void a_log_is_replayed_under_two_methods(void **state) {
    (void)state;
    write_log("plain.log", "");
    write_log("method.log", "9 method pbf\n");
    cJSON *alone = parse_output("replay plain.log -o alone --size 32x32 --json");
    cJSON *compared = parse_output("replay plain.log --compare ddr,flip -o both --size 64x32 --json");
    cJSON *changed = parse_output("replay method.log --compare ddr,flip -o changed --size 64x32 --json");
    cJSON *swapped = parse_output("replay method.log --compare flip,ddr -o swapped.png --size 64x32 --json");
    assert_int_equal(cJSON_GetNumberValue(cJSON_GetObjectItem(compared, "steps")), 25);
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(compared, "diverged_at")));
    assert_non_null(cJSON_GetObjectItem(alone, "impulse"));
    assert_string_equal(compared_hash(compared, 0), cJSON_GetStringValue(cJSON_GetObjectItem(alone, "hash")));
    assert_string_not_equal(compared_hash(compared, 0), compared_hash(compared, 1));
    for (int i = 0; i < 2; i++) {
        assert_string_equal(compared_hash(compared, i), compared_hash(changed, i));
        assert_string_equal(compared_hash(compared, i), compared_hash(swapped, 1 - i));
    }
    assert_true(exists("both/frame_000024.png"));
    cJSON_Delete(alone), cJSON_Delete(compared), cJSON_Delete(changed), cJSON_Delete(swapped);
    assert_int_equal(run("replay plain.log --compare ddr,flip -o half --seconds 0.2 --size 64x32"), 0);
    assert_string_equal(out, "12 of 25 steps replayed under ddr and flip\n");
    assert_error("replay plain.log --compare ddr,flip -o x --stats s.csv", 2, "--stats does not go with --compare");
}

static void films_have_the_size_that_was_asked_for(void **state) {
    (void)state;
    assert_int_equal(run("render drop --particles 200 --compare pbf,flip --frames 6 --size 130x60 -o a.mp4"), 0);
    assert_non_null(strstr(out, "6 frames in a.mp4"));
    assert_int_equal(run("render drop --particles 200 --compare pbf,flip --frames 3 --size 67x48 -o png --quiet"), 0);
    char *text = read_text("png/recording.json");
    assert_non_null(strstr(text, "\"pbf,flip\""));
    assert_non_null(strstr(text, "67"));
    assert_true(exists("png/frame_000002.png"));
    free(text);
    assert_int_equal(run("render drop --particles 200 --compare pbf,flip --frames 1 --size 16x16 -o tiny --quiet"), 0);
}

static void bad_comparisons_are_refused(void **state) {
    (void)state;
    assert_error("render drop -o x --compare ddr", 2, "--compare is 'ddr' (use two methods, such as ddr,flip)");
    assert_error("render drop -o x --compare ddr,", 2, "use two methods");
    assert_error("render drop -o x --compare ddr,flip,pbf", 2, "--compare is 'ddr,flip,pbf' (use two methods");
    assert_error("render drop -o x --compare ddr,ddr", 2, "use two different methods");
    assert_error("render drop -o x --compare ddr,fllp", 2, "no method 'fllp' (did you mean 'flip'?");
    assert_error("render drop -o x --compare", 2, "--compare needs a value");
    assert_error("render drop -o x --compare ddr,flip --method ddr", 2, "--method does not go with --compare");
    assert_error("render drop -o x --compare ddr,flip --stats s.csv", 2, "--stats does not go with --compare");
    assert_error("render drop -o x --compare ddr,flip --state s.csv", 2, "--state does not go with --compare");
    assert_error("render drop -o x --compare ddr,flip --save s.puddle", 2, "--save does not go with --compare");
    assert_error("replay a.log -o x --compare ddr,flip", 2, "cannot read 'a.log'");
    assert_error("run drop --steps 1 --compare ddr,flip", 2, "--compare does not go with puddle run");
    assert_error("render drop -o x --compare ddr,grid --view density", 2, "the method grid has no such view");
    assert_false(exists("x"));
    assert_int_equal(run("render --help"), 0);
    assert_non_null(strstr(out, "--compare NAME,NAME"));
}

TEST_GROUP(compare) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(halves_are_the_pictures_of_each_method, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(worlds_are_those_of_two_runs, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(a_log_is_replayed_under_two_methods, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(films_have_the_size_that_was_asked_for, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(bad_comparisons_are_refused, make_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
