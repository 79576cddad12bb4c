/* What the scene asks for and the method does otherwise (pd_world_warning): as a message when it comes up. */
#include "app/session.h"

#include <stdio.h>
#include <string.h>

void pd_session_tell_warnings(pd_session *session, const char *first) {
    char text[480], line[256];
    snprintf(text, sizeof text, "%s", first);
    for (int i = 0; pd_world_warning(session->world, i, line, sizeof line); i++) {
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s%s", used ? "; " : "", line);
    }
    if (*text) pd_announce(session->announcer, "%s", text);
}
