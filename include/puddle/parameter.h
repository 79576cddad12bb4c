/** @file
 * Parameters of methods.
 *
 * Each parameter is declared once, in the table of its method.
 * Scene keys, range errors and the program's flags, sliders and lists are made from this table.
 */
#ifndef PUDDLE_PARAMETER_H
#define PUDDLE_PARAMETER_H

#include <puddle/result.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Limit of a method's table of parameters. */
enum { PD_MAX_PARAMETERS = 24 /**< Greatest number of parameters of one method. */ };

/** Type of a parameter. Every value is stored as a float. */
typedef enum pd_parameter_type {
    PD_PARAMETER_NUMBER,  /**< Any number in the range. */
    PD_PARAMETER_INTEGER, /**< A whole number in the range. */
    PD_PARAMETER_BOOLEAN, /**< 0 or 1, written `false` and `true`. */
    PD_PARAMETER_CHOICE,  /**< Index, from 0, of a word in pd_parameter.choices. */
} pd_parameter_type;

/** Scale on which equal distances are equal changes of a parameter, as on a slider. */
typedef enum pd_parameter_scale {
    PD_SCALE_LINEAR,     /**< Equal distances are equal differences of the value. */
    PD_SCALE_LOGARITHMIC /**< Equal distances are equal ratios of values. */
} pd_parameter_scale;

/** Powers by which a default scales with the scene.
 *
 * The default in a scene is pd_parameter.default_value times
 *
 *     ((s/L) / (s0/L0))^resolution * (L/L0)^length * (sqrt(L/g) / sqrt(L0/g0))^time * sqrt(p)^speed
 *
 * rounded to six digits and clamped to the range.
 * - s: initial spacing of the particles, m.
 * - L: radius of a circle, or half of the smaller side of a box, m. Without a container: greatest |x| or |y| of a region.
 * - g: gravity of the scene, m/s^2. Without gravity g = g0.
 * - s0 = 0.0341 m, L0 = 1 m, g0 = 1.567 m/s^2: values of the scene in Kuepers' article (source of `ddr`), scaled to a
 *   circle of radius 1 m with about 1,500 particles.
 * - p = max(1, G H / (g L) - 1): factor of deep fluid. G: present gravity, m/s^2. H: present height of the fluid along
 *   gravity, m. p follows changes with a time constant of 0.5 s. A full square box has H = 2 L and p = 1.
 *
 * With these powers the fluid is equally stiff at every particle count, size, gravity and depth. If all powers are 0, the
 * default does not depend on the scene. */
typedef struct pd_parameter_powers {
    signed char
        resolution, /**< Power of the relative spacing (s/L) / (s0/L0) in the default: -1 for a number of cells. */
        length,     /**< Power of the length L/L0. */
        time,       /**< Power of the time sqrt(L/g) / sqrt(L0/g0). */
        speed;      /**< Power of the speed sqrt(p). */
} pd_parameter_powers;

/** Least default of a stiffness in fluid with surface tension, so that particles stay apart.
 *
 * The default is raised to factor * G / (s^spacing * m^mass), but at most fourfold.
 * - G: surface tension over the density, m^3/s^2. m: mass of the material. The greatest value of all materials counts.
 * - s: initial spacing of the particles, m.
 *
 * 0: the default does not depend on the surface tension. */
typedef struct pd_parameter_tension {
    float factor;        /**< Factor of the formula. */
    signed char spacing, /**< Power of the spacing s. */
        mass;            /**< Power of the mass m. */
} pd_parameter_tension;

/** A parameter of a method. */
typedef struct pd_parameter {
    const char *key;                   /**< Key without the name of the method: "stiffness". */
    const char *title;                 /**< Title in the panel: "Stiffness". */
    const char *unit;                  /**< Unit: "m/s²", or "". */
    const char *help;                  /**< Explanation in one line. */
    const char *source;                /**< Source: paper, algorithm or section. "": none. */
    pd_parameter_type type;            /**< Type of the value. */
    pd_parameter_scale scale;          /**< Linear or logarithmic scale of the range. */
    float default_value,               /**< Default in the reference scene of ::pd_parameter_powers. */
        minimum,                       /**< Least value. */
        maximum;                       /**< Greatest value: 1 for booleans, the index of the last word for choices. */
    pd_parameter_powers follows;       /**< Powers by which the default scales with the scene. */
    pd_parameter_tension with_tension; /**< Least default in fluid with surface tension. */
    const char *choices; /**< Words of a ::PD_PARAMETER_CHOICE: "gauss_seidel|multigrid". NULL: another type. */
    bool in_container;   /**< Whether the value is a length that must fit into the container. */
    bool rebuilds;       /**< Whether a change of the value allocates the method's memory anew. */
    bool at_reset;       /**< Whether a change of the value takes effect only at the next reset of the world. */
} pd_parameter;

/** Finds a parameter by its full key ("ddr.stiffness").
 *
 * `*method_index` receives an index for pd_method_at(), `*parameter_index` an index for
 * pd_method_parameter_at().
 * Errors: PARAMETER_UNKNOWN (the message suggests the nearest key). */
PD_API pd_result pd_parameter_find(const char *key, int *method_index, int *parameter_index, pd_error *error);
/** Reads a value as written in a scene or after `--set` ("35", "true", "multigrid"), and checks its range.
 *
 * Errors: PARAMETER_VALUE (the message gives the valid values). */
PD_API pd_result pd_parameter_parse(const pd_parameter *parameter, const char *text, float *value, pd_error *error);
/** Checks a value against type and range. NAN is out of range.
 *
 * Errors: PARAMETER_VALUE. */
PD_API pd_result pd_parameter_check(const pd_parameter *parameter, float value, pd_error *error);
/** Writes a value as text that pd_parameter_parse() reads as the same value.
 *
 * Longer texts are cut to `size` bytes with the terminating zero. Returns `text`. */
PD_API char *pd_parameter_format(const pd_parameter *parameter, float value, char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
