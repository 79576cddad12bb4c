/** @file
 * Constant descriptions of the methods, available without a world.
 */
#ifndef PUDDLE_METHOD_H
#define PUDDLE_METHOD_H

#include <puddle/parameter.h>
#include <puddle/view.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Description of a method. A pointer to a description is valid as long as the program runs. */
typedef struct pd_method_info {
    const char *name;    /**< Name in scene files: "ddr". */
    const char *title;   /**< Title: "Double density relaxation". */
    const char *idea;    /**< What the method does: "Computes the velocity from vortices". */
    const char *suits;   /**< What the method is good for: "Waves and thin sheets". */
    const char *source;  /**< Paper or article. */
    int parameter_count; /**< Number of parameters: pd_method_parameter_at(). */
    int field_count;     /**< Number of fields: pd_method_field_at(). */
    int number_count;    /**< Number of quantities of the whole fluid: pd_method_number_at(). */
    int view_count;      /**< Number of view modes: pd_method_view_at(). */
    unsigned features;   /**< The ::pd_scene_feature bits that the method supports. */
    bool paints;         /**< Whether the method has dyes, which the tool ::PD_TOOL_PAINT adds. */
} pd_method_info;

/** Returns the number of methods. */
PD_API int pd_method_count(void);
/** Returns a method by index, 0 to pd_method_count() - 1. Never returns NULL. */
PD_API const pd_method_info *pd_method_at(int index);
/** Returns a method by name ("ddr"). NULL: no method has the name. */
PD_API const pd_method_info *pd_method_find(const char *name);
/** Checks that there is a method of this name.
 *
 * Errors: METHOD_UNKNOWN. */
PD_API pd_result pd_method_check(const char *name, pd_error *error);
/** Writes the names of all methods as a list: "ddr, sph or pbf".
 *
 * Longer texts are cut to `size` bytes with the terminating zero. Returns `text`. */
PD_API char *pd_method_list_names(char *text, size_t size);
/** Returns a parameter of a method by index, 0 to pd_method_info.parameter_count - 1. */
PD_API const pd_parameter *pd_method_parameter_at(const pd_method_info *method, int index);
/** Writes the full key of a parameter: "ddr.radius". `index`: as in pd_method_parameter_at().
 *
 * Longer texts are cut to `size` bytes with the terminating zero. #PD_MAX_KEY bytes are enough. Returns `key`. */
PD_API char *pd_method_parameter_key(const pd_method_info *method, int index, char *key, size_t size);
/** Returns the description of a field by index, 0 to pd_method_info.field_count - 1. pd_view_field() computes the field. */
PD_API const pd_field_info *pd_method_field_at(const pd_method_info *method, int index);
/** Returns the description of a quantity of the whole fluid, such as circulation, by index.
 *
 * `index`: 0 to pd_method_info.number_count - 1. pd_view_number() computes the quantity. */
PD_API const pd_number_info *pd_method_number_at(const pd_method_info *method, int index);
/** Returns a view mode of a method by index, 0 to pd_method_info.view_count - 1. The first is the default. */
PD_API const pd_view_mode *pd_method_view_at(const pd_method_info *method, int index);
/** Returns the index of the parameter that a material's own value of a ::pd_property replaces.
 *
 * The index is that of pd_method_parameter_at().
 * -1: there is no such property, or no parameter of the method has this property in the same unit.
 * For example, the viscosity of `sph` and `pbf` has another unit. */
PD_API int pd_method_parameter_of_property(const pd_method_info *method, int property);
/** Returns a view mode of a method by name ("surface"). NULL: the method has no view mode of that name. */
PD_API const pd_view_mode *pd_method_find_view(const pd_method_info *method, const char *name);

#ifdef __cplusplus
}
#endif
#endif
