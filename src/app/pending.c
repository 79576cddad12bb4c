/* The user's changes of parameters, material properties and gravity.
 *
 * A long step is made over several frames, and its parameters must not change between its first and last substep. A
 * change in between is pending: the interface shows it at once, later changes start from it, and it is applied to the
 * world at the end of the step. */
#include "app/state.h"

#include "core/error.h"
#include <math.h>
#include <stdio.h>

/* "ddr.stiffness" */
static char *full_key(const pd_app *app, int index, char *key, size_t size) {
    const pd_method_info *method = pd_world_method(app->world);
    snprintf(key, size, "%s.%s", method->name, method->parameters[index].key);
    return key;
}

float pd_app_parameter(const pd_app *app, int index, float *fallback) {
    char key[PD_MAX_KEY];
    float value = 0, standard = 0;
    full_key(app, index, key, sizeof key);
    pd_world_parameter(app->world, key, &value, NULL);
    pd_world_parameter_default(app->world, key, &standard, NULL);
    if (fallback) *fallback = standard;
    const pd_pending_parameter *pending = &app->pending.parameter[index];
    if (pending->kind == PD_PENDING_VALUE) return pending->value;
    return pending->kind == PD_PENDING_RESET ? standard : value;
}

void pd_app_set_parameter(pd_app *app, int index, float value) {
    const pd_parameter *parameter = &pd_world_method(app->world)->parameters[index];
    pd_error error;
    if (pd_parameter_check(parameter, value, &error)) {
        pd_app_alarm(app, &error);
        return;
    }
    app->pending.parameter[index] = (pd_pending_parameter){PD_PENDING_VALUE, value};
    pd_app_change_parameter(app, parameter, value);
    pd_app_flush(app);
}

void pd_app_reset_parameter(pd_app *app, int index) {
    const pd_parameter *parameter = &pd_world_method(app->world)->parameters[index];
    float standard, before = pd_app_parameter(app, index, &standard);
    app->pending.parameter[index] = (pd_pending_parameter){.kind = PD_PENDING_RESET};
    if (before != standard) pd_app_change_parameter(app, parameter, standard);
    pd_app_flush(app);
}

int pd_app_property_parameter(const pd_app *app, pd_property property) {
    int method, index;
    if (pd_parameter_find(pd_property_at((int)property)->parameter, &method, &index, NULL) != PD_OK) return -1;
    return pd_method_at(method) == pd_world_method(app->world) ? index : -1;
}

float pd_app_property(const pd_app *app, int material, pd_property property, bool *own) {
    const pd_pending_parameter *pending = &app->pending.property[material][property];
    float value = pd_world_scene(app->world)->materials[material].property[property];
    if (pending->kind == PD_PENDING_VALUE) value = pending->value;
    *own = !isnan(value) && pending->kind != PD_PENDING_RESET;
    return *own ? value : pd_app_parameter(app, pd_app_property_parameter(app, property), NULL);
}

static void change_property(pd_app *app, int material, pd_property property, pd_pending_parameter change) {
    int index = pd_app_property_parameter(app, property);
    if (index < 0) return;
    const pd_parameter *parameter = &pd_world_method(app->world)->parameters[index];
    pd_error error;
    bool own;
    if (change.kind == PD_PENDING_VALUE && pd_parameter_check(parameter, change.value, &error)) {
        pd_app_alarm(app, &error);
        return;
    }
    app->pending.property[material][property] = change;
    pd_app_change_property(app, parameter, pd_world_scene(app->world)->materials[material].name,
                           pd_app_property(app, material, property, &own));
    pd_app_flush(app);
}

void pd_app_set_property(pd_app *app, int material, pd_property property, float value) {
    change_property(app, material, property, (pd_pending_parameter){PD_PENDING_VALUE, value});
}

void pd_app_reset_property(pd_app *app, int material, pd_property property) {
    change_property(app, material, property, (pd_pending_parameter){.kind = PD_PENDING_RESET});
}

static void flush_properties(pd_app *app) {
    for (int m = 0; m < pd_world_scene(app->world)->material_count; m++)
        for (int p = 0; p < PD_PROPERTIES; p++) {
            const pd_pending_parameter *pending = &app->pending.property[m][p];
            float value = pending->kind == PD_PENDING_VALUE ? pending->value : NAN;
            if (pending->kind != PD_PENDING_NOTHING) pd_world_set_property(app->world, m, (pd_property)p, value, NULL);
        }
}

/* A slider goes on over values that a scene does not allow; other failures, of memory, are shown. */
static bool set_parameter(pd_app *app, const char *key, const pd_pending_parameter *pending) {
    pd_error error;
    pd_result result = pending->kind == PD_PENDING_VALUE
                           ? pd_world_set_parameter(app->world, key, pending->value, &error)
                           : pd_world_reset_parameter(app->world, key, &error);
    if (result != PD_OK && error.code != PD_ERROR_PARAMETER_VALUE) pd_app_alarm(app, &error);
    return result == PD_OK;
}

void pd_app_flush(pd_app *app) {
    if (pd_world_stepping(app->world)) return;
    for (int i = 0; i < pd_world_method(app->world)->parameter_count; i++) {
        char key[PD_MAX_KEY];
        full_key(app, i, key, sizeof key);
        const pd_pending_parameter *parameter = &app->pending.parameter[i];
        if (parameter->kind == PD_PENDING_NOTHING) continue;
        bool rebuilds = pd_world_method(app->world)->parameters[i].rebuilds;
        if (set_parameter(app, key, parameter) && rebuilds) pd_app_tell_warnings(app, "");
    }
    flush_properties(app);
    if (app->pending.gravity) pd_world_set_gravity(app->world, pd_gravity_vector(&app->gravity));
    bool saves = app->pending.save;
    app->pending = (pd_pending){0};
    if (saves) pd_app_write_snapshot(app);
}
