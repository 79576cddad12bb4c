/* Keyboard layouts: which key of the table a key is, and when the window wants text. The labels are those that SDL 2.26 reports for
 * the layouts of X11's xkb-data. */
#include "window.h"

#include "app/loop.h"
#include "app/tables/keys.h"
#include <SDL.h>
#include <wchar.h>

enum { LETTERS = 26, SIGNS = SDL_SCANCODE_SLASH - SDL_SCANCODE_MINUS + 1, PLACES = SDL_SCANCODE_NONUSBACKSLASH + 1 };

/* A layout as labels of keys in the order of SDL_Scancode. SDL reports the digit row as 1 ... 0 in every layout. \1: a dead key. */
typedef struct keyboard_layout {
    const char *name;
    const wchar_t *letters, *signs; /* labels from SDL_SCANCODE_A and from SDL_SCANCODE_MINUS on */
    wchar_t extra;                  /* label of SDL_SCANCODE_NONUSBACKSLASH */
    const char *keys;               /* codes of the keys that `signs` labels; a space: none */
} keyboard_layout;

#define QWERTY   L"abcdefghijklmnopqrstuvwxyz"
#define QWERTZ   L"abcdefghijklmnopqrstuvwxzy"
#define CYRILLIC L"фисвуапршолдьтщзйкыегмцчня"

static const keyboard_layout layouts[] = {
    {"American", QWERTY, L"-=[]\\#;'`,./", '<', "-=[]     ,. "},
    {"French", L"qbcdefghijkl,noparstuvzxyw", L")=\1$*#mù²;:!", '<', "-=[]  m   . "},
    {"Belgian", L"qbcdefghijkl,noparstuvzxyw", L")-\1$µ#mù²;:=", '<', " -[]  m   .="},
    {"Czech QWERTZ", QWERTZ, L"=\1ú)\1#ů§;,.-", '\\', "= []     ,.-"},
    {"Czech QWERTY", QWERTY, L"=\1ú)\1#ů§;,.-", '\\', "= []     ,.-"},
    {"German", QWERTZ, L"ß\1ü+##öä\1,.-", '<', " =[+     ,.-"},
    {"Swiss German", QWERTZ, L"'\1ü\1$#öä§,.-", '<', " =[]     ,.-"},
    {"Swiss French", QWERTZ, L"'\1è\1$#éà§,.-", '<', " =[]     ,.-"},
    {"Spanish", QWERTY, L"'¡\1+ç#ñ\1º,.-", '<', " =[+     ,.-"},
    {"Italian", QWERTY, L"'ìè+ù#òà\\,.-", '<', " =[+     ,.-"},
    {"Portuguese", QWERTY, L"'«+\1\1#çº\\,.-", '<', " =+]     ,.-"},
    {"Swedish", QWERTY, L"+\1å\1'#öä§,.-", '<', "+=[]     ,.-"},
    {"Hungarian", QWERTZ, L"üóőúű#éá0,.-", L'í', " =[]     ,.-"},
    {"Slovenian", QWERTZ, L"'+šđž#čć¸,.-", '<', " +[]     ,.-"},
    {"Turkish", L"abcdefghıjklmnopqrstuvwxyz", L"*-ğü,#şi\"öç.", '<', " -[],  i   ."},
    {"Dvorak", L"axje.uidchtnmbrl'poygk,qf;", L"[]/=\\#s-`wvz", '<', "[] =  s- wvz"},
    {"Canadian", QWERTY, L"-=\1\1<#;\1#,.é", L'«', "-=[]<    ,. "},
    {"Japanese", QWERTY, L"-^@[]#;:\1,./", '<', "-= []    ,. "},
    {"Russian", CYRILLIC, L"-=хъ\\#жэёбю.", '/', "-=[]     , ."},
    {"Ukrainian", L"фисвуапршолдьтщзйкіегмцчня", L"-=хїґ#жє'бю.", '/', "-=[]     , ."},
    {"Greek", L"αβψδεφγηιξκλμνοπ;ρσθτωςχυζ", L"-=[]\\#\1'`,./", L'«', "-=[]     ,. "},
    {"Hebrew", L"שנבגקכעיןחלךצמםפ/רדאוה'סטז", L"-=][\\#ף,;תץ.", '<', "-=][   ,   ."},
    {"Arabic", L"شﻻؤيثبلاهتنمةىخحضقسفعرصءغئ", L"-=جد\\#كطذوزظ", '|', "-=[]     ,. "},
    {"Thai", L"ฟิแกำดเ้ร่าสทืนยๆพหะีอไปัผ", L"ขชบลฃ#วง_มใฝ", '<', "-=[]     ,. "},
};

