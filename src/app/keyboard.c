/* Finds keys of the table by label or position. */
#include "app/keyboard.h"

#include "app/tables/keys.h"

#include <SDL.h>
#include <string.h>

static const char table_signs[] = "-=+[].,<"; /* signs of the table that a key may have as label */

/* Returns the code of a key without a character on its label, such as an arrow. 0: none. */
static int find_named_code(SDL_Keycode label) {
    static const struct {
        SDL_Keycode label;
        int code;
    } named[] = {{SDLK_UP, PD_KEY_UP},
                 {SDLK_DOWN, PD_KEY_DOWN},
                 {SDLK_LEFT, PD_KEY_LEFT},
                 {SDLK_RIGHT, PD_KEY_RIGHT},
                 {SDLK_TAB, PD_KEY_TAB},
                 {SDLK_BACKSPACE, PD_KEY_BACKSPACE},
                 {SDLK_ESCAPE, PD_KEY_ESCAPE},
                 {SDLK_RETURN, PD_KEY_ENTER},
                 {SDLK_KP_ENTER, PD_KEY_ENTER},
                 {SDLK_PAGEUP, PD_KEY_PAGE_UP},
                 {SDLK_PAGEDOWN, PD_KEY_PAGE_DOWN},
                 {SDLK_HOME, PD_KEY_HOME},
                 {SDLK_END, PD_KEY_END},
                 {SDLK_SPACE, ' '},
                 {SDLK_KP_MINUS, '-'},
                 {SDLK_KP_PLUS, '+'},
                 {SDLK_KP_EQUALS, '='}};
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        if (named[i].label == label) return named[i].code;
    return label >= SDLK_F1 && label <= SDLK_F12 ? PD_KEY_F1 + (int)(label - SDLK_F1) : 0;
}

/* Returns the code of a key of the number pad that has a digit or the decimal point. 0: the key has no code. Num Lock selects
 * between the two labels of such a key. */
static int find_number_pad_code(SDL_Keycode label, bool num_lock) {
    static const int without_lock[9] = {PD_KEY_END,   PD_KEY_DOWN, PD_KEY_PAGE_DOWN, PD_KEY_LEFT,   0,
                                        PD_KEY_RIGHT, PD_KEY_HOME, PD_KEY_UP,        PD_KEY_PAGE_UP};
    if (label == SDLK_KP_PERIOD) return num_lock ? '.' : 0;
    int index = (int)(label - SDLK_KP_1);
    if (index < 0 || index >= 9) return 0;
    return num_lock ? '1' + index : without_lock[index];
}

static bool is_in_digit_row(SDL_Scancode place) { return place >= SDL_SCANCODE_1 && place <= SDL_SCANCODE_0; }

/* Returns whether a character is the label of a key outside the digit row. */
static bool is_a_label(int character) {
    for (int place = SDL_SCANCODE_A; place <= SDL_SCANCODE_INTERNATIONAL9; place++)
        if (!is_in_digit_row((SDL_Scancode)place) && SDL_GetKeyFromScancode((SDL_Scancode)place) == character)
            return true;
    return false;
}

static bool is_letter(SDL_Keycode label) { return label >= 'a' && label <= 'z'; }

static int find_letter(const SDL_Keysym *key) {
    static const SDL_Keycode DOTLESS_I = 0x131; /* in Turkish layouts the lower case of the label I */
    if (is_letter(key->sym)) return key->sym;
    if (key->sym == DOTLESS_I) return 'i';
    if (key->scancode < SDL_SCANCODE_A || key->scancode > SDL_SCANCODE_Z) return 0;
    int letter = 'a' + (int)(key->scancode - SDL_SCANCODE_A);
    return is_a_label(letter) ? 0 : letter;
}

typedef enum level { PLAIN, SHIFTED, ALTGR } level;

/* Returns the sign at a position. 0: none. Signs that are labels are not at these positions. */
static int find_sign_by_position(SDL_Scancode place, level level) {
    static const struct {
        SDL_Scancode place;
        enum level level;
        char sign;
    } positions[] = {
        /* a US keyboard */
        {SDL_SCANCODE_MINUS, PLAIN, '-'},
        {SDL_SCANCODE_EQUALS, PLAIN, '='},
        {SDL_SCANCODE_LEFTBRACKET, PLAIN, '['},
        {SDL_SCANCODE_RIGHTBRACKET, PLAIN, ']'},
        {SDL_SCANCODE_COMMA, PLAIN, ','},
        {SDL_SCANCODE_PERIOD, PLAIN, '.'},
        /* layouts of Europe */
        {SDL_SCANCODE_0, SHIFTED, '='},
        {SDL_SCANCODE_8, ALTGR, '['},
        {SDL_SCANCODE_9, ALTGR, ']'},
        {SDL_SCANCODE_LEFTBRACKET, ALTGR, '['},
        {SDL_SCANCODE_RIGHTBRACKET, ALTGR, ']'},
    };
    for (size_t i = 0; i < sizeof positions / sizeof *positions; i++)
        if (positions[i].place == place && positions[i].level == level && !is_a_label(positions[i].sign))
            return positions[i].sign;
    return 0;
}

/* Returns the sign of a key. Sets *shift to false if Shift selects the sign. */
static int find_sign(const SDL_Keysym *key, bool *shift) {
    int above = *shift ? find_sign_by_position(key->scancode, SHIFTED) : 0;
    bool is_label = key->sym > 0 && key->sym < 128 && strchr(table_signs, key->sym) != NULL;
    int sign = is_label ? key->sym : find_sign_by_position(key->scancode, PLAIN);
    if (*shift && key->sym == ';' && !is_a_label('.')) above = '.'; /* AZERTY */
    if (*shift && !above) above = sign == ',' ? '<' : sign == '.' || sign == '<' ? '>' : sign == '=' ? '+' : 0;
    if (above) *shift = false;
    return above ? above : sign;
}

int pd_keyboard_find_code(const SDL_Keysym *key, int *modifiers) {
    bool shift = (key->mod & KMOD_SHIFT) != 0, altgr = (key->mod & (KMOD_RALT | KMOD_MODE)) != 0;
    bool is_digit = is_in_digit_row(key->scancode) && key->scancode != SDL_SCANCODE_0;
    int code = find_named_code(key->sym);
    if (!code) code = find_number_pad_code(key->sym, (key->mod & KMOD_NUM) != 0);
    if (!code && altgr) {
        code = find_sign_by_position(key->scancode, ALTGR);
    } else if (!code && is_digit) {
        code = '1' + (int)(key->scancode - SDL_SCANCODE_1);
        shift = false;
    } else if (!code) {
        code = find_letter(key);
        if (!code) code = find_sign(key, &shift);
    }
    *modifiers = (key->mod & KMOD_CTRL ? PD_CONTROL : 0) | (shift ? PD_SHIFT : 0);
    return code;
}
