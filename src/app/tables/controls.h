/* How the window controls each method: keys on the keyboard, and the size of the tool. */
#ifndef PUDDLE_APP_TABLES_CONTROLS_H
#define PUDDLE_APP_TABLES_CONTROLS_H

#include <puddle/method.h>

typedef struct pd_controls {
    const char *method;
    const char *stiffness; /* parameter of the keys Up and Down: "stiffness"; NULL: none */
    const char *viscosity; /* parameter of the keys [ and ]; NULL: none */
    float tool_size;       /* initial radius of the tool, relative to half the container's smaller side */
} pd_controls;

/* The controls of a method. A method without a row in the table has the size of the others, and no parameters. */
const pd_controls *pd_controls_of(const pd_method_info *method);

/* The key of a method: '1' for the first of the list. 0: the method has none. */
char pd_key_of_method(const pd_method_info *method);
/* The method of a key. NULL: none. */
const pd_method_info *pd_method_of_key(char key);

/* The value of a number one keyboard step up (`direction` 1) or down (-1), clamped to the range.
 *
 *     linear         1/50 of the range
 *     logarithmic    10 % of the value
 *     whole numbers  1
 *
 * A logarithmic parameter with the minimum 0 steps from 0 up to 1e-4 of its maximum, and from there down to 0. */
float pd_parameter_nudge(const pd_parameter *parameter, float value, int direction);

#endif
