/* Parameters: each is declared once, in its method's table. Scene keys, --set, sliders, keyboard steps, range errors
 * and `puddle list parameters` are derived from that table. */
#ifndef PUDDLE_PARAMETER_H
#define PUDDLE_PARAMETER_H

#include <puddle/result.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { PD_MAX_PARAMETERS = 24 }; /* of one method */

typedef enum pd_parameter_type {
    PD_PARAMETER_NUMBER,
    PD_PARAMETER_INTEGER,
    PD_PARAMETER_BOOLEAN, /* 0 or 1; written false and true */
    PD_PARAMETER_CHOICE,  /* index of a word in choices, from 0 */
} pd_parameter_type;

typedef enum pd_parameter_scale { PD_SCALE_LINEAR, PD_SCALE_LOGARITHMIC } pd_parameter_scale;

/* How a default scales with the scene. The table's default holds for the scene of Kuepers' article, scaled to a circle
 * of radius L0 = 1 m with gravity g0 = 1.567 m/s^2 and about 1,500 particles (spacing s0 = 0.0341 m). In another scene
 * it is multiplied by
 *     ((s/L) / (s0/L0))^resolution * (L / L0)^length * (sqrt(L/g) / sqrt(L0/g0))^time,
 * s: initial spacing of the particles, L: the container's radius, half of its smaller side, or half of the regions'
 * extent where there is no container; g: gravity. The fluid is then equally stiff at every particle count, size and
 * gravity. All powers 0: the default is fixed. */
typedef struct pd_parameter_powers {
    signed char resolution, length, time;
} pd_parameter_powers;

typedef struct pd_parameter {
    const char *key;    /* without the method's name: "stiffness" */
    const char *title;  /* "Stiffness" */
    const char *unit;   /* "m/s²", or "" */
    const char *help;   /* one line */
    const char *source; /* paper, algorithm or section; "": none */
    pd_parameter_type type;
    pd_parameter_scale scale;
    float default_value, minimum, maximum;
    pd_parameter_powers follows;
    const char *choices; /* "gauss_seidel|multigrid", or NULL */
    bool in_container;   /* a length that must not exceed the container's radius or half of its smaller side */
    bool rebuilds;       /* the method allocates and fills its memory anew for a value: sliders set it when released */
    bool at_reset;       /* takes effect when the world is reset */
} pd_parameter;

/* Looks up a full key ("ddr.stiffness"). *method: index for pd_method_at; *index: position in that method's table.
 * Errors: PARAMETER_UNKNOWN (the message suggests the nearest key). */
pd_result pd_parameter_find(const char *key, int *method, int *index, pd_error *error);
/* Reads a value as written in --set or a scene ("35", "true", "multigrid") and checks it against the table.
 * Errors: PARAMETER_VALUE (the message gives the valid values). */
pd_result pd_parameter_parse(const pd_parameter *parameter, const char *text, float *value, pd_error *error);
/* Checks a value against type and range; NAN is out of range. Errors: PARAMETER_VALUE. */
pd_result pd_parameter_check(const pd_parameter *parameter, float value, pd_error *error);
/* Formats a value so that pd_parameter_parse restores it; text: size bytes, longer results are cut. Returns text. */
char *pd_parameter_format(const pd_parameter *parameter, float value, char *text, size_t size);
/* One keyboard step up (+1) or down (-1) from value, clamped to the range: 10 % of the value on a logarithmic scale,
 * 1/50 of the range on a linear one, 1 of an integer or choice. A logarithmic parameter whose minimum is 0 goes from 0
 * to 1e-4 of its maximum, and below that to 0. */
float pd_parameter_nudge(const pd_parameter *parameter, float value, int direction);

#ifdef __cplusplus
}
#endif
#endif
