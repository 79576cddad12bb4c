/* Lists of a scene: each row of their tables goes through text, equality, edits, undo and logs, and each list through the functions
 * that add, replace and remove. A field without such a round trip fails here. */
#include "folder.h"
#include "logs.h"
#include "scene/features.h"
#include "scene/items.h"
#include "scene/polygon.h"

#include <puddle/items.h>

static const char *const PATH = "test_lists.log";
static const char *const POOL =
    "puddle: 1\nsubsteps: 1\nmaterials: {a: {color: '#ffffff'}, 'b: {': {color: '#3a8fff'}, \"c, \\\"d\\\"\": "
    "{color: '#ff0000'}}\n"
    "regions: [{shape: circle, center: [-0.5, -0.5], radius: 0.2, count: 20}]\n"
    "bodies: [{shape: circle, center: [-0.3, 0.3], radius: 0.05, name: a}, {shape: circle, center: [-0.1, 0.3], "
    "radius: "
    "0.05, name: 'b: {'}, {shape: circle, center: [0.1, 0.3], radius: 0.05, name: \"c, \\\"d\\\"\"}]\n";
enum { MATERIALS = 3 };

typedef union any_item {
    pd_material material;
    pd_region region;
    pd_vorton vorton;
    pd_obstacle obstacle;
    pd_emitter emitter;
    pd_drain drain;
    pd_attraction attraction;
    pd_change change;
    pd_scene_body body;
    pd_scene_joint joint;
    char bytes[1];
} any_item;

/* ---- Values of fields ---- */

static pd_vec2 corners[2][4] = {{{0, 0}, {0.2f, 0}, {0.2f, 0.1f}}, {{0, 0}, {0.2f, 0}, {0.1f, 0.2f}}};
static uint8_t pixels[2][4] = {{0, 1, PD_NO_FLUID, 0}, {0, 1, 2, 0}};
static pd_scene_particle placed[2][9];

static void prepare_particles(void) {
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 9; i++)
            placed[k][i] =
                (pd_scene_particle){{0.1f * (float)i, 0.3f}, {0, 0.01f * (float)(i + k)}, (i + k) % MATERIALS};
}

/* One of two valid values of a payload. */
static void set_payload(int list, void *item, int which) {
    if (list == PD_LIST_OBSTACLES || list == PD_LIST_BODIES) {
        pd_area *area = item;
        area->points = corners[which];
        area->point_count = 3;
    }
    if (list != PD_LIST_REGIONS) return;
    pd_region *region = item;
    if (region->area.shape == PD_SHAPE_IMAGE) {
        region->area.pixels = pixels[which];
        region->area.columns = region->area.rows = 2;
    }
    if (region->area.shape != PD_SHAPE_PARTICLES) return;
    region->particles = placed[which];
    if (region->count == 0) region->count = 9;
}

/* One of three valid values of a field, none of them the default. False: it is read with another field. */
static bool set_field(int list, const pd_record_field *field, void *item, int which) {
    static const float numbers[] = {0.25f, 0.5f, 0.75f};
    static const pd_vec2 vectors[] = {{0.25f, 0.5f}, {0.2f, 0.45f}, {0.4f, 0.5f}};
    static const char *const names[] = {"a", "b: {", "c, \"d\"", "world"};
    void *value = (char *)item + field->offset;
    int choice;
    switch (field->type) {
    case FIELD_NUMBER:
    case FIELD_PROPERTY:
        *(float *)value = numbers[which];
        return true;
    case FIELD_VECTOR:
        *(pd_vec2 *)value = vectors[which];
        return true;
    case FIELD_COUNT:
        *(int *)value = 7 - which;
        return true;
    case FIELD_BOOLEAN:
        *(bool *)value = field->default_value[0] == 0;
        return true;
    case FIELD_CHOICE:
        choice = which;
        memcpy(value, &choice, sizeof choice);
        return true;
    case FIELD_TEXT:
        snprintf(value, PD_MAX_NAME, "text %d", which);
        return true;
    case FIELD_MATERIAL:
        *(int *)value = which;
        return true;
    case FIELD_PAIR:
        ((int *)value)[1] = which;
        return true;
    case FIELD_NAMES:
        snprintf(value, PD_MAX_NAME, "%s", names[which]);
        snprintf((char *)value + PD_MAX_NAME, PD_MAX_NAME, "%s", names[which + 1]);
        return true;
    case FIELD_COLOR:
        memset(value, 17 * (which + 1), 3);
        return true;
    case FIELD_OWN_COLOR:
        *(pd_own_color *)value = (pd_own_color){(uint8_t)(17 * which), 1, 2, true};
        return true;
    case FIELD_CUSTOM:
        if (strcmp(field->key, "file") == 0 || strcmp(field->key, "materials") == 0) return false; /* of the payload */
        if (!pd_scene_lists[list].arrays) fail_msg("'%s' has no round trip in this test", field->key);
        set_payload(list, item, which & 1);
        return true;
    }
    return false;
}

