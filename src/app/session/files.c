/* Snapshots, scene files, and the end of the log as a file. */
#include "app/io/paths.h"
#include "app/session/session.h"

#include "core/error.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The world to save: the session's, or within a long step, which may take minutes, a copy as it was before. To be destroyed with
 * `release`. */
static pd_world *complete_world(pd_session *session) {
    pd_world *copy = pd_world_stepping(session->world) ? pd_session_before_step(session) : NULL;
    if (copy) return copy;
    if (pd_world_stepping(session->world)) pd_session_finish_step(session);
    return session->world;
}

static void release(const pd_session *session, pd_world *world) {
    if (world != session->world) pd_world_destroy(world);
}

void pd_session_save(pd_session *session) {
    char slug[PD_MAX_NAME], path[PD_MAX_PATH];
    pd_world *world = complete_world(session);
    pd_app_slug(pd_world_scene(world)->name, slug, sizeof slug);
    pd_app_fresh_path(path, sizeof path, "", slug, 4, ".puddle");
    pd_error error;
    if (pd_world_save(world, path, &error))
        pd_announce_error(session->announcer, &error);
    else
        pd_announce_path(session->announcer, "Saved snapshot", path);
    release(session, world);
}

/* Whether there is a file of this ending in the place of a scene's. */
static bool is_taken(const char *path, const char *ending) {
    char beside[PD_MAX_PATH + 16];
    snprintf(beside, sizeof beside, "%.*s%s", (int)(strrchr(path, '.') - path), path, ending);
    return pd_app_is_taken(beside);
}

/* Numbers that neither a scene nor its files of particles and cells have yet. */
void pd_session_save_scene(pd_session *session) {
    static const char ENDING[] = ".yaml";
    char slug[PD_MAX_NAME], path[PD_MAX_PATH];
    pd_world *world = complete_world(session);
    pd_scene scene;
    pd_error error;
    int taken = 0;
    pd_app_slug(pd_world_scene(world)->name, slug, sizeof slug);
    do {
        pd_app_next_path(path, sizeof path, "", slug, 4, ENDING, &taken);
    } while ((is_taken(path, ".csv") || is_taken(path, "-cells.csv")) && taken < 999999);
    pd_result result = pd_world_scene_now(world, &scene, &error);
    release(session, world);
    if (result == PD_OK) {
        result = pd_scene_write(&scene, path, &error);
        pd_scene_free(&scene);
    }
    if (result == PD_OK)
        pd_announce_path(session->announcer, "Saved scene", path);
    else
        pd_announce_error(session->announcer, &error);
}

/* Ctrl+R */
void pd_session_keep_log(pd_session *session) {
    static const double KEPT = 120; /* s */
    char slug[PD_MAX_NAME], path[PD_MAX_PATH];
    pd_error error;
    pd_session_finish_step(session);
    if (!session->log || pd_session_stepping(session)) {
        pd_announce(session->announcer, "Cannot save: no memory for the log (open the scene again)");
        return;
    }
    uint64_t now = pd_log_tick(session->log), ticks = (uint64_t)(KEPT / (double)pd_world_scene(session->world)->dt);
    pd_app_slug(pd_world_scene(session->world)->name, slug, sizeof slug);
    pd_app_fresh_path(path, sizeof path, "", slug, 4, ".log");
    if (pd_log_write(session->log, session->world, now > ticks ? now - ticks : 0, path, &error))
        pd_announce_error(session->announcer, &error);
    else
        pd_announce_path(session->announcer, "Saved the last two minutes as", path);
}
