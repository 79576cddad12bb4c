/* Materials that are added, changed and removed in the window's session. */
#include "test.h"

#include "app/overlay/interface.h"
#include "worlds.h"

#include <math.h>

static const char *const POOL =
    "puddle: 1\nname: Pool\nmethod: ddr\nsubsteps: 4\ncontainer: {shape: box, width: 1, height: 1}\n"
    "materials: {water: {color: \"#3a8fff\", elasticity: 0}, oil: {color: \"#e0a020\"}}\n"
    "regions: [{shape: box, center: [0, -0.2], size: [1, 0.6], count: 300}]\n";

static pd_announcer announcer = {.quiet = true};
static pd_session session;

static void open_session(const char *text) {
    session = (pd_session){.announcer = &announcer};
    pd_session_replace_world(&session, world_of_text(text, 1));
    *announcer.text = '\0';
}

static void close_session(void) {
    pd_session_close(&session);
    pd_world_destroy(session.world);
}

static const pd_scene *scene(void) { return pd_world_scene(session.world); }

static int ready_of(const char *name) {
    int i = 0;
    while (strcmp(pd_ready_material_at(i)->material.name, name) != 0) i++;
    return i;
}

static float equal_weight(void) {
    float value = -1;
    pd_world_parameter(session.world, "ddr.equal_weight", &value, NULL);
    return value;
}

static void work(int steps) {
    for (int k = 0; k < steps; k++) assert_true(pd_session_work_on_step(&session, INFINITY));
}

/* Added once, chosen for pouring; masses weigh; one undo takes it away, and the choice falls back. */
static void ready_ones(void **state) {
    (void)state;
    open_session(POOL);
    pd_session_add_ready_material(&session, ready_of("oil")); /* the scene has one */
    assert_int_equal(scene()->material_count, 2);
    assert_int_equal(pd_session_poured_material(&session), 1);
    assert_true(isnan(scene()->materials[1].property[PD_VISCOSITY]));
    assert_int_equal(session.tool, PD_BAR_POUR); /* the hand needs no material */
    pd_session_add_ready_material(&session, ready_of("honey"));
    assert_int_equal(scene()->material_count, 3);
    assert_string_equal(scene()->materials[2].name, "honey");
    pd_material honey = pd_world_ready_material(session.world, ready_of("honey"));
    for (int p = 0; p <= PD_STICKINESS; p++) assert_true(scene()->materials[2].property[p] == honey.property[p]);
    assert_int_equal((int)equal_weight(), 1);
    assert_int_equal(pd_session_poured_material(&session), 2);
    assert_string_equal(announcer.text, "Pour: honey");
    work(40); /* what comes later is an act of its own */
    pd_session_add_ready_material(&session, ready_of("honey"));
    assert_int_equal(scene()->material_count, 3);
    pd_session_perform_action(&session, PD_ACTION_UNDO, 0, false);
    assert_int_equal(scene()->material_count, 2);
    assert_int_equal(pd_session_poured_material(&session), 0);
    assert_false(pd_log_can_undo(session.log, NULL));
    pd_session_perform_action(&session, PD_ACTION_REDO, 0, false);
    assert_int_equal(pd_session_poured_material(&session), 2);
    close_session();
}

/* Two liquids of different mass in a tall box, which weigh the same. */
static const char *const LAYERS =
    "puddle: 1\nname: Layers\nmethod: ddr\nsubsteps: 4\ngravity: [0, -1.6]\n"
    "container: {shape: box, width: 1, height: 1}\n"
    "materials: {light: {color: \"#3a8fff\", mass: 0.6}, heavy: {color: \"#e0a020\", mass: 1.4}}\n"
    "regions: [{shape: box, center: [0, -0.35], size: [1, 0.3], count: 150, material: light},\n"
    "  {shape: box, center: [0, -0.05], size: [1, 0.3], count: 150, material: heavy}]\n";

/* Returns the mean height of the particles of a material. */
static double mean_height(int material) {
    pd_view view;
    double sum = 0;
    int count = 0;
    pd_world_view(session.world, &view);
    for (int i = 0; i < view.count; i++)
        if (view.material[i] == material) sum += (double)view.y[i], count++;
    assert_true(count > 0);
    return sum / count;
}

/* A ready material leaves the motion of the other materials as it was, bit for bit. */
static void the_others_keep_their_weight(void **state) {
    (void)state;
    pd_view view;
    float y[2][300];
    for (int k = 0; k < 2; k++) {
        open_session(LAYERS);
        if (k == 1) pd_session_add_ready_material(&session, ready_of("oil"));
        work(60);
        pd_world_view(session.world, &view);
        assert_int_equal(view.count, 300);
        memcpy(y[k], view.y, sizeof y[k]);
        close_session();
    }
    assert_memory_equal(y[0], y[1], sizeof y[0]);
}