/* A valid item of a kind, with every key that it must have. */
static any_item example(int list, int shape) {
    const pd_record_schema *schema = pd_scene_lists[list].schema;
    any_item item = {0};
    int materials = 0;
    pd_item_default((pd_scene_list)list, &item, schema->size);
    if (schema->has_kinds) memcpy(item.bytes + schema->fields[0].offset, &shape, sizeof shape);
    for (int i = 0; i < schema->count; i++) {
        const pd_record_field *field = &schema->fields[i];
        if (!pd_record_has_field(schema, i, 1u << shape) || (i == 0 && schema->has_kinds)) continue;
        if (field->required & (1u << shape))
            set_field(list, field, &item, field->type == FIELD_MATERIAL ? materials++ : 0);
    }
    if (list == PD_LIST_MATERIALS) snprintf(item.material.name, PD_MAX_NAME, "ink: {");
    set_payload(list, &item, 0);
    return item;
}

/* ---- Round trips ---- */

static pd_scene scene_with(int list, const any_item *item) {
    pd_scene scene = scene_of_text(POOL);
    pd_error error = {0};
    must(pd_scene_add_item(&scene, (pd_scene_list)list, item, pd_scene_lists[list].schema->size, &error), &error);
    return scene;
}

static const void *last_item(int list, const pd_scene *scene) {
    return pd_scene_list_item(list, scene, pd_scene_list_count(list, scene) - 1);
}

static bool same_last(int list, const pd_scene *scene, const pd_scene *other) {
    const pd_material_map map = pd_map_materials(scene, other);
    int count = pd_scene_list_count(list, scene);
    if (count == 0 || pd_scene_list_count(list, other) != count) return count == pd_scene_list_count(list, other);
    return pd_item_is_equal(list, last_item(list, scene), last_item(list, other), &map);
}

static void expect_last(int list, const pd_scene *scene, const pd_scene *other, const char *key, const char *where) {
    if (!same_last(list, scene, other)) fail_msg("%s.%s is lost: %s", pd_scene_lists[list].key, key, where);
}

/* Written with its key, read again, and written to the same text. */
static void expect_text(int list, const pd_scene *scene, const char *key) {
    char *text, *again, pattern[80];
    size_t length, length_again;
    pd_scene read;
    pd_error error = {0};
    must(pd_scene_write_snapshot_text(scene, &text, &length, &error), &error);
    snprintf(pattern, sizeof pattern, "%s: ", key);
    if (!strstr(text, pattern)) fail_msg("%s.%s is not written", pd_scene_lists[list].key, key);
    must(pd_scene_read_snapshot_text(text, length, "text", &read, &error), &error);
    expect_last(list, scene, &read, key, "text");
    must(pd_scene_write_snapshot_text(&read, &again, &length_again, &error), &error);
    assert_string_equal(again, text);
    pd_memory_free(text);
    pd_memory_free(again);
    pd_scene_free(&read);
}

/* The edit from one scene to another, by its text. */
static pd_command edit_by_text(const pd_scene *from, const pd_scene *to) {
    pd_command command, read;
    pd_error error = {0};
    must(pd_command_edit(&command, from, to, &error), &error);
    char *line = pd_command_format(&command, from);
    assert_null(strchr(line, '\n'));
    must(pd_command_parse(line, NULL, &read, &error), &error);
    char *again = pd_command_format(&read, from);
    assert_string_equal(again, line);
    pd_memory_free(again);
    pd_memory_free(line);
    pd_command_free(&command);
    return read;
}

