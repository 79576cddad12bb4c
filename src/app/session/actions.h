/* Actions of keys and buttons that change the session. */
#ifndef PUDDLE_APP_SESSION_ACTIONS_H
#define PUDDLE_APP_SESSION_ACTIONS_H

#include "app/tables/keys.h"

typedef struct pd_session pd_session;

/* Performs an action. argument: pd_key_stroke.argument; repeated: automatic repetition of a held key. False: the action does not
 * belong to the session. */
bool pd_session_perform_action(pd_session *session, pd_action action, int argument, bool repeated);

#endif
