/* Materials: which one the tools pour and paint, and edits of the scene's list. */
#ifndef PUDDLE_APP_SESSION_MATERIALS_H
#define PUDDLE_APP_SESSION_MATERIALS_H

#include <puddle/scene.h>

typedef struct pd_session pd_session;

/* Returns the material that a left drag paints. -1: none, or the method has no dyes. */
int pd_session_dye(const pd_session *session);
void pd_session_set_dye(pd_session *session, int material); /* -1: none */
/* Returns the material that pours. */
int pd_session_poured(const pd_session *session);
/* Returns the name of a material, or its number in `text` if it has no name. */
const char *pd_session_material_name(const pd_session *session, int material, char *text, size_t size);

/* Adds the ready material of this index, unless the scene has one of this name, and selects it for pouring and painting. An error
 * is announced. */
void pd_session_add_ready_material(pd_session *session, int index);
/* Adds a copy of the scene's first material with this colour and name, and selects it. A name that exists gets a number. False: an
 * error, which is announced. */
bool pd_session_add_material(pd_session *session, const char *name, const uint8_t rgb[3]);
/* Replaces a material by another of the same name. */
void pd_session_change_material(pd_session *session, int index, const pd_material *material);
/* Removes a material, or announces what uses it. */
void pd_session_remove_material(pd_session *session, int index);

#endif