/* Applied to a running world, undone, redone, written to a file and played. */
static void expect_edit(int list, const pd_scene *from, const pd_scene *to, const char *key) {
    pd_error error = {0};
    pd_world *world = world_of(from, 1), *again;
    pd_log *log = log_of(world);
    step(log, world);
    uint64_t before = pd_world_hash(world);
    pd_command command = edit_by_text(from, to);
    must(pd_log_do(log, world, &command, &error), &error);
    if (pd_log_commands(log) != 1) fail_msg("%s.%s is no part of equality", pd_scene_lists[list].key, key);
    pd_command_free(&command);
    expect_last(list, pd_world_scene(world), to, key, "edit");
    step(log, world);
    uint64_t after = pd_world_hash(world);
    must(pd_log_undo(log, world, &error), &error);
    expect_last(list, pd_world_scene(world), from, key, "undo");
    assert_true(pd_world_hash(world) == before);
    must(pd_log_redo(log, world, &error), &error);
    expect_last(list, pd_world_scene(world), to, key, "redo");
    must(pd_log_write(log, world, 0, PATH, &error), &error);
    pd_log *read = reread(PATH, &again, 1, NULL);
    play_exactly(read, again, after);
    expect_last(list, pd_world_scene(again), to, key, "log");
    discard(read, again);
    discard(log, world);
}

static void expect_row(int list, int shape, int row) {
    const pd_record_field *field = &pd_scene_lists[list].schema->fields[row];
    any_item before = example(list, shape), after = before;
    if (!set_field(list, field, &after, field->type == FIELD_MATERIAL ? 2 : 1)) return;
    pd_scene from = scene_with(list, &before), to = scene_with(list, &after);
    if (same_last(list, &from, &to)) fail_msg("%s.%s is no part of equality", pd_scene_lists[list].key, field->key);
    expect_text(list, &to, field->key);
    expect_edit(list, &from, &to, field->key);
    pd_scene_free(&from);
    pd_scene_free(&to);
}

static void every_row_makes_the_round_trip(void **state) {
    (void)state;
    int rows = 0;
    for (int list = 0; list < PD_LISTS; list++) {
        const pd_record_schema *schema = pd_scene_lists[list].schema;
        pd_field_kinds kinds = schema->has_kinds ? schema->fields[0].allowed & ~schema->fields[0].only_in_files : 1;
        for (int shape = 0; kinds >> shape; shape++)
            for (int i = schema->has_kinds; i < schema->count && kinds >> shape & 1; i++) {
                const pd_record_field *field = &schema->fields[i];
                if (!pd_record_has_field(schema, i, 1u << shape) || field->given_per_particle & (1u << shape)) continue;
                expect_row(list, shape, i);
                rows++;
            }
    }
    print_message("%d rows\n", rows);
}

/* An item of another kind, one that is new, and one that is gone. */
static void every_kind_makes_the_round_trip(void **state) {
    (void)state;
    for (int list = 0; list < PD_LISTS; list++) {
        const pd_record_schema *schema = pd_scene_lists[list].schema;
        pd_field_kinds kinds = schema->has_kinds ? schema->fields[0].allowed & ~schema->fields[0].only_in_files : 1;
        for (int shape = 0; kinds >> shape; shape++) {
            if (!(kinds >> shape & 1)) continue;
            any_item first = example(list, shape), last = example(list, 0);
            pd_scene one = scene_with(list, &first), other = scene_with(list, &last), none = scene_of_text(POOL);
            expect_text(list, &one, schema->has_kinds ? schema->fields[0].key : schema->fields[1].key);
            if (shape > 0) expect_edit(list, &one, &other, "shape");
            expect_edit(list, &none, &one, "new");
            expect_edit(list, &one, &none, "gone");
            pd_scene_free(&one);
            pd_scene_free(&other);
            pd_scene_free(&none);
        }
    }
}

/* ---- Members of the structs ---- */

static void cover(bool *covered, size_t offset, size_t size) {
    for (size_t i = 0; i < size; i++) covered[offset + i] = true;
}

