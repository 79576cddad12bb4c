/* Listings of methods, their views and their parameters. */
#include "app/tables/controls.h"
#include "cli/json.h"
#include "cli/list/list.h"
#include "core/text.h"
#include "render/picture.h"

#include <puddle/puddle.h>
#include <stdio.h>
#include <string.h>

#define COUNT_OF(array) ((int)(sizeof(array) / sizeof *(array)))

/* ---- Methods ---- */

int list_methods(listing *list) {
    static const listing_column columns[] = {
        {"method", "name", 8, .code = true},
        {"title", "title", 30},
        {"good for", "suits"},
        {"idea", "idea", NOT_IN_TEXT},
        {"source", "source", NOT_IN_TEXT},
        {"key", "key", NOT_IN_TEXT},
        {"views", "views", NOT_IN_TEXT},
    };
    listing_begin_table(list, columns, COUNT_OF(columns), false);
    for (int i = 0; i < pd_method_count(); i++) {
        const pd_method_info *method = pd_method_at(i);
        char names[256] = "";
        cJSON *views = cJSON_CreateArray();
        for (int v = 0; v < method->view_count; v++) {
            cJSON_AddItemToArray(views, cJSON_CreateString(pd_method_view_at(method, v)->name));
            pd_text_append_word(names, sizeof names, ", ", pd_method_view_at(method, v)->name);
        }
        listing_add_text(list, method->name);
        listing_add_text(list, method->title);
        listing_add_text(list, method->suits);
        listing_add_text(list, method->idea);
        listing_add_text(list, method->source);
        listing_add_text(list, (char[]){pd_controls_method_key(method), '\0'});
        listing_add_cell(list, names, views);
    }
    return 0;
}

/* ---- Views ---- */

static const char *const view_kinds[] = {
    [PD_VIEW_SURFACE] = "surface of the fluid, in the colours of its materials",
    [PD_VIEW_SPRITES] = "disc for each particle, in the colour of its material",
    [PD_VIEW_PARTICLES] = "disc for each particle, coloured by the field",
    [PD_VIEW_IMAGE] = "cells, coloured by the field",
    [PD_VIEW_DYES] = "cells, in the colours of the dyes, mixed by amount",
    [PD_VIEW_VORTICES] = "disc for each vortex, as wide as its core, coloured by its circulation",
};

static const pd_field_info *find_field(const pd_method_info *method, const char *name) {
    for (int i = 0; name && i < method->field_count; i++)
        if (strcmp(pd_method_field_at(method, i)->name, name) == 0) return pd_method_field_at(method, i);
    return NULL;
}

int list_views(listing *list) {
    static const listing_column columns[] = {
        {"method", "method", 8, .in_section = true},
        {"view", "name", 14, .code = true},
        {"field", "field", 14},
        {"unit", "unit", 8},
        {"lines", "lines", 12},
        {"picture", "picture"},
    };
    listing_begin_table(list, columns, COUNT_OF(columns), true);
    for (int m = 0; m < pd_method_count(); m++) {
        const pd_method_info *method = pd_method_at(m);
        listing_begin_section(list, method->name, method->title, NULL);
        for (int v = 0; v < method->view_count; v++) {
            const pd_view_mode *view = pd_method_view_at(method, v);
            const pd_field_info *field = find_field(method, view->field);
            listing_add_text(list, method->name);
            listing_add_text(list, view->name);
            listing_add_text(list, field ? field->title : "");
            listing_add_text(list, field ? field->unit : "");
            listing_add_text(list, pd_lines_name(view->lines));
            listing_add_text(list, view_kinds[view->kind]);
        }
    }
    return 0;
}

/* ---- Parameters ---- */

/* Writes the quantities on which a parameter's default depends ("resolution, size"), "" for a constant default. The scene's
 * unit of time is sqrt(size / gravity), so a default with a power of time depends on size and gravity. */
static void write_default_quantities(const pd_parameter *parameter, char *text, size_t size) {
    const pd_parameter_powers *powers = &parameter->follows;
    const char *const names[] = {"resolution", "size", "gravity", "depth", "surface tension"};
    const bool depends[] = {powers->resolution != 0, 2 * powers->length + powers->time != 0, powers->time != 0,
                            powers->speed != 0, parameter->with_tension.factor > 0};
    enum { QUANTITIES = sizeof names / sizeof *names };
    int left = 0;
    for (int i = 0; i < QUANTITIES; i++)
        if (depends[i]) left++;
    *text = '\0';
    for (int i = 0; i < QUANTITIES; i++) {
        if (!depends[i]) continue;
        left--;
        pd_text_append_word(text, size, left > 0 ? ", " : " and ", names[i]);
    }
}

/* Writes the powers to which a parameter's default is proportional: "resolution^-1 length", "" for a constant default. */
static void write_default_formula(const pd_parameter_powers *powers, char *text, size_t size) {
    const struct {
        const char *name;
        int power;
    } parts[] = {{"resolution", powers->resolution},
                 {"length", powers->length},
                 {"time", powers->time},
                 {"speed", powers->speed}};
    *text = '\0';
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (parts[i].power == 0) continue;
        pd_text_append_word(text, size, " ", parts[i].name);
        if (parts[i].power != 1) pd_text_append(text, size, "^%d", parts[i].power);
    }
}