/* Poured where all others weigh the same, mercury sinks below them and oil rises above them. */
static void ready_ones_weigh_by_their_mass(void **state) {
    (void)state;
    static const char *const names[] = {"mercury", "oil"};
    for (int k = 0; k < 2; k++) {
        open_session(LAYERS);
        pd_session_add_ready_material(&session, ready_of(names[k]));
        pd_tool pour = {.kind = PD_TOOL_POUR, .position = {0, k == 0 ? 0.2f : -0.35f}, .radius = 0.15f, .material = 2};
        pd_tool erase = {.kind = PD_TOOL_ERASE, .position = pour.position, .radius = pour.radius};
        pd_session_set_tool(&session, &erase); /* makes room within the others */
        work(2);
        pd_session_set_tool(&session, &pour);
        work(20);
        pd_session_set_tool(&session, &(pd_tool){.kind = PD_TOOL_NONE});
        work(600);
        double others = 0.5 * (mean_height(0) + mean_height(1));
        print_message("%s at %.3f, the others at %.3f\n", names[k], mean_height(2), others);
        assert_true(k == 0 ? mean_height(2) < others - 0.1 : mean_height(2) > others + 0.05);
        close_session();
    }
}

/* The key of a tool that came with a material chooses that tool, with the material; only then it takes the next one. */
static void the_key_after_a_material(void **state) {
    (void)state;
    open_session(POOL);
    pd_session_add_ready_material(&session, ready_of("jelly"));
    work(1);
    assert_int_equal(session.tool, PD_BAR_POUR);
    pd_session_perform_action(&session, PD_ACTION_TOOL, PD_BAR_POUR, false);
    assert_string_equal(announcer.text, "Pour: jelly");
    pd_session_perform_action(&session, PD_ACTION_TOOL, PD_BAR_POUR, false);
    assert_string_equal(announcer.text, "Pour: water");
    pd_session_add_ready_material(&session, ready_of("jelly")); /* the tool was chosen by its key */
    pd_session_perform_action(&session, PD_ACTION_TOOL, PD_BAR_POUR, false);
    assert_string_equal(announcer.text, "Pour: water");
    pd_session_perform_action(&session, PD_ACTION_TOOL, PD_BAR_HAND, false);
    pd_session_perform_action(&session, PD_ACTION_TOOL, PD_BAR_POUR, false);
    assert_string_equal(announcer.text, "Pour: water");
    close_session();
}

/* In a method that paints, the hand keeps its place and paints the material; an undo takes the dye away. */
static void dyes(void **state) {
    (void)state;
    open_session(
        "puddle: 1\nmethod: grid\nmaterials: {ink: {color: \"#3a8fff\"}}\nparameters: {grid: {resolution: 16}}\n");
    pd_session_add_ready_material(&session, ready_of("lava"));
    assert_int_equal(session.tool, PD_BAR_HAND);
    assert_int_equal(pd_session_painted_material(&session), 1);
    work(40);
    pd_session_perform_action(&session, PD_ACTION_UNDO, 0, false);
    assert_int_equal(scene()->material_count, 1);
    assert_int_equal(pd_session_painted_material(&session), -1);
    pd_session_perform_action(&session, PD_ACTION_DYE, 0, false);
    assert_int_equal(pd_session_painted_material(&session), 0);
    close_session();
}

/* New ones are like the first but for name and colour, until the scene is full: then one line tells it. */
static void new_ones(void **state) {
    (void)state;
    const uint8_t teal[3] = {1, 128, 200};
    char name[32];
    open_session(POOL);
    for (int k = 3; k <= PD_MAX_MATERIALS; k++) {
        assert_true(pd_session_add_material(&session, "blue", teal));
        assert_int_equal(scene()->material_count, k);
        snprintf(name, sizeof name, k == 3 ? "blue" : "blue %d", k - 2);
        const pd_material *made = &scene()->materials[k - 1];
        assert_string_equal(made->name, name);
        assert_memory_equal(((uint8_t[]){made->red, made->green, made->blue}), teal, 3);
        assert_true(made->property[PD_ELASTICITY] == 0);
        assert_true(isnan(made->property[PD_VISCOSITY]));
    }
    assert_int_equal((int)equal_weight(), 1);
    int chosen = pd_session_poured_material(&session);
    assert_false(pd_session_add_material(&session, "blue", teal));
    pd_session_add_ready_material(&session, ready_of("lava"));
    assert_int_equal(scene()->material_count, PD_MAX_MATERIALS);
    assert_int_equal(pd_session_poured_material(&session), chosen);
    assert_non_null(strstr(announcer.text, "the scene has 32 materials already"));
    assert_true(announcer.is_error);
    assert_int_equal((int)equal_weight(), 1); /* nothing was changed */
    work(3);
    close_session();
}