/* Every member of an item has a row, or belongs to a payload: bytes that neither has are those below. */
static void every_member_has_a_row(void **state) {
    (void)state;
    static const size_t uncovered[PD_LISTS] = {
        [PD_LIST_REGIONS] = PD_MAX_LEFT_OUT, /* a message about the area's file, no part of the scene */
        [PD_LIST_OBSTACLES] = PD_MAX_LEFT_OUT + sizeof(int) % 8, /* at the end */
        [PD_LIST_DRAINS] = PD_MAX_LEFT_OUT,
        [PD_LIST_CHANGES] = PD_MAX_LEFT_OUT + sizeof(int) % 8,
        [PD_LIST_BODIES] = PD_MAX_LEFT_OUT + 7, /* at the end */
    };
    for (int list = 0; list < PD_LISTS; list++) {
        const pd_record_schema *schema = pd_scene_lists[list].schema;
        bool covered[sizeof(any_item)] = {false};
        size_t left = 0;
        if (list == PD_LIST_MATERIALS) cover(covered, 0, PD_MAX_NAME);
        if (schema->has_kinds) cover(covered, 0, offsetof(pd_area, left_out));
        for (int i = 0; i < schema->count; i++)
            cover(covered, schema->fields[i].offset, pd_field_forms[schema->fields[i].type].size);
        for (const pd_item_array *p = pd_scene_lists[list].arrays; p && p->size > 0; p++)
            cover(covered, p->offset, sizeof(void *));
        for (size_t i = 0; i < schema->size; i++) left += !covered[i];
        if (left != uncovered[list])
            fail_msg("%zu bytes of an item of '%s' have no row", left, pd_scene_lists[list].key);
    }
}

/* ---- Functions for programs ---- */

/* Added, replaced and removed, with the defaults of the tables; refused changes leave the scene as it was. */
static void items_are_added_replaced_and_removed(void **state) {
    (void)state;
    pd_error error = {0};
    for (int list = 0; list < PD_LISTS; list++) {
        pd_scene_list public_list = (pd_scene_list)list;
        size_t size = pd_scene_lists[list].schema->size;
        any_item item = example(list, 0), wrong = item;
        pd_scene scene = scene_with(list, &item), before = scene_with(list, &item);
        int last = pd_scene_list_count(list, &scene) - 1;
        const pd_record_field *field = &pd_scene_lists[list].schema->fields[pd_scene_lists[list].schema->count - 1];
        while (field->type != FIELD_NUMBER && field->type != FIELD_CHOICE && field->type != FIELD_PAIR) field--;
        if (field->type == FIELD_NUMBER) *(float *)(void *)(wrong.bytes + field->offset) = -1e30f;
        if (list == PD_LIST_DRAINS) wrong.drain.area.radius = -1;
        if (list == PD_LIST_MATERIALS) wrong.material.mass = 0;
        assert_int_equal(pd_scene_set_item(&scene, public_list, last, &wrong, size, &error), PD_BAD_INPUT);
        if (list == PD_LIST_MATERIALS) snprintf(wrong.material.name, PD_MAX_NAME, "other");
        assert_int_equal(pd_scene_add_item(&scene, public_list, &wrong, size, &error), PD_BAD_INPUT);
        assert_int_equal(pd_scene_set_item(&scene, public_list, last + 1, &item, size, &error), PD_BAD_INPUT);
        assert_int_equal(error.code, PD_ERROR_SCENE_REFERENCE);
        assert_int_equal(pd_scene_remove_item(&scene, public_list, -1, &error), PD_BAD_INPUT);
        assert_true(same_last(list, &scene, &before));
        must(pd_scene_set_item(&scene, public_list, last, &item, size, &error), &error);
        assert_true(same_last(list, &scene, &before));
        must(pd_scene_remove_item(&scene, public_list, last, &error), &error);
        assert_int_equal(pd_scene_list_count(list, &scene), last);
        pd_scene_free(&scene);
        pd_scene_free(&before);
    }
}

