/* Settings of the window for each method: parameters of the keys, and initial radius of the tool. */
#ifndef PUDDLE_APP_TABLES_CONTROLS_H
#define PUDDLE_APP_TABLES_CONTROLS_H

#include <puddle/method.h>

typedef struct pd_controls {
    const char *method;    /* name of the method: "ddr" */
    const char *stiffness; /* key of the parameter that Up and Down change: "stiffness"; NULL: none */
    const char *viscosity; /* key of the parameter that [ and ] change; NULL: none */
    float tool_size;       /* initial radius of the tool / half the smaller side of the view (pd_pointer.size) */
} pd_controls;

/* Returns the settings of a method. A method that is not in the table has default settings without parameters. */
const pd_controls *pd_controls_find(const pd_method_info *method);

/* Returns the key that selects a method: '1' for the first method, to '9'. 0: none. */
char pd_controls_method_key(const pd_method_info *method);
/* Returns the method that a key ('1' to '9') selects. NULL: none. */
const pd_method_info *pd_controls_find_method(char key);

/* Returns the key of the last method: '6'. */
char pd_controls_last_method_key(void);

/* Returns the next larger (`direction` 1) or smaller (-1) value of a parameter for one key press, within the parameter's range.
 *
 *     scale of the parameter    change
 *     linear                    1/50 of the range
 *     logarithmic               10 % of the value; below 1e-4 of the maximum follows the minimum 0
 *     whole numbers             1 */
float pd_parameter_nudge(const pd_parameter *parameter, float value, int direction);

#endif