static int labels[PLACES];

static void choose_layout(const keyboard_layout *layout) {
    assert_int_equal(wcslen(layout->letters), LETTERS);
    assert_int_equal(wcslen(layout->signs), SIGNS);
    for (int i = 0; i < LETTERS; i++) labels[SDL_SCANCODE_A + i] = (int)layout->letters[i];
    for (int i = 0; i < SIGNS; i++)
        labels[SDL_SCANCODE_MINUS + i] = layout->signs[i] == 1 ? SDLK_SCANCODE_MASK : (int)layout->signs[i];
    labels[SDL_SCANCODE_NONUSBACKSLASH] = (int)layout->extra;
    set_keyboard_layout(labels, PLACES);
}

static const keyboard_layout *layout_of(const char *name) {
    size_t i = 0;
    while (strcmp(layouts[i].name, name) != 0) i++;
    choose_layout(&layouts[i]);
    return &layouts[i];
}

/* Returns the code of a key of the present layout that is pressed with modifiers of SDL. */
static int code_of(int place, int pressed, int *modifiers) {
    SDL_Keysym key = {
        .scancode = (SDL_Scancode)place, .sym = SDL_GetKeyFromScancode((SDL_Scancode)place), .mod = (Uint16)pressed};
    return pd_keyboard_find_code(&key, modifiers);
}

static int count_places_of(int code) {
    int count = 0, modifiers;
    for (int place = SDL_SCANCODE_A; place < PLACES; place++) count += code_of(place, KMOD_NONE, &modifiers) == code;
    return count;
}

/* The digit row is digits, whatever a layout has there and whether Shift is held. Each letter has one key. */
static void test_letters_and_digits(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) {
        int modifiers;
        choose_layout(&layouts[i]);
        for (int digit = 1; digit <= 9; digit++) {
            int place = SDL_SCANCODE_1 + digit - 1;
            assert_int_equal(code_of(place, KMOD_NONE, &modifiers), '0' + digit);
            assert_int_equal(code_of(place, KMOD_LSHIFT, &modifiers), '0' + digit);
            assert_int_equal(modifiers, 0);
            assert_int_equal(code_of(place, KMOD_LCTRL, &modifiers), '0' + digit);
            assert_int_equal(modifiers, PD_CONTROL);
        }
        for (int letter = 'a'; letter <= 'z'; letter++) {
            int expected = letter == 'i' && strcmp(layouts[i].name, "Turkish") == 0 ? 2 : 1; /* both i of Turkish */
            if (count_places_of(letter) != expected)
                fail_msg("%s: %d keys are '%c'", layouts[i].name, count_places_of(letter), letter);
        }
    }
    set_keyboard_layout(NULL, 0);
    SDL_Keysym old = {.scancode = SDL_SCANCODE_6, .sym = '-'}; /* SDL before 2.0.20 reports the labels of AZERTY */
    int modifiers;
    assert_int_equal(pd_keyboard_find_code(&old, &modifiers), '6');
}

static void test_signs(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) {
        int modifiers;
        choose_layout(&layouts[i]);
        for (int sign = 0; sign < SIGNS; sign++) {
            int code = code_of(SDL_SCANCODE_MINUS + sign, KMOD_NONE, &modifiers),
                expected = (unsigned char)layouts[i].keys[sign];
            if (code != (expected == ' ' ? 0 : expected))
                fail_msg("%s: key %d is '%c', not '%c'", layouts[i].name, sign, code, expected);
        }
    }
    set_keyboard_layout(NULL, 0);
}

