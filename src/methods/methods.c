/* List of the methods, and access to the tables of their parameters, fields, numbers and views. */
#include "core/error.h"
#include "core/text.h"
#include "sim/method.h"

#include <stdio.h>
#include <string.h>

extern const pd_method pd_method_ddr, pd_method_sph, pd_method_pbf, pd_method_grid, pd_method_vortex, pd_method_flip;

enum { MAX_METHODS = 16 };

/* All methods, in the order of pd_method_at. The elements after the last method are NULL, for pd_method_register. */
static const pd_method *methods[MAX_METHODS] = {
    &pd_method_ddr, &pd_method_sph, &pd_method_pbf, &pd_method_grid, &pd_method_vortex, &pd_method_flip,
};

int pd_method_count(void) {
    int count = 0;
    while (count < MAX_METHODS && methods[count]) count++;
    return count;
}

bool pd_method_register(const pd_method *method) {
    int count = pd_method_count();
    if (count == MAX_METHODS || pd_method_find(method->info.name)) return false;
    methods[count] = method;
    return true;
}

const pd_method *pd_method_table_at(int index) {
    PD_ASSERT(index >= 0 && index < pd_method_count());
    return methods[index];
}

const pd_method_info *pd_method_at(int index) {
    PD_ASSERT_INDEX("method", index, pd_method_count());
    return &pd_method_table_at(index)->info;
}

const pd_method_info *pd_method_find(const char *name) {
    for (int i = 0; i < pd_method_count(); i++)
        if (strcmp(methods[i]->info.name, name) == 0) return &methods[i]->info;
    return NULL;
}

char *pd_method_list_names(char *text, size_t size) {
    *text = '\0';
    for (int i = 0; i < pd_method_count(); i++)
        pd_text_append_word(text, size, i + 1 < pd_method_count() ? ", " : " or ", pd_method_at(i)->name);
    return text;
}

pd_result pd_method_check(const char *name, pd_error *error) {
    if (pd_method_find(name)) return PD_OK;
    return pd_fail(error, PD_ERROR_METHOD_UNKNOWN, "unknown method '%.20s' ('puddle list methods' shows all)", name);
}

/* Returns the pd_method whose first member is *info. */
static const pd_method *method_of_info(const pd_method_info *info) { return (const pd_method *)info; }

const pd_parameter *pd_method_parameter_at(const pd_method_info *method, int index) {
    PD_ASSERT_INDEX("parameter", index, method->parameter_count);
    return &method_of_info(method)->parameters[index];
}

char *pd_method_parameter_key(const pd_method_info *method, int index, char *key, size_t size) {
    snprintf(key, size, "%s.%s", method->name, pd_method_parameter_at(method, index)->key);
    return key;
}

const pd_field_info *pd_method_field_at(const pd_method_info *method, int index) {
    PD_ASSERT_INDEX("field", index, method->field_count);
    return &method_of_info(method)->fields[index];
}

const pd_number_info *pd_method_number_at(const pd_method_info *method, int index) {
    PD_ASSERT_INDEX("number", index, method->number_count);
    return &method_of_info(method)->numbers[index];
}

const pd_view_mode *pd_method_view_at(const pd_method_info *method, int index) {
    PD_ASSERT_INDEX("view", index, method->view_count);
    return &method_of_info(method)->views[index];
}

int pd_method_parameter_of_property(const pd_method_info *method, int property) {
    if (property < 0 || property >= PD_PROPERTIES) return -1;
    const pd_property_info *info = pd_property_at(property);
    for (int i = 0; (method->features & info->feature) && i < method->parameter_count; i++)
        if (strcmp(pd_method_parameter_at(method, i)->key, info->parameter->key) == 0) return i;
    return -1;
}

const pd_view_mode *pd_method_find_view(const pd_method_info *method, const char *name) {
    for (int i = 0; i < method->view_count; i++)
        if (strcmp(pd_method_view_at(method, i)->name, name) == 0) return pd_method_view_at(method, i);
    return NULL;
}
