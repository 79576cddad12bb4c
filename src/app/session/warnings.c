/* What the scene asks for and the method does otherwise (pd_world_warning): as a message when it comes up. It is printed in
 * full; the window shows how much there is, and the panel what. */
#include "app/session/session.h"

#include <stdio.h>
#include <string.h>

int pd_session_warnings(const pd_world *world, char *text, size_t size) {
    char line[256];
    int count = 0;
    for (; pd_world_warning(world, count, line, sizeof line); count++) {
        size_t used = strlen(text);
        snprintf(text + used, size - used, "%s%s", used ? "; " : "", line);
    }
    return count;
}

void pd_session_tell_warnings(pd_session *session, const char *first) {
    char text[480], brief[256];
    snprintf(text, sizeof text, "%s", first);
    int count = pd_session_warnings(session->world, text, sizeof text);
    if (!*text) return;
    snprintf(brief, sizeof brief, "%.160s%s %d warning%s about the scene (see the panel)",
             *first ? first : pd_world_method(session->world)->title, *first ? ";" : ":", count, count == 1 ? "" : "s");
    bool few = count + (*first != '\0') < 2;
    pd_announce_brief(session->announcer, few ? text : brief, text);
}
