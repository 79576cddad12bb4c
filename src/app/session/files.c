/* Saving of snapshots, scene files and logs. */
#include "app/session/files.h"

#include "app/io/settings.h"
#include "app/session/timeline.h"
#include "core/error.h"
#include "core/text.h"
#include "scene/file/scene_files.h"
#include <stdio.h>
#include <string.h>
#include <time.h>

const char *pd_file_suffix(pd_file_kind kind) {
    static const char *const suffixes[] = {".puddle", ".yaml", ".log"};
    return suffixes[kind];
}

/* Returns whether a file exists at `path` with its suffix replaced by `suffix`. */
static bool exists_with_suffix(const char *path, const char *suffix) {
    char beside[PD_MAX_PATH + 16];
    snprintf(beside, sizeof beside, "%.*s%s", (int)(strrchr(path, '.') - path), path, suffix);
    return pd_os_exists(beside);
}

bool pd_session_would_replace(pd_file_kind kind, const char *path) {
    bool scene = kind == PD_FILE_SCENE && pd_text_ends_in(path, pd_file_suffix(kind));
    return pd_os_exists(path) ||
           (scene && (exists_with_suffix(path, ".csv") || exists_with_suffix(path, "-cells.csv")));
}

static pd_result save_snapshot(pd_session *session, const char *path, pd_error *error) {
    pd_result result = pd_world_save(session->world, path, error);
    if (!result && path != session->saved) snprintf(session->saved, sizeof session->saved, "%s", path);
    return result;
}

static pd_result save_scene(pd_session *session, const char *path, pd_error *error) {
    pd_scene scene;
    pd_result result = pd_world_state_as_scene(session->world, &scene, error);
    if (result) return result;
    pd_scene_set_name_from_path(&scene, path);
    result = pd_scene_write(&scene, path, error);
    pd_scene_free(&scene);
    return result;
}

static pd_result save_log(pd_session *session, const char *path, pd_error *error) {
    static const double SAVED = 120; /* s: the end of the log that is saved */
    if (!session->log)
        return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "cannot save: no memory for the log (open the scene again)");
    uint64_t now = pd_log_tick(session->log), ticks = (uint64_t)(SAVED / (double)pd_world_scene(session->world)->dt);
    return pd_log_write(session->log, session->world, now > ticks ? now - ticks : 0, path, error);
}

pd_result pd_session_save(pd_session *session, pd_file_kind kind, const char *path, pd_error *error) {
    static const struct {
        pd_result (*save)(pd_session *session, const char *path, pd_error *error);
        const char *announcement;
    } kinds[] = {
        {save_snapshot, "Saved snapshot"}, {save_scene, "Saved scene"}, {save_log, "Saved the last two minutes as"}};
    pd_session_finish_step(session);
    pd_result result = kinds[kind].save(session, path, error);
    if (!result) pd_announce_path(session->announcer, kinds[kind].announcement, path);
    return result;
}

bool pd_session_save_again(pd_session *session) {
    pd_error error;
    if (!*session->saved) return false;
    pd_session_end_seek_and_rewind(session);
    pd_session_check_result(session, pd_session_save(session, PD_FILE_SNAPSHOT, session->saved, &error), &error);
    return true;
}

void pd_session_set_history_mib(pd_session *session, int mib) {
    pd_error error;
    session->history = (size_t)mib << 20;
    if (session->log) pd_log_set_keyframe_budget(session->log, session->history);
    if (pd_session_check_result(session, pd_settings_save_history_mib(mib, &error), &error))
        pd_announce_value(session->announcer, "Rewind memory", mib, "MiB");
}

/* ---- The files of --log ---- */

/* Writes a log's path with a number before the suffix: "run-2.log" for "run.log" and 2. */
static void make_numbered_path(const char *name, int number, char *path, size_t size) {
    const char *dot = strrchr(pd_path_name(name), '.');
    int stem = (int)(dot ? dot - name : (ptrdiff_t)strlen(name));
    snprintf(path, size, "%.*s-%d%s", stem, name, number, dot ? dot : "");
}

/* Writes the path of --log with the next number that no file and no other window has. Claims the path for this window, and sets
 * session->log_number. */