/* Returns whether a key of the present layout, alone or with Shift or AltGr, is the key of the table `code`. */
static bool is_reachable(int code) {
    static const int pressed[] = {KMOD_NONE, KMOD_LSHIFT, KMOD_RALT};
    for (int place = SDL_SCANCODE_A; place < PLACES; place++)
        for (size_t i = 0; i < sizeof pressed / sizeof *pressed; i++) {
            int modifiers;
            if (code_of(place, pressed[i], &modifiers) == code && modifiers == 0) return true;
        }
    return false;
}

static void test_every_sign_is_reachable(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) {
        choose_layout(&layouts[i]);
        for (const char *sign = "-=[].<>"; *sign; sign++) {
            bool more = *sign == '=' && is_reachable('+');
            if (!is_reachable(*sign) && !more) fail_msg("%s: no key is '%c'", layouts[i].name, *sign);
        }
    }
    set_keyboard_layout(NULL, 0);
}

/* Signs above other labels, where common layouts have them. A US keyboard has them elsewhere. */
static void test_shift_and_altgr(void **state) {
    (void)state;
    static const struct {
        const char *layout;
        int place, pressed, code, modifiers;
    } rows[] = {
        {"American", SDL_SCANCODE_COMMA, KMOD_LSHIFT, '<', 0},
        {"American", SDL_SCANCODE_PERIOD, KMOD_RSHIFT, '>', 0},
        {"American", SDL_SCANCODE_EQUALS, KMOD_LSHIFT, '+', 0},
        {"American", SDL_SCANCODE_MINUS, KMOD_LSHIFT, '-', PD_SHIFT},
        {"American", SDL_SCANCODE_MINUS, KMOD_LCTRL, '-', PD_CONTROL},
        {"American", SDL_SCANCODE_0, KMOD_LSHIFT, 0, PD_SHIFT},
        {"American", SDL_SCANCODE_8, KMOD_RALT, 0, 0},
        {"American", SDL_SCANCODE_A, KMOD_RALT, 0, 0},
        {"American", SDL_SCANCODE_R, KMOD_LSHIFT, 'r', PD_SHIFT},
        {"American", SDL_SCANCODE_R, KMOD_CAPS, 'r', 0},
        {"French", SDL_SCANCODE_COMMA, KMOD_LSHIFT, '.', 0},
        {"French", SDL_SCANCODE_NONUSBACKSLASH, KMOD_NONE, '<', 0},
        {"French", SDL_SCANCODE_NONUSBACKSLASH, KMOD_LSHIFT, '>', 0},
        {"French", SDL_SCANCODE_6, KMOD_RALT, 0, 0},
        {"German", SDL_SCANCODE_0, KMOD_LSHIFT, '=', 0},
        {"German", SDL_SCANCODE_8, KMOD_RALT, '[', 0},
        {"German", SDL_SCANCODE_9, KMOD_RALT, ']', 0},
        {"German", SDL_SCANCODE_E, KMOD_RALT, 0, 0},
        {"Spanish", SDL_SCANCODE_RIGHTBRACKET, KMOD_RALT, ']', 0},
        {"Portuguese", SDL_SCANCODE_8, KMOD_RALT, '[', 0},
        {"Czech QWERTZ", SDL_SCANCODE_G, KMOD_RALT, 0, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int modifiers;
        layout_of(rows[i].layout);
        int code = code_of(rows[i].place, rows[i].pressed, &modifiers);
        if (code != rows[i].code || modifiers != rows[i].modifiers)
            fail_msg("%s, row %d: code %d with %d", rows[i].layout, (int)i, code, modifiers);
    }
    set_keyboard_layout(NULL, 0);
}

/* Num Lock selects between the two labels of the number pad. */
static void test_number_pad(void **state) {
    (void)state;
    static const struct {
        int place, pressed, code;
    } rows[] = {
        {SDL_SCANCODE_KP_1, KMOD_NUM, '1'},
        {SDL_SCANCODE_KP_6, KMOD_NUM, '6'},
        {SDL_SCANCODE_KP_8, KMOD_NONE, PD_KEY_UP},
        {SDL_SCANCODE_KP_7, KMOD_NONE, PD_KEY_HOME},
        {SDL_SCANCODE_KP_5, KMOD_NONE, 0},
        {SDL_SCANCODE_KP_0, KMOD_NUM, 0},
        {SDL_SCANCODE_KP_PERIOD, KMOD_NUM, '.'},
        {SDL_SCANCODE_KP_PERIOD, KMOD_NONE, 0},
        {SDL_SCANCODE_KP_MINUS, KMOD_NONE, '-'},
        {SDL_SCANCODE_KP_PLUS, KMOD_NONE, '+'},
        {SDL_SCANCODE_KP_ENTER, KMOD_NUM, PD_KEY_ENTER},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int modifiers;
        assert_int_equal(code_of(rows[i].place, rows[i].pressed, &modifiers), rows[i].code);
    }
}

/* The keys labelled 1 to 6 of an AZERTY keyboard select methods. Before, they did nothing, and 6 removed particles. */
static void test_keys_of_a_french_keyboard(void **state) {
    (void)state;
    program program;
    const char *arguments[] = {"pool", SMALL, "--json", NULL};
    open_window(&program, arguments);
    layout_of("French");
    press_layout_key(L'é', SDL_SCANCODE_2, KMOD_NONE, "é");
    await_line(&program, "SPH with near pressure");
    press_layout_key('-', SDL_SCANCODE_6, KMOD_NONE, "-");
    await_line(&program, "FLIP");
    press_layout_key('1', SDL_SCANCODE_1, KMOD_LSHIFT, "1");
    await_line(&program, "Double density relaxation");
    press_layout_key(')', SDL_SCANCODE_MINUS, KMOD_NONE, ")");
    await_line(&program, "Particles\",\"value\":320");
    press_layout_key('=', SDL_SCANCODE_EQUALS, KMOD_NONE, "=");
    await_line(&program, "Particles\",\"value\":400");
    set_keyboard_layout(NULL, 0);
    hand("key Escape");
    assert_exit(&program, 0);
}

/* An input method receives the keys while SDL's text input is on: only while a text field has the keyboard focus. */
static void test_text_input(void **state) {
    (void)state;
    program program;
    const char *arguments[] = {"pool", "--size", "900x600", "--view", "sprites", "--particles", "400", "--json", NULL};
    open_window(&program, arguments);
    assert_false(SDL_IsTextInputActive());
    hand("key ctrl+o");
    make_frames(3);
    assert_true(SDL_IsTextInputActive()); /* the search */
    press_layout_key('w', SDL_SCANCODE_W, KMOD_NONE, "w");
    hand("key Escape"); /* the search has the text, which the first Escape deletes */
    make_frames(3);
    assert_true(SDL_IsTextInputActive());
    hand("key Escape");
    make_frames(3);
    assert_false(SDL_IsTextInputActive());
    hand("key Tab");
    at_place(&program, "keydown ctrl click 1 keyup ctrl", "Strength");
    make_frames(3);
    assert_true(SDL_IsTextInputActive()); /* the number of a slider */
    press_layout_key('2', SDL_SCANCODE_2, KMOD_NONE, "2");
    hand("key Return");
    await_line(&program, "Gravity");
    make_frames(3);
    assert_false(SDL_IsTextInputActive());
    press_layout_key('v', SDL_SCANCODE_V, KMOD_NONE, NULL);
    await_line(&program, "View");
    hand("key ctrl+q");
    assert_exit(&program, 0);
}

TEST_GROUP(window_keyboard) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_letters_and_digits),
        cmocka_unit_test(test_signs),
        cmocka_unit_test(test_every_sign_is_reachable),
        cmocka_unit_test(test_shift_and_altgr),
        cmocka_unit_test(test_number_pad),
        cmocka_unit_test_setup_teardown(test_keys_of_a_french_keyboard, set_up, end_programs),
        cmocka_unit_test_setup_teardown(test_text_input, set_up, end_programs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
