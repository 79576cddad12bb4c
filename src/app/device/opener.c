/* Opens a page in the desktop's browser. xdg-open fails at once if there is none, and may else run as long as the browser. */
#include "app/device/opener.h"

#include <stdio.h>

static void announce_failure(const pd_opener *opener, pd_announcer *announcer) {
    pd_announce_path(announcer, "No browser opens. The manual is", opener->path);
}

void pd_opener_open(pd_opener *opener, pd_announcer *announcer, const char *path) {
    char address[PD_MAX_PATH + 8];
    char *const arguments[] = {"xdg-open", address, NULL};
    snprintf(address, sizeof address, "file://%s", path);
    snprintf(opener->path, sizeof opener->path, "%s", path);
    if (pd_os_start_process(&opener->process, arguments, false, PD_LOCK_NONE, NULL) == 0)
        pd_announce_path(announcer, "The browser opens the manual", path);
    else
        announce_failure(opener, announcer);
}

bool pd_opener_poll(pd_opener *opener, pd_announcer *announcer) {
    bool succeeded;
    if (opener->process == 0 || !pd_os_has_ended(opener->process, false, &succeeded)) return false;
    opener->process = 0;
    if (succeeded) return false;
    announce_failure(opener, announcer);
    return true;
}
