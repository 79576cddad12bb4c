/* The actions of keys and buttons on the session. */
#ifndef PUDDLE_APP_SESSION_ACTIONS_H
#define PUDDLE_APP_SESSION_ACTIONS_H

#include "app/tables/keys.h"

typedef struct pd_session pd_session;

/* Performs an action. repeated: the key is held down. False: the action is not the session's. */
bool pd_session_act(pd_session *session, pd_action action, int argument, bool repeated);

#endif