static void changed_and_removed(void **state) {
    (void)state;
    open_session(POOL);
    pd_session_add_ready_material(&session, ready_of("jelly"));
    pd_session_add_ready_material(&session, ready_of("lava"));
    work(40);
    pd_material jelly = scene()->materials[2];
    for (int k = 1; k <= 3; k++) { /* as a colour is dragged: one act */
        jelly.red = (uint8_t)(10 * k);
        jelly.mass = 2;
        pd_session_replace_material(&session, 2, &jelly);
        work(2);
    }
    assert_int_equal(scene()->materials[2].red, 30);
    assert_true(scene()->materials[2].mass == 2);
    pd_session_perform_action(&session, PD_ACTION_UNDO, 0, false);
    assert_int_equal(scene()->materials[2].red, 255);
    assert_true(scene()->materials[2].mass == 1);
    assert_int_equal(pd_session_poured_material(&session), 3);
    session.dye = 3 + 1;
    pd_session_remove_material(&session, 2); /* the choice follows the material */
    assert_int_equal(scene()->material_count, 3);
    assert_string_equal(scene()->materials[pd_session_poured_material(&session)].name, "lava");
    assert_int_equal(session.dye, 2 + 1);
    pd_session_remove_material(&session, 2);
    assert_int_equal(scene()->material_count, 2);
    assert_int_equal(pd_session_poured_material(&session), 0);
    assert_int_equal(session.dye, 0);
    *announcer.text = '\0';
    pd_session_remove_material(&session, 0);
    assert_int_equal(scene()->material_count, 2);
    assert_non_null(strstr(announcer.text, "Cannot remove 'water': erase the fluid of this material first"));
    assert_false(announcer.is_error);
    close_session();
}

/* Of a material that only the scene refers to. */
static void what_the_scene_uses_stays(void **state) {
    (void)state;
    open_session(
        "puddle: 1\nmaterials: {a: {color: \"#ffffff\"}, b: {color: \"#ff0000\"}}\n"
        "emitters: [{position: [0, 0], direction: [0, -1], speed: 1, width: 0.1, rate: 10, material: b, from: 5}]\n");
    pd_session_remove_material(&session, 1);
    assert_int_equal(scene()->material_count, 2);
    assert_non_null(strstr(announcer.text, "Cannot remove 'b': an emitter of the scene uses the material 'b'"));
    pd_session_remove_material(&session, 0);
    assert_int_equal(scene()->material_count, 1);
    assert_string_equal(scene()->materials[scene()->emitters[0].material].name, "b");
    close_session();
}

/* Within a step a slider waits, and an edit sets the slider's value before it changes the scene. */
static void sliders_and_edits_within_a_step(void **state) {
    (void)state;
    int method, stiffness;
    assert_int_equal(pd_parameter_find("ddr.stiffness", &method, &stiffness, NULL), PD_OK);
    for (int property = 0; property < 2; property++) {
        float value = 0;
        open_session(POOL);
        assert_false(pd_session_work_on_step(&session, 0));
        if (property)
            pd_session_set_property(&session, 1, PD_VISCOSITY, 77);
        else
            pd_session_set_parameter(&session, stiffness, 7);
        assert_true(pd_world_stepping(session.world));
        pd_session_remove_material(&session, 1);
        pd_session_add_ready_material(&session, ready_of("mud"));
        assert_int_equal(pd_world_steps(session.world), 1);
        assert_int_equal(scene()->material_count, 2);
        assert_true(scene()->materials[1].property[PD_VISCOSITY] != 77);
        pd_world_parameter(session.world, "ddr.stiffness", &value, NULL);
        assert_true(property || value == 7);
        assert_int_equal(pd_log_commands(session.log), 3);
        close_session();
    }
}

/* A method has the properties of its features, and its viscosity in the unit that scenes have. */
static void properties_by_method(void **state) {
    (void)state;
    float shared = 0, standard = 0, value;
    bool own;
    open_session(POOL);
    for (int m = 0; m < pd_method_count(); m++) {
        const pd_method_info *method = pd_method_at(m);
        pd_session_set_method(&session, method);
        for (int p = 0; p < PD_PROPERTIES; p++)
            assert_true((pd_session_property_parameter(&session, (pd_property)p, &shared, &standard) != NULL) ==
                        ((method->features & pd_property_at(p)->feature) != 0));
        if (!pd_session_property_parameter(&session, PD_VISCOSITY, &shared, &standard)) continue;
        pd_world_parameter_default(session.world, "ddr.linear_viscosity", &value, NULL);
        assert_true(shared == value);
        pd_session_set_property(&session, 1, PD_VISCOSITY, 55);
        assert_true(pd_session_property_value(&session, 1, PD_VISCOSITY, &own) == 55);
        assert_true(own);
        pd_session_set_property(&session, 1, PD_VISCOSITY, NAN);
        assert_true(pd_session_property_value(&session, 1, PD_VISCOSITY, &own) == value);
        assert_false(own);
    }
    close_session();
}

TEST_GROUP(app_materials) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ready_ones),
        cmocka_unit_test(the_others_keep_their_weight),
        cmocka_unit_test(ready_ones_weigh_by_their_mass),
        cmocka_unit_test(the_key_after_a_material),
        cmocka_unit_test(dyes),
        cmocka_unit_test(new_ones),
        cmocka_unit_test(changed_and_removed),
        cmocka_unit_test(what_the_scene_uses_stays),
        cmocka_unit_test(sliders_and_edits_within_a_step),
        cmocka_unit_test(properties_by_method),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
