/* Actions of keys and buttons that change the session. */
#ifndef PUDDLE_APP_SESSION_ACTIONS_H
#define PUDDLE_APP_SESSION_ACTIONS_H

#include "app/tables/keys.h"

typedef struct pd_session pd_session;

/* Performs an action of the table of keys. argument: pd_key_stroke.argument; repeated: the key event is the automatic
 * repetition of a held key. False: the session does not perform this action. */
bool pd_session_perform_action(pd_session *session, pd_action action, int argument, bool repeated);

#endif