static void defaults_are_those_of_files(void **state) {
    (void)state;
    pd_scene scene =
        scene_of_text("puddle: 1\nmaterials: {a: {color: '#3a8fff'}, b: {color: '#3a8fff'}}\n"
                      "regions: [{shape: circle, center: [0, 0], radius: 0.2}]\n"
                      "obstacles: [{shape: circle, center: [0.5, 0.5], radius: 0.1}]\n"
                      "emitters: [{position: [0, 0], direction: [0, -1], speed: 1, width: 0.1, rate: 10}]\n"
                      "changes: [{shape: circle, center: [0, 0], radius: 0.2, from: a, to: b}]\n"
                      "bodies: [{shape: circle, center: [0, 0], radius: 0.2, name: a}]\n"
                      "joints: [{type: hinge, bodies: [a, world], at: [0, 0]}]\n");
    pd_scene_body body = pd_body_default();
    pd_scene_joint joint = pd_joint_default();
    pd_region region = pd_region_default();
    pd_obstacle obstacle = pd_obstacle_default();
    pd_emitter emitter = pd_emitter_default();
    pd_change change = pd_change_default();
    pd_material material = pd_material_default();
    assert_true(region.amount == scene.regions[0].amount && region.amount == 1 && isnan(region.density));
    assert_true(isnan(scene.regions[0].density) && obstacle.turn == scene.obstacles[0].turn);
    assert_true(isinf(emitter.until) && isinf(scene.emitters[0].until) && emitter.from == scene.emitters[0].from);
    assert_true(isinf(change.rate) && isinf(scene.changes[0].rate));
    assert_true(material.red == 0x3a && material.green == 0x8f && material.blue == 0xff && material.mass == 1);
    assert_true(isnan(material.property[PD_VISCOSITY]) && !*material.name);
    assert_true(pd_vorton_default().core == 0 && pd_drain_default().area.radius == 0);
    assert_true(pd_attraction_default().factor == 0);
    assert_true(body.density == scene.bodies[0].density && body.density > 0 && body.density < 1);
    assert_true(body.friction == scene.bodies[0].friction && body.friction > 0 && !body.fixed_angle && !*body.name);
    assert_true(isinf(joint.breaks_at) && isinf(scene.joints[0].breaks_at) && isnan(scene.joints[0].limits.x));
    assert_true(isnan(joint.limits.y) && isnan(joint.length) && isinf(joint.greatest_torque));
    pd_scene_free(&scene);
}

/* A program that was compiled when an emitter ended before `from` gets the defaults of what it does not know. */
static void structs_may_be_shorter(void **state) {
    (void)state;
    pd_error error = {0};
    pd_scene scene = scene_of_text(POOL);
    pd_emitter emitter = {.direction = {0, -1}, .speed = 1, .width = 0.1f, .rate = 10, .from = NAN, .until = NAN};
    size_t size = offsetof(pd_emitter, from);
    must(pd_scene_add_item(&scene, PD_LIST_EMITTERS, &emitter, size, &error), &error);
    assert_true(scene.emitters[0].from == 0 && isinf(scene.emitters[0].until));
    must(pd_scene_set_item(&scene, PD_LIST_EMITTERS, 0, &emitter, size, &error), &error);
    assert_true(scene.emitters[0].from == 0 && isinf(scene.emitters[0].until));
    emitter.from = 3;
    pd_item_default(PD_LIST_EMITTERS, &emitter, size);
    assert_true(emitter.speed == 0 && emitter.from == 3);
    struct {
        pd_drain drain;
        int later[4];
    } longer = {{.area = {.radius = 0.1f}}, {1, 2, 3, 4}};
    must(pd_scene_add_item(&scene, PD_LIST_DRAINS, &longer, sizeof longer, &error), &error);
    assert_int_equal(scene.drain_count, 1);
    pd_item_default(PD_LIST_DRAINS, &longer, sizeof longer);
    assert_int_equal(longer.later[0], 0);
    pd_scene_free(&scene);
}

/* Also with pairs of materials that change places. */
static void pairs_stay_single(void **state) {
    (void)state;
    pd_error error = {0};
    pd_scene scene = scene_of_text(POOL);
    pd_attraction attraction = {.between = {0, 1}, .factor = 0.5f};
    must(pd_scene_add_attraction(&scene, &attraction, &error), &error);
    attraction = (pd_attraction){{1, 0}, 2};
    assert_int_equal(pd_scene_add_attraction(&scene, &attraction, &error), PD_BAD_INPUT);
    assert_string_equal(error.message,
                        "attractions[1].between: the attraction between 'b: {' and 'a' comes twice (keep one)");
    attraction.between[0] = 2;
    must(pd_scene_add_attraction(&scene, &attraction, &error), &error);
    attraction.between[0] = 1;
    assert_int_equal(pd_scene_set_attraction(&scene, 1, &attraction, &error), PD_BAD_INPUT);
    assert_int_equal(scene.attractions[1].between[0], 2);
    pd_scene swapped;
    must(pd_scene_copy(&swapped, &scene, &error), &error);
    swapped.attractions[0] = scene.attractions[1];
    swapped.attractions[1] = scene.attractions[0];
    expect_edit(PD_LIST_ATTRACTIONS, &scene, &swapped, "between");
    pd_scene_free(&swapped);
    pd_scene_free(&scene);
}

