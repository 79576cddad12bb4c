/* Materials: selection for pouring and painting, and edits of the scene's list of materials. */
#ifndef PUDDLE_APP_SESSION_MATERIALS_H
#define PUDDLE_APP_SESSION_MATERIALS_H

#include <puddle/scene.h>

typedef struct pd_session pd_session;

/* Returns the index of the material that a left drag paints. -1: none, or the method has no dyes. */
int pd_session_painted_material(const pd_session *session);
void pd_session_set_painted_material(pd_session *session, int material); /* material: index, or -1 for none */
/* Returns the index of the material that the tool Pour pours. */
int pd_session_poured_material(const pd_session *session);
/* Returns the name of a material. A nameless material's number is written into `text`. */
const char *pd_session_material_name(const pd_session *session, int material, char *text, size_t size);

/* Selects a ready material for pouring and painting, and adds it to the scene if no material has its name. Announces errors.
 * index: of the ready materials. */
void pd_session_add_ready_material(pd_session *session, int index);
/* Adds a copy of the scene's first material with this colour and name, and selects the copy. A name that the scene has already
 * gets a number. False: an error was announced. */
bool pd_session_add_material(pd_session *session, const char *name, const uint8_t rgb[3]);
/* Replaces the properties of a material. The name stays. */
void pd_session_change_material(pd_session *session, int index, const pd_material *material);
/* Removes a material, or announces which fluid or item uses the material. */
void pd_session_remove_material(pd_session *session, int index);

#endif
