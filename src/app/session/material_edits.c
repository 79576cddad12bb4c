/* Adding, changing and removing materials while the fluid flows: edits of the scene. */
#include "app/session/session.h"

#include "core/error.h"
#include <stdio.h>
#include <string.h>

static int find(const pd_scene *scene, const char *name) {
    int m = 0;
    while (m < scene->material_count && strcmp(scene->materials[m].name, name) != 0) m++;
    return m;
}

/* What pours and paints from now on; a tool that needs no material gives way to one that does, unless it paints. */
static void choose(pd_session *session, int material, const char *name) {
    bool paints = pd_world_method(session->world)->paints && pd_bar_row_of(session->tool)->kind == PD_TOOL_DRAG;
    char text[PD_TOOL_TEXT];
    session->poured = material;
    if (pd_world_method(session->world)->paints) session->dye = material + 1;
    if (!paints && !pd_bar_row_of(session->tool)->material) {
        session->tool = PD_BAR_POUR;
        session->tool_brought = true;
    }
    /* The world has the material only when a step of several frames is complete: the tool is named with the name that is known. */
    snprintf(text, sizeof text, "%s %s", pd_bar_row_of(session->tool)->name, name);
    pd_announce_word(session->announcer, paints ? "Dye" : "Tool", paints ? name : text);
}

/* The index of a method's parameter that lets all materials weigh the same; -1: the method has none. */
static int equal_weight_of(const pd_method_info *method) {
    for (int i = 0; i < method->parameter_count; i++)
        if (strcmp(pd_method_parameter_at(method, i)->key, "equal_weight") == 0) return i;
    return -1;
}

static bool weighs_equally(const pd_session *session) {
    int index = equal_weight_of(pd_world_method(session->world));
    return index >= 0 && pd_session_parameter(session, index, NULL) != 0;
}

/* Where masses differ, sets the parameter equal_weight of all methods to 0: otherwise oil would not float under double density
 * relaxation. The setting is a part of the edit that adds the material, so that one undo removes both. */
static pd_result let_masses_weigh(pd_scene *scene, pd_error *error) {
    bool differ = false;
    char key[PD_MAX_KEY];
    pd_result result = PD_OK;
    for (int m = 1; m < scene->material_count; m++) differ |= scene->materials[m].mass != scene->materials[0].mass;
    for (int k = 0; k < pd_method_count() && differ && result == PD_OK; k++) {
        int index = equal_weight_of(pd_method_at(k));
        if (index >= 0) result = pd_scene_set(scene, pd_method_key(pd_method_at(k), index, key, sizeof key), 0, error);
    }
    return result;
}

/* Returns whether the scene has the material now; chooses it. weighs: its mass is more than inertia. */
static bool add(pd_session *session, const pd_material *material, bool weighs) {
    pd_error error;
    pd_scene scene;
    int index = find(pd_session_scene(session), material->name);
    bool added = index < pd_session_scene(session)->material_count, weighed_equally = weighs_equally(session);
    if (!added && pd_scene_copy(&scene, pd_session_scene(session), &error) == PD_OK) {
        pd_result result = pd_scene_add_material(&scene, material, &error);
        if (result == PD_OK && weighs) result = let_masses_weigh(&scene, &error);
        if (result == PD_OK)
            added = pd_session_edit(session, &scene);
        else
            pd_announce_error(session->announcer, &error);
        pd_scene_free(&scene);
    } else if (!added) {
        pd_announce_error(session->announcer, &error);
    }
    if (added) choose(session, index, material->name);
    if (added && weighed_equally && !weighs_equally(session))
        pd_announce(session->announcer, "Equal weight is off: '%s' floats or sinks by its mass", material->name);
    return added;
}

void pd_session_add_ready_material(pd_session *session, int index) {
    pd_material material = pd_world_ready_material(session->world, index);
    add(session, &material, true);
}

bool pd_session_add_material(pd_session *session, const char *name, const uint8_t rgb[3]) {
    const pd_scene *scene = pd_session_scene(session);
    pd_material material = scene->materials[0];
    material.red = rgb[0];
    material.green = rgb[1];
    material.blue = rgb[2];
    snprintf(material.name, sizeof material.name, "%s", name);
    for (int number = 2; find(scene, material.name) < scene->material_count; number++)
        snprintf(material.name, sizeof material.name, "%s %d", name, number);
    return add(session, &material, false);
}

void pd_session_change_material(pd_session *session, int index, const pd_material *material) {
    pd_error error;
    pd_scene scene;
    if (pd_scene_copy(&scene, pd_session_scene(session), &error) != PD_OK) {
        pd_announce_error(session->announcer, &error);
        return;
    }
    if (index < scene.material_count) {
        scene.materials[index] = *material;
        pd_session_edit(session, &scene);
    }
    pd_scene_free(&scene);
}

/* Where the chosen material goes by that; -1: it is the one that was removed. */
static int moved(int material, int removed) { return material == removed ? -1 : material - (material > removed); }

static bool has_fluid(const pd_world *world, int material) {
    pd_view view;
    pd_world_view(world, &view);
    for (int i = 0; i < view.count; i++)
        if (view.material[i] == material) return true;
    return false;
}

void pd_session_remove_material(pd_session *session, int index) {
    pd_error error;
    pd_scene scene;
    /* It does not wait like other edits: indices in the world are those of pd_session_scene. */
    pd_session_finish_step(session);
    const char *name = pd_session_scene(session)->materials[index].name;
    if (has_fluid(session->world, index)) {
        pd_announce(session->announcer, "Cannot remove '%s': erase the fluid of this material first", name);
        return;
    }
    pd_result result = pd_scene_copy(&scene, pd_session_scene(session), &error);
    if (result == PD_OK) {
        result = pd_scene_remove_material(&scene, index, &error);
        if (result == PD_OK && pd_session_edit(session, &scene)) {
            int poured = moved(session->poured, index);
            session->poured = poured < 0 ? 0 : poured;
            if (session->dye > 0) session->dye = moved(session->dye - 1, index) + 1;
        }
        pd_scene_free(&scene);
    }
    if (result != PD_OK) pd_announce(session->announcer, "Cannot remove '%s': %s", name, error.message);
}
