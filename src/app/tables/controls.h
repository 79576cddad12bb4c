/* Settings of the window for each method: parameters of the keys, and initial radius of the tool. */
#ifndef PUDDLE_APP_TABLES_CONTROLS_H
#define PUDDLE_APP_TABLES_CONTROLS_H

#include <puddle/method.h>

typedef struct pd_controls {
    const char *method;    /* name of the method: "ddr" */
    const char *stiffness; /* key of the parameter that Up and Down change: "stiffness"; NULL: none */
    const char *viscosity; /* key of the parameter that [ and ] change; NULL: none */
    float tool_size;       /* initial radius of the tool, in units of half the smaller side of the view */
} pd_controls;

/* Returns the settings of a method. A method that is not in the table has default settings without parameters. */
const pd_controls *pd_controls_of_method(const pd_method_info *method);

/* Returns the key that selects a method: '1' for the first method, ..., '9' for the ninth. 0: no key. */
char pd_controls_method_key(const pd_method_info *method);
/* Returns the method that a key ('1' to '9') selects. NULL: none. */
const pd_method_info *pd_controls_method_of_key(char key);

/* Returns the key of the last method: '6'. */
char pd_controls_last_method_key(void);

/* Returns the value of a parameter after one press of its key: larger (`direction` 1) or smaller (-1), within the range.
 *
 *     scale of the parameter    change
 *     linear                    1/50 of the range
 *     logarithmic               10 % of the value; with minimum 0, the value after 0 is 1e-4 of the maximum
 *     whole numbers             1 */
float pd_parameter_next_value(const pd_parameter *parameter, float value, int direction);

#endif