static void claim_next_log_path(pd_session *session, char *path, size_t size) {
    pd_os_unlock(&session->log_claim);
    for (;;) {
        make_numbered_path(session->log_path, ++session->log_number, path, size);
        bool claimed = pd_file_claim(path, &session->log_claim, NULL) == PD_OK;
        if (claimed && !pd_os_exists(path)) return;
        pd_os_unlock(&session->log_claim);
    }
}

pd_result pd_session_begin_log_file(pd_session *session, pd_error *error) {
    char path[PD_MAX_PATH + 16];
    if (!session->log_path || !session->log) return PD_OK;
    if (session->log_number > 0) {
        claim_next_log_path(session, path, sizeof path);
        return pd_log_begin_autosave(session->log, path, error);
    }
    session->log_number = 1;
    return pd_log_begin_autosave(session->log, session->log_path, error);
}

/* ---- The last log ----
 *
 * $XDG_STATE_HOME/puddle/last.log, or ~/.local/state/puddle/last.log, receives each command as soon as it is logged. After a
 * crash the session can be replayed from this file. The former last.log becomes previous.log if the user did something in that
 * session, and the next window offers to continue it. A second window at the same time
 * writes last-2.log. */

static const long MAX_BYTES = 16L << 20; /* limit of last.log: this size, or twice its first size if larger */
enum { MAX_WINDOWS = 8 };                /* largest number of windows that write a last log at the same time */

/* Writes the path of a file of the last log: FOLDER/STEM.log for window 1, FOLDER/STEM-NUMBER.log for the others. */
static void make_last_log_path(char *path, size_t size, const char *folder, const char *stem, int number) {
    if (number == 1)
        snprintf(path, size, "%s/%s.log", folder, stem);
    else
        snprintf(path, size, "%s/%s-%d.log", folder, stem, number);
}

bool pd_session_find_previous_log(const pd_session *session, char *path, size_t size) {
    char folder[PD_MAX_PATH - 32];
    if (!session->last_log_lock || !pd_os_user_folder(PD_STATE_FOLDER, "puddle", folder, sizeof folder)) return false;
    make_last_log_path(path, size, folder, "previous", session->last_log_number);
    return pd_os_exists(path);
}

bool pd_session_describe_previous_log(const pd_session *session, char *text, size_t size) {
    char path[PD_MAX_PATH], name[PD_MAX_NAME];
    bool has_commands;
    if (!pd_session_find_previous_log(session, path, sizeof path) || !pd_log_summarize(path, &has_commands, name))
        return false;
    long minutes = (long)((time(NULL) - pd_os_status(path, false).changed / 1000000000) / 60);
    const char *scene = *name ? name : "unnamed scene";
    if (minutes < 1)
        snprintf(text, size, "%s, just now", scene);
    else if (minutes < 120)
        snprintf(text, size, "%s, %ld min ago", scene, minutes);
    else if (minutes < 48 * 60)
        snprintf(text, size, "%s, %ld hours ago", scene, minutes / 60);
    else
        snprintf(text, size, "%s, %ld days ago", scene, minutes / (24 * 60));
    return true;
}

void pd_session_begin_last_log(pd_session *session) {
    char folder[PD_MAX_PATH - 32], path[PD_MAX_PATH], previous[PD_MAX_PATH], name[PD_MAX_NAME];
    bool has_commands;
    if (!pd_os_user_folder(PD_STATE_FOLDER, "puddle", folder, sizeof folder)) return;
    if (pd_os_create_folders(folder, true, NULL) != 0) return;
    for (int number = 1; !session->last_log_lock && number <= MAX_WINDOWS; number++) {
        make_last_log_path(path, sizeof path, folder, "last", number);
        int lock = pd_os_lock(folder, pd_path_name(path));
        if (lock <= 0) continue;
        session->last_log_lock = lock;
        session->last_log_number = number;
    }
    if (!session->last_log_lock) return;
    make_last_log_path(path, sizeof path, folder, "last", session->last_log_number);
    make_last_log_path(previous, sizeof previous, folder, "previous", session->last_log_number);
    bool used = pd_log_summarize(path, &has_commands, name) && has_commands;
    if (used && pd_os_rename(path, previous) != 0) return; /* the former log is not written over */
    pd_log_begin_limited_autosave(session->log, path, MAX_BYTES, NULL);
}

void pd_session_end_last_log(pd_session *session) { pd_os_unlock(&session->last_log_lock); }
