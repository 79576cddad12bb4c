/* The log of a session in the user's state folder, written as it goes and bounded in size: what was not recorded can still be
 * replayed, also after a crash. $XDG_STATE_HOME/puddle/last.log, or in ~/.local/state; another window that runs at the same
 * time has last-2.log. The log of the session before, or before a snapshot was opened, is kept as previous.log. Where there
 * is no such folder, or it cannot be written, there is no such log. */
#include "app/io/paths.h"
#include "app/session/session.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <unistd.h>

static const long MOST_BYTES = 16L << 20; /* or twice what the file begins with, if that is more: pd_log_follow_last */
enum { WINDOWS = 8 };

/* "last.log", of the second window "last-2.log" */
static void name_file(char *path, size_t size, const char *folder, const char *stem, int number, const char *suffix) {
    if (number == 1)
        snprintf(path, size, "%s/%s%s", folder, stem, suffix);
    else
        snprintf(path, size, "%s/%s-%d%s", folder, stem, number, suffix);
}

/* The lock ends with the process, however that ends. Returns the file descriptor; 0: another window holds it. */
static int take(const char *path) {
    int file = open(path, O_RDWR | O_CREAT | O_NONBLOCK | O_CLOEXEC, 0600);
    if (file > 0 && flock(file, LOCK_EX | LOCK_NB) == 0) return file;
    if (file >= 0) close(file);
    return 0;
}

void pd_session_keep_last_log(pd_session *session) {
    char folder[PD_MAX_PATH - 32], path[PD_MAX_PATH], previous[PD_MAX_PATH];
    if (!pd_app_find_folder(folder, sizeof folder, "XDG_STATE_HOME", ".local/state", "puddle")) return;
    if (!pd_app_make_folder(folder)) return;
    for (int number = 1; !session->last_lock && number <= WINDOWS; number++) {
        name_file(path, sizeof path, folder, "last", number, ".lock");
        session->last_lock = take(path);
        session->last_number = number;
    }
    if (!session->last_lock) return;
    name_file(path, sizeof path, folder, "last", session->last_number, ".log");
    name_file(previous, sizeof previous, folder, "previous", session->last_number, ".log");
    rename(path, previous);
    pd_log_follow_last(session->log, path, MOST_BYTES, NULL);
}

void pd_session_release_last_log(pd_session *session) {
    if (session->last_lock) close(session->last_lock);
    session->last_lock = 0;
}