static void describe_range(const pd_parameter *parameter, char *text, size_t size) {
    char low[PD_FLOAT_TEXT], high[PD_FLOAT_TEXT];
    if (parameter->type == PD_PARAMETER_BOOLEAN)
        snprintf(text, size, "true or false");
    else if (parameter->type == PD_PARAMETER_CHOICE)
        snprintf(text, size, "%s", parameter->choices);
    else
        snprintf(text, size, "%s to %s", pd_text_write_float(parameter->minimum, low),
                 pd_text_write_float(parameter->maximum, high));
}

static cJSON *create_default_json(const pd_parameter *parameter, const char *text) {
    if (parameter->type == PD_PARAMETER_BOOLEAN) return cJSON_CreateBool(parameter->default_value != 0);
    if (parameter->type == PD_PARAMETER_CHOICE) return cJSON_CreateString(text);
    return json_create_float(parameter->default_value);
}

/* Adds the cells of a parameter's default, type and range to a listing. */
static void add_parameter_default(listing *list, const pd_parameter *parameter) {
    static const char *const types[] = {[PD_PARAMETER_NUMBER] = "number",
                                        [PD_PARAMETER_INTEGER] = "integer",
                                        [PD_PARAMETER_BOOLEAN] = "boolean",
                                        [PD_PARAMETER_CHOICE] = "choice"};
    char value[32], range[96];
    bool number = parameter->type == PD_PARAMETER_NUMBER || parameter->type == PD_PARAMETER_INTEGER;
    bool choice = parameter->type == PD_PARAMETER_CHOICE;
    const char *scale = parameter->scale == PD_SCALE_LINEAR ? "linear" : "logarithmic";
    pd_parameter_format(parameter, parameter->default_value, value, sizeof value);
    describe_range(parameter, range, sizeof range);
    listing_add_cell(list, value, create_default_json(parameter, value));
    listing_add_text(list, types[parameter->type]);
    listing_add_cell(list, "", choice ? cJSON_CreateString(parameter->choices) : NULL);
    listing_add_cell(list, "", number ? json_create_float(parameter->minimum) : NULL);
    listing_add_cell(list, "", number ? json_create_float(parameter->maximum) : NULL);
    listing_add_cell(list, "", number ? cJSON_CreateString(scale) : NULL);
    listing_add_text(list, range);
}

/* Returns the key of the material property that overrides this parameter of the method for one material. NULL: no property
 * does. */
static const char *find_material_key(const pd_method_info *method, int index) {
    for (int i = 0; i < PD_PROPERTIES; i++)
        if (pd_method_parameter_of_property(method, i) == index) return pd_property_at(i)->key;
    return NULL;
}

static void add_parameter(listing *list, const pd_method_info *method, int index) {
    const pd_parameter *parameter = pd_method_parameter_at(method, index);
    const char *own = find_material_key(method, index);
    char key[PD_MAX_KEY], powers[64], words[64];
    pd_method_parameter_key(method, index, key, sizeof key);
    write_default_formula(&parameter->follows, powers, sizeof powers);
    write_default_quantities(parameter, words, sizeof words);
    listing_add_text(list, key);
    listing_add_text(list, parameter->title);
    add_parameter_default(list, parameter);
    listing_add_text(list, parameter->unit);
    listing_add_text(list, powers);
    listing_add_text(list, parameter->help);
    listing_add_text(list, words);
    listing_add_text(list, words);
    listing_add_text(list, parameter->source ? parameter->source : "");
    listing_add_cell(list, "", own ? cJSON_CreateString(own) : NULL);
}

static void list_material_keys(listing *list) {
    static const listing_column columns[] = {
        {"key of a material", NULL, 24, .code = true},
        {"instead of, in the same unit and range"},
    };
    listing_begin_section(list, "materials", "Keys of materials", NULL);
    listing_begin_table(list, columns, COUNT_OF(columns), true);
    for (int i = 0; i < PD_PROPERTIES; i++) {
        char parameters[256] = "";
        for (int m = 0; m < pd_method_count(); m++) {
            const pd_method_info *method = pd_method_at(m);
            int index = pd_method_parameter_of_property(method, i);
            char key[PD_MAX_KEY];
            if (index < 0) continue;
            pd_text_append_word(parameters, sizeof parameters, ", ",
                                pd_method_parameter_key(method, index, key, sizeof key));
        }
        listing_add_text(list, pd_property_at(i)->key);
        listing_add_text(list, parameters);
    }
}

int list_parameters(listing *list) {
    static const listing_column columns[] = {
        {"key", "key", 24, .code = true},
        {NULL, "title", NOT_IN_TEXT},
        {"default", "default", 12},
        {NULL, "type", NOT_IN_TEXT},
        {NULL, "choices", NOT_IN_TEXT},
        {NULL, "minimum", NOT_IN_TEXT},
        {NULL, "maximum", NOT_IN_TEXT},
        {NULL, "scale", NOT_IN_TEXT},
        {"range", NULL, 16},
        {"unit", "unit", 8},
        {NULL, "follows", NOT_IN_TEXT},
        {"meaning", "help"},
        {NULL, NULL, 0, " (at 1,500 particles; changes with the scene's ", ")"},
        {"default scales with", NULL, NOT_IN_TEXT},
        {"source", "source", NOT_IN_TEXT},
        {NULL, "material_key", NOT_IN_TEXT},
    };
    listing_begin_table(list, columns, COUNT_OF(columns), true);
    for (int m = 0; m < pd_method_count(); m++) {
        const pd_method_info *method = pd_method_at(m);
        listing_begin_section(list, method->name, method->title, NULL);
        for (int i = 0; i < method->parameter_count; i++) add_parameter(list, method, i);
    }
    list_material_keys(list);
    return 0;
}
