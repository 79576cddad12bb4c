/* Every parameter has an effect. */
#include "core/archive.h"
#include "methods.h"

/* Also of what only views show. */
static uint64_t field_hash(const pd_world *world) {
    pd_view view;
    uint64_t hash = 0;
    pd_world_view(world, &view);
    for (int i = 0; i < view.field_count; i++) {
        const pd_field *field = pd_view_field(&view, view.fields[i]->info.name);
        size_t count =
            (size_t)(field->nx > 0 ? field->nx * field->ny * (field->layers > 1 ? field->layers : 1) : view.count);
        hash = hash * 31 + pd_archive_hash(0, field->values, count * sizeof *field->values);
    }
    return hash;
}

/* A value that is some steps above the present one, or below the greatest: a step is 1/50 of a linear range, 10 % of a
 * logarithmic value, or 1. */
static float far_from(const pd_parameter *p, float value, int steps) {
    float low = p->minimum, high = p->maximum;
    if (p->type == PD_PARAMETER_BOOLEAN) return value == 0;
    if (p->type == PD_PARAMETER_CHOICE) return value > 0 ? 0 : 1;
    float direction = value < high ? 1 : -1, smallest = low > 0 ? low : high * 1e-4f;
    if (p->type == PD_PARAMETER_INTEGER)
        value += direction * (float)steps;
    else if (p->scale == PD_SCALE_LINEAR)
        value += direction * (float)steps * (high - low) / 50;
    else
        value = fmaxf(value, smallest) * powf(1.1f, direction * (float)steps);
    return fminf(fmaxf(value, low), high);
}

/* A world with the method, its parameter `changed` far from its value unless NULL. solver: of methods that have this parameter.
 * empty: a scene without fluid of its own. */
static pd_world *world_with(const char *method, const pd_parameter *changed, int solver, bool empty) {
    char text[800];
    bool weighs_regions = pd_method_find(method)->features & PD_FEATURE_DENSITY;
    snprintf(
        text, sizeof text,
        "particles: 800\ncontainer: {shape: circle, radius: 1}\n"
        "materials: {a: {color: '#ffffff', mass: 0.7, stickiness: 0}, b: {color: '#ffffff', mass: 1.4}}\n"
        "parameters: {ddr: {spring_stiffness: 800, plasticity: 5, stickiness: 300, surface_tension: 0.01}, sph: "
        "{surface_tension: 0.01, spring_stiffness: 800, plasticity: 5, stickiness: 300}, pbf: {spring_stiffness: 800, "
        "plasticity: 5, stickiness: 300}, flip: {solver: gauss_seidel}, vortex: {core: 0.1}}\n");
    if (!empty)
        snprintf(text + strlen(text), sizeof text - strlen(text),
                 "regions: [{shape: circle, center: [-0.3, 0], radius: 0.4, material: a%s},\n"
                 "          {shape: circle, center: [0.4, -0.3], radius: 0.4, material: b}]\n",
                 weighs_regions ? ", density: 0.3" : "");
    pd_world *world = world_of_method(method, text, 1);
    if (has_parameter(method_of(method), "solver")) set_own_parameter(world, "solver", (float)solver);
    if (changed) {
        char key[PD_MAX_KEY];
        float value;
        pd_error error = {0};
        snprintf(key, sizeof key, "%s.%s", method, changed->key);
        assert_int_equal(pd_world_parameter(world, key, &value, &error), PD_OK);
        /* A tolerance decides between whole numbers of terms or cycles; a method has some surface tension of its own. */
        bool many = strcmp(changed->key, "tolerance") == 0 || strcmp(changed->key, "surface_tension") == 0;
        int steps = many ? 40 : 10;
        set_parameter(world, key, far_from(changed, value, steps));
        if (changed->at_reset) pd_world_reset(world);
    }
    return world;
}

/* Compares positions first, since fields take long to compute. */
static bool differ(const pd_world *one, const pd_world *other) {
    pd_view a, b;
    pd_world_view(one, &a), pd_world_view(other, &b);
    if (a.count != b.count || memcmp(a.x, b.x, (size_t)a.count * sizeof *a.x) != 0) return true;
    return view_hash(one) != view_hash(other) || field_hash(one) != field_hash(other);
}

/* Whether a world in which the parameter is changed differs within a second, or within a step if it is empty, from one in which
 * the parameter is not changed. */
static bool matters(const char *method, const pd_parameter *changed, int solver, bool empty) {
    pd_world *usual = world_with(method, NULL, solver, empty), *other = world_with(method, changed, solver, empty);
    bool found = false;
    for (int frame = 0; frame < (empty ? 1 : 60) && !found; frame++) {
        stir(usual, frame), stir(other, frame);
        pd_world_step(usual), pd_world_step(other);
        found = differ(usual, other);
    }
    pd_world_destroy(usual);
    pd_world_destroy(other);
    return found;
}

