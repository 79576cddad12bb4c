/* Selection of materials for pouring and painting, and edits of the scene's list of materials. */
#include "app/session/materials.h"
#include "app/session/session.h"

#include "core/error.h"
#include "scene/items.h"
#include <stdio.h>
#include <string.h>

/* ---- Selection ---- */

int pd_session_painted_material(const pd_session *session) {
    /* an undo may have removed the material */
    bool exists = session->dye <= pd_world_scene(session->world)->material_count;
    return pd_world_method(session->world)->paints && exists ? session->dye - 1 : -1;
}

const char *pd_session_material_name(const pd_session *session, int material, char *text, size_t size) {
    const char *name = pd_world_scene(session->world)->materials[material].name;
    if (*name) return name;
    snprintf(text, size, "%d", material + 1);
    return text;
}

void pd_session_set_painted_material(pd_session *session, int material) {
    char number[16];
    session->dye = material + 1;
    pd_announce_word(session->announcer, "Dye",
                     material < 0 ? "none" : pd_session_material_name(session, material, number, sizeof number));
}

int pd_session_poured_material(const pd_session *session) {
    int materials = pd_world_scene(session->world)->material_count;
    return session->poured < materials ? session->poured : 0;
}

/* ---- Edits ---- */

static int find_material(const pd_session *session, const char *name) {
    const pd_scene *scene = pd_world_scene(session->world);
    return pd_find_material(scene->materials, scene->material_count, name);
}

/* Selects a material for pouring, and for painting if the method has dyes. Switches to the tool Pour if the present tool uses
 * no material. */
static void select_material(pd_session *session, int material) {
    bool method_paints = pd_world_method(session->world)->paints;
    if (method_paints) session->dye = material + 1;
    if (method_paints && pd_bar_tool_row(session->tool)->kind == PD_TOOL_DRAG) {
        session->poured = material;
        pd_session_set_painted_material(session, material);
        return;
    }
    if (!pd_bar_tool_row(session->tool)->needs_material) {
        session->tool = PD_BAR_POUR;
        session->tool_set_by_material = true;
    }
    pd_session_select_poured_material(session, material);
}

/* Selects the scene's material with the name of *material, after adding *material if missing. False: the scene refused the
 * material, which was announced. */
static bool select_or_add_material(pd_session *session, const pd_material *material) {
    pd_error error;
    pd_scene scene;
    int index = find_material(session, material->name);
    if (index < 0) {
        index = pd_world_scene(session->world)->material_count;
        if (!pd_session_begin_edit(session, &scene)) return false;
        if (!pd_session_end_edit(session, &scene, pd_scene_add_material(&scene, material, &error), &error))
            return false;
    }
    select_material(session, index);
    return true;
}

void pd_session_add_ready_material(pd_session *session, int index) {
    pd_material material = pd_world_ready_material(session->world, index);
    select_or_add_material(session, &material);
}

bool pd_session_add_material(pd_session *session, const char *name, const uint8_t rgb[3]) {
    pd_material material = pd_world_scene(session->world)->materials[0];
    material.red = rgb[0];
    material.green = rgb[1];
    material.blue = rgb[2];
    snprintf(material.name, sizeof material.name, "%s", name);
    for (int number = 2; find_material(session, material.name) >= 0; number++)
        snprintf(material.name, sizeof material.name, "%s %d", name, number);
    return select_or_add_material(session, &material);
}

void pd_session_replace_material(pd_session *session, int index, const pd_material *material) {
    pd_scene scene;
    if (index >= pd_world_scene(session->world)->material_count || !pd_session_begin_edit(session, &scene)) return;
    scene.materials[index] = *material;
    pd_session_end_edit(session, &scene, PD_OK, NULL);
}

/* Returns the index of a material after the removal of the material with the index `removed`. -1: the material itself was
 * removed. */
static int compute_index_after_removal(int material, int removed) {
    return material == removed ? -1 : material - (material > removed);
}

static bool has_fluid_of_material(const pd_world *world, int material) {
    pd_view view;
    pd_world_view(world, &view);
    for (int i = 0; i < view.count; i++)
        if (view.material[i] == material) return true;
    return false;
}

void pd_session_remove_material(pd_session *session, int index) {
    pd_error error;
    pd_scene scene;
    pd_session_finish_step(session);
    const char *name = pd_world_scene(session->world)->materials[index].name;
    if (has_fluid_of_material(session->world, index)) {
        pd_announce(session->announcer, "Cannot remove '%s': erase the fluid of this material first", name);
        return;
    }
    if (!pd_session_begin_edit(session, &scene)) return;
    if (pd_scene_remove_material(&scene, index, &error) != PD_OK) {
        pd_announce(session->announcer, "Cannot remove '%s': %s", name, error.message);
        pd_scene_free(&scene);
        return;
    }
    if (pd_session_end_edit(session, &scene, PD_OK, NULL)) {
        int poured = compute_index_after_removal(session->poured, index);
        session->poured = poured < 0 ? 0 : poured;
        if (session->dye > 0) session->dye = compute_index_after_removal(session->dye - 1, index) + 1;
    }
}
