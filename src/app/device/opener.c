/* Opens a page in the desktop's browser. xdg-open fails at once if there is none, and may else run as long as the browser. */
#include "app/device/opener.h"

#include <spawn.h>
#include <stdio.h>
#include <sys/wait.h>

extern char **environ;

static void announce_failure(const pd_opener *opener, pd_announcer *announcer) {
    pd_announce_path(announcer, "No browser opens. The manual is", opener->path);
}

void pd_opener_open(pd_opener *opener, pd_announcer *announcer, const char *path) {
    char address[PD_MAX_PATH + 8];
    char *const arguments[] = {"xdg-open", address, NULL};
    snprintf(address, sizeof address, "file://%s", path);
    snprintf(opener->path, sizeof opener->path, "%s", path);
    if (posix_spawnp(&opener->process, arguments[0], NULL, NULL, arguments, environ) == 0) {
        pd_announce_path(announcer, "The browser opens the manual", path);
        return;
    }
    opener->process = 0;
    announce_failure(opener, announcer);
}

bool pd_opener_poll(pd_opener *opener, pd_announcer *announcer) {
    int status;
    if (opener->process == 0 || waitpid(opener->process, &status, WNOHANG) != opener->process) return false;
    opener->process = 0;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return false;
    announce_failure(opener, announcer);
    return true;
}