static void test_every_parameter_matters(void **state) {
    skip_under_sanitizers();
    const pd_method_info *info = pd_method_find(*state);
    int without_effect = 0;
    for (int i = 0; i < info->parameter_count; i++) {
        const pd_parameter *changed = pd_method_parameter_at(info, i);
        const bool of_second_solver = strcmp(changed->key, "tolerance") == 0; /* the first one has sweeps */
        if (changed->at_reset && matters(*state, changed, 0, true)) continue;
        if (matters(*state, changed, of_second_solver, false)) continue;
        if (matters(*state, changed, !of_second_solver, false)) continue;
        print_message("%s.%s changes nothing\n", info->name, changed->key);
        without_effect++;
    }
    assert_int_equal(without_effect, 0);
}

/* Mistakes in a method's table that nobody would see: defaults out of range, ranges that are not those of words, views and fields of one
 * name. */
static void test_tables(void **state) {
    const pd_method_info *info = pd_method_find(*state);
    pd_error error;
    for (int i = 0; i < info->parameter_count; i++) {
        const pd_parameter *p = pd_method_parameter_at(info, i);
        if (pd_parameter_check(p, p->default_value, &error) != PD_OK) fail_msg("the default of %s", error.message);
        int last = p->type == PD_PARAMETER_BOOLEAN;
        for (const char *c = p->type == PD_PARAMETER_CHOICE ? p->choices : ""; *c; c++) last += *c == '|';
        if (p->type != PD_PARAMETER_BOOLEAN && p->type != PD_PARAMETER_CHOICE) continue;
        if (p->minimum != 0 || p->maximum != (float)last) fail_msg("the range of %s is not 0 to %d", p->key, last);
    }
    assert_true(info->view_count > 0);
    for (int i = 0; i < info->view_count; i++)
        assert_ptr_equal(pd_method_find_view(info, pd_method_view_at(info, i)->name), pd_method_view_at(info, i));
    for (int i = 0; i < info->field_count; i++)
        for (int k = 0; k < i; k++)
            assert_string_not_equal(pd_method_field_at(info, i)->name, pd_method_field_at(info, k)->name);
}

/* A material's own value has title, unit and range of the parameter that it replaces. */
static void test_properties_are_like_their_parameters(void **state) {
    const pd_method_info *info = pd_method_find(*state);
    for (int i = 0; i < PD_PROPERTIES; i++) {
        int index = pd_method_parameter_of_property(info, i);
        if (index < 0) continue;
        const pd_parameter *own = pd_property_at(i)->parameter, *shared = pd_method_parameter_at(info, index);
        assert_string_equal(own->title, shared->title);
        assert_string_equal(own->unit, shared->unit);
        assert_float_equal(own->minimum, shared->minimum, 0);
        assert_float_equal(own->maximum, shared->maximum, 0);
    }
}

static void test_full_keys(void **state) {
    const pd_method_info *info = pd_method_find(*state);
    for (int i = 0; i < info->parameter_count; i++) {
        char key[PD_MAX_KEY], few[4];
        int method, index;
        pd_error error;
        assert_int_equal(pd_parameter_find(pd_method_parameter_key(info, i, key, sizeof key), &method, &index, &error),
                         PD_OK);
        assert_ptr_equal(pd_method_at(method), info);
        assert_int_equal(index, i);
        assert_int_equal(strncmp(pd_method_parameter_key(info, i, few, sizeof few), key, 3), 0);
        assert_int_equal(strlen(few), 3);
    }
}

/* A material without an own value has the value of the running method's parameter, or else the default of the property,
 * whatever the parameters of other methods are. */
static void test_properties_without_own_value(void **state) {
    pd_world *world = world_of_method(*state,
                                      "particles: 100\nregions: [{shape: circle, center: [0, 0], radius: 0.5}]\n"
                                      "materials: {water: {color: '#ffffff'}}\n"
                                      "parameters: {ddr: {linear_viscosity: 77, stickiness: 88},\n"
                                      "             sph: {stickiness: 88}, pbf: {stickiness: 88}}\n",
                                      1);
    const pd_method_info *info = pd_world_method(world);
    for (int i = 0; i < PD_PROPERTIES; i++) {
        int index = pd_method_parameter_of_property(info, i);
        char key[PD_MAX_KEY];
        float expected = pd_world_property_default(world, (pd_property)i);
        if (index >= 0)
            assert_int_equal(
                pd_world_parameter(world, pd_method_parameter_key(info, index, key, sizeof key), &expected, NULL),
                PD_OK);
        assert_float_equal(pd_world_property(world, 0, (pd_property)i), expected, 0);
    }
    assert_true(isnan(pd_world_property_default(world, PD_PROPERTIES)));
    pd_world_destroy(world);
}

TEST_GROUP(methods_parameters) {
    const method_test tests[] = {OF_ALL(test_every_parameter_matters), OF_ALL(test_tables),
                                 OF_ALL(test_properties_are_like_their_parameters), OF_ALL(test_full_keys),
                                 OF_ALL(test_properties_without_own_value)};
    return RUN_METHOD_TESTS(tests);
}
