/* Which key of the table of keys a key of the keyboard is, on any keyboard layout. */
#ifndef PUDDLE_APP_KEYBOARD_H
#define PUDDLE_APP_KEYBOARD_H

typedef struct SDL_Keysym SDL_Keysym;

/* Returns the code of a key (pd_key_stroke.code). 0: the table has no such key. *modifiers: receives the sum of PD_SHIFT and PD_CONTROL,
 * without a Shift that selects the sign or digit.
 *
 * The rule: keys of the digit row are digits by position; other keys go by their label, which is their character without Shift; a
 * letter or sign that is no key's label goes by its position on a US keyboard.
 *
 * Text events are not used: an input method would receive the keys, and return them late or as other characters. SDL reports no
 * labels but those without Shift. Some layouts have a sign only with Shift or AltGr. The function finds these signs where common
 * layouts have them. */
int pd_keyboard_find_code(const SDL_Keysym *key, int *modifiers);

#endif