/* ---- Edits ---- */

/* Changes of one material, whatever its name is, are one act; those of two are two. */
static void names_tell_acts_apart(void **state) {
    (void)state;
    pd_error error = {0};
    pd_world *world = world_of_text(POOL, 1);
    pd_log *log = log_of(world);
    static const int materials[] = {1, 1, 2, 2};
    for (int k = 0; k < 4; k++) {
        pd_scene to;
        pd_command command;
        must(pd_scene_copy(&to, pd_world_scene(world), &error), &error);
        to.materials[materials[k]].mass = 2 + (float)k;
        must(pd_command_edit(&command, pd_world_scene(world), &to, &error), &error);
        order(log, world, command);
        pd_command_free(&command);
        pd_scene_free(&to);
        step(log, world);
    }
    must(pd_log_undo(log, world, &error), &error);
    assert_true(pd_world_scene(world)->materials[2].mass == 1 && pd_world_scene(world)->materials[1].mass == 3);
    must(pd_log_undo(log, world, &error), &error);
    assert_true(pd_world_scene(world)->materials[1].mass == 1);
    assert_false(pd_log_can_undo(log, NULL));
    discard(log, world);
}

/* Members that an item's shape does not have are in no log: they do not count in the world either. */
static void edits_have_what_logs_have(void **state) {
    (void)state;
    pd_error error = {0};
    pd_scene from = scene_of_text(POOL), to;
    pd_obstacle line = pd_obstacle_default();
    line.area = (pd_area){.shape = PD_SHAPE_POLYLINE, .angle = 30, .thickness = 0.1f, .radius = 3};
    line.area.points = corners[0];
    line.area.point_count = 3;
    must(pd_scene_copy(&to, &from, &error), &error);
    must(pd_scene_add_obstacle(&to, &line, &error), &error);
    expect_edit(PD_LIST_OBSTACLES, &from, &to, "angle");
    pd_world *world = world_of(&from, 1);
    pd_command command;
    must(pd_command_edit(&command, &from, &to, &error), &error);
    must(pd_world_apply(world, &command, &error), &error);
    assert_true(pd_world_scene(world)->obstacles[0].area.angle == 0);
    pd_command_free(&command);
    pd_world_destroy(world);
    pd_scene_free(&from);
    pd_scene_free(&to);
}

/* Text that names no material stands for the first one, also when it is written again. */
static void no_name_is_the_first_material(void **state) {
    (void)state;
    pd_error error = {0};
    static const char *const line =
        "edit {emitters: {0: {position: [0, 0], direction: [0, -1], speed: 1, width: 0.1, rate: 10}}}";
    pd_world *world = world_of_text(POOL, 1);
    pd_command command = command_of_line(line, NULL);
    char *again = pd_command_format(&command, NULL);
    assert_string_equal(again, line);
    must(pd_world_apply(world, &command, &error), &error);
    assert_int_equal(pd_world_scene(world)->emitters[0].material, 0);
    pd_memory_free(again);
    pd_command_free(&command);
    pd_world_destroy(world);
}

/* Lists come in any order, also after parameters: the text that is written is the one that was read. */
static void lists_come_in_any_order(void **state) {
    (void)state;
    static const char *const line = "edit {parameters: {ddr: {equal_weight: false}, flip: {blend: 0.5}}, drains: {0: "
                                    "{shape: circle, center: [0.5, 0.5], radius: 0.1}}, vortons: {0: none}}";
    pd_command command = command_of_line(line, NULL);
    char *again = pd_command_format(&command, NULL);
    assert_string_equal(again, line);
    pd_memory_free(again);
    pd_command_free(&command);
}

