/* Materials: selection for pouring and painting, and edits of the scene's list of materials. */
#ifndef PUDDLE_APP_SESSION_MATERIALS_H
#define PUDDLE_APP_SESSION_MATERIALS_H

#include <puddle/scene.h>

typedef struct pd_session pd_session;

/* Returns the index of the material whose dye a left drag paints. -1: no dye is selected, or the method has no dyes. */
int pd_session_painted_material(const pd_session *session);
/* Selects the material whose dye a left drag paints, and announces its name. material: -1 for none. */
void pd_session_set_painted_material(pd_session *session, int material);
/* Returns the index of the material that the tool Pour pours. */
int pd_session_poured_material(const pd_session *session);
/* Returns the name of a material. For a material without name, writes its number (from 1) into `text` and returns `text`. */
const char *pd_session_material_name(const pd_session *session, int material, char *text, size_t size);

/* Selects a ready material (pd_world_ready_material) for pouring and painting. Adds the material to the scene if no material
 * has its name. Announces errors. */
void pd_session_add_ready_material(pd_session *session, int index);
/* Adds a copy of the scene's first material with this colour and name, and selects the copy. A number is added to the name if
 * the scene has a material of this name. False: an error was announced. */
bool pd_session_add_material(pd_session *session, const char *name, const uint8_t rgb[3]);
/* Replaces a material of the scene. The caller leaves the name unchanged. */
void pd_session_replace_material(pd_session *session, int index, const pd_material *material);
/* Removes a material from the scene. If fluid or an item uses the material, announces the use instead. */
void pd_session_remove_material(pd_session *session, int index);

#endif
