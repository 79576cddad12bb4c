/* Keys of each method in the window, and its initial size of the tool. */
#ifndef PUDDLE_APP_TABLES_CONTROLS_H
#define PUDDLE_APP_TABLES_CONTROLS_H

#include <puddle/method.h>

typedef struct pd_controls {
    const char *method;    /* name of the method */
    const char *stiffness; /* parameter that the keys Up and Down change: "stiffness"; NULL: none */
    const char *viscosity; /* parameter that the keys [ and ] change; NULL: none */
    float tool_size;       /* initial radius of the tool / half the container's smaller side */
} pd_controls;

/* Returns the row of a method. A method without a row gets a common one without parameters. */
const pd_controls *pd_controls_find(const pd_method_info *method);

/* Returns the key that selects a method: '1' for the first in the list of methods. 0: none. */
char pd_method_find_key(const pd_method_info *method);
/* Returns the method that a key selects. NULL: none. */
const pd_method_info *pd_method_find_by_key(char key);

/* Returns the value of a parameter after one key press up (`direction` 1) or down (-1), clamped to the range.
 *
 * The value changes by
 *
 *     linear         1/50 of the range
 *     logarithmic    10 % of the value
 *     whole numbers  1
 *
 * The least positive value of a logarithmic parameter with the minimum 0 is 1e-4 of its maximum. */
float pd_parameter_nudge(const pd_parameter *parameter, float value, int direction);

#endif