/* Of a scene whose array has parameters of two methods by turns. */
static void a_method_has_one_mapping(void **state) {
    (void)state;
    pd_error error = {0};
    pd_scene from = scene_of_text(POOL), to = scene_of_text(POOL);
    must(pd_scene_set_parameter(&to, "ddr.equal_weight", 0, &error), &error);
    must(pd_scene_set_parameter(&to, "flip.blend", 0.5f, &error), &error);
    must(pd_scene_set_parameter(&to, "ddr.stiffness", 2, &error), &error);
    const pd_setting by_turns[] = {{"ddr.stiffness", 2}, {"flip.blend", 0.5f}, {"ddr.equal_weight", 0}};
    memcpy(to.settings, by_turns, sizeof by_turns);
    must(pd_scene_check(&to, &error), &error);
    pd_command command = edit_by_text(&from, &to);
    char *line = pd_command_format(&command, NULL);
    assert_string_equal(line, "edit {parameters: {ddr: {stiffness: 2, equal_weight: false}, flip: {blend: 0.5}}}");
    pd_memory_free(line);
    pd_command_free(&command);
    pd_scene_free(&from);
    pd_scene_free(&to);
}

/* What an edit's text names and the scene lacks is refused when it is applied; what no scene may have, when it is read. */
static void wrong_edits_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *line, *why;
        bool read;
    } cases[] = {
        {"edit {drains: {1: none}}", "no drain 1 to remove (the scene has 0)", true},
        {"edit {drains: {0: none}}", "no drain 0 to remove (the scene has 0)", true},
        {"edit {drains: {1: {shape: circle, center: [0, 0], radius: 0.1}}}", "no drain 1 to replace (the scene has 0)",
         true},
        {"edit {materials: {tar: none}}", "no material 'tar' to remove", true},
        {"edit {regions: {0: {shape: circle, center: [0, 0], radius: 0.1, material: tar}}}",
         "region 0 names the material 'tar', which the scene lacks", true},
        {"edit {regions: {1: {shape: circle, center: [3, 3], radius: 0.1}}}",
         "regions[1].center: the region lies outside the container", true},
        {"edit {attractions: {0: {between: [a, c], factor: 1}}}",
         "attraction 0 names the material 'c', which the scene lacks", true},
        {"edit {regions: {0: {shape: circle, center: [0, 0], radius: -1}}}", "edit:1:55: 'radius' is '-1'", false},
        {"edit {regions: {0: {shape: image, center: [0, 0], size: 1, file: a.png}}}", "holds what its pictures show",
         false},
        {"edit {drains: {}, drains: {}}", "'drains' comes twice", false},
        {"edit {drain: {}}", "unknown list 'drain' (did you mean 'drains'?", false},
        {"edit {drains: {-1: none}}", "'drain' is '-1'", false},
    };
    pd_world *world = world_of_text(POOL, 1);
    uint64_t hash = pd_world_hash(world);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        pd_error error = {0};
        pd_command command;
        pd_result result = pd_command_parse(cases[k].line, NULL, &command, &error);
        if (result != (cases[k].read ? PD_OK : PD_BAD_INPUT)) fail_msg("%s: %s", cases[k].line, error.message);
        if (cases[k].read) assert_int_equal(pd_world_apply(world, &command, &error), PD_BAD_INPUT);
        if (cases[k].read) pd_command_free(&command);
        if (!strstr(error.message, cases[k].why)) fail_msg("'%s' does not say '%s'", error.message, cases[k].why);
        assert_true(pd_world_hash(world) == hash);
    }
    pd_world_destroy(world);
}

TEST_GROUP(lists) {
    prepare_particles();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_makes_the_round_trip),
        cmocka_unit_test(every_kind_makes_the_round_trip),
        cmocka_unit_test(every_member_has_a_row),
        cmocka_unit_test(items_are_added_replaced_and_removed),
        cmocka_unit_test(defaults_are_those_of_files),
        cmocka_unit_test(structs_may_be_shorter),
        cmocka_unit_test(pairs_stay_single),
        cmocka_unit_test(names_tell_acts_apart),
        cmocka_unit_test(edits_have_what_logs_have),
        cmocka_unit_test(no_name_is_the_first_material),
        cmocka_unit_test(lists_come_in_any_order),
        cmocka_unit_test(a_method_has_one_mapping),
        cmocka_unit_test(wrong_edits_are_refused),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
