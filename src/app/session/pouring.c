/* Why nothing pours, where a person would wonder. */
#include "app/session/session.h"

static const int DRY_STEPS = 20; /* of a stroke: a third of a second */

/* Whether the tool pours particles, and not a dye or what tracers show. */
static bool pours_particles(const pd_session *session) {
    pd_view view;
    if (pd_world_tool(session->world).kind != PD_TOOL_POUR) return false;
    pd_world_view(session->world, &view);
    return view.rest_density > 0;
}

static void tell_full(pd_session *session) {
    int particles = pd_world_particles(session->world);
    char count[32];
    pd_announce(session->announcer, "No %s more than %s particles (erase fluid first)",
                particles < PD_MAX_PARTICLES ? "memory for" : "scene can have",
                pd_app_count(particles, count, sizeof count));
}

void pd_session_tell_pouring(pd_session *session) {
    pd_poured_watch *watch = &session->pouring;
    int particles = pd_world_particles(session->world), before = watch->particles;
    bool full = pd_world_full(session->world), pours = pours_particles(session);
    if (full && !watch->full) tell_full(session);
    watch->full = full;
    watch->particles = particles;
    if (!pours || full || particles > before)
        watch->dry = pours ? DRY_STEPS : 0; /* once something has come, the stroke needs no explanation */
    else if (++watch->dry == DRY_STEPS)
        pd_announce(session->announcer, "No room to pour here (erase fluid first)");
}
