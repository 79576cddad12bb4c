/* Parameters: each is declared once, in its method's table, and everything else (scene keys, --set, sliders, keyboard
 * steps, range errors, `puddle list parameters`) is read from there. */
#ifndef PUDDLE_PARAMETER_H
#define PUDDLE_PARAMETER_H

#include <puddle/result.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { PD_MAX_PARAMETERS = 16 }; /* of one method */

typedef enum pd_parameter_type {
    PD_PARAMETER_NUMBER,
    PD_PARAMETER_INTEGER,
    PD_PARAMETER_BOOLEAN, /* 0 or 1; written true and false */
    PD_PARAMETER_CHOICE,  /* index of a word in choices */
} pd_parameter_type;

typedef enum pd_parameter_scale { PD_SCALE_LINEAR, PD_SCALE_LOGARITHMIC } pd_parameter_scale;

/* How a default follows the scene. The table's default is meant for the article's own scene scaled to a circle of radius
 * L = 1 m with gravity g = 1.567 m/s^2 and 1,500 particles. Elsewhere it is multiplied by
 *     (spacing/L relative to the article's)^resolution * (L / 1 m)^length * (sqrt(L/g) relative to the article's)^time,
 * so that the same fluid is equally stiff at every particle count, size and gravity. All zero: the default is fixed. */
typedef struct pd_parameter_powers {
    signed char resolution, length, time;
} pd_parameter_powers;

typedef struct pd_parameter {
    const char *key;   /* without the method: "stiffness" */
    const char *title; /* "Stiffness" */
    const char *unit;  /* "m/s²", or "" */
    const char *help;  /* one line */
    const char *source;
    pd_parameter_type type;
    pd_parameter_scale scale;
    float default_value, minimum, maximum;
    pd_parameter_powers follows;
    const char *choices; /* "gauss_seidel|multigrid", or NULL */
    bool in_container;   /* a length that must not be larger than the container's radius, or half its smaller side */
} pd_parameter;

/* Looks up "ddr.stiffness": the method by its index (puddle/method.h), the parameter by its place in that method's table. Errors: PARAMETER_UNKNOWN (the message names the nearest key). */
pd_result pd_parameter_find(const char *key, int *method, int *index, pd_error *error);
/* Reads a value as written in --set or a scene ("35", "true", "multigrid") and checks it against the table.
 * Errors: PARAMETER_VALUE, saying what would be right. */
pd_result pd_parameter_parse(const pd_parameter *parameter, const char *text, float *value, pd_error *error);
/* Checks a number against type and range. Errors: PARAMETER_VALUE. */
pd_result pd_parameter_check(const pd_parameter *parameter, float value, pd_error *error);
/* Writes a value as it is read; returns text. */
char *pd_parameter_format(const pd_parameter *parameter, float value, char *text, size_t size);
/* One keyboard step up (+1) or down (-1) from value, kept in range: a tenth on a logarithmic scale, a fiftieth of the
 * range on a linear one; a logarithmic parameter at 0 starts from its smallest useful value. */
float pd_parameter_nudge(const pd_parameter *parameter, float value, int direction);

#ifdef __cplusplus
}
#endif
#endif
