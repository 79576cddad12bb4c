/* Backspace. A tap goes back a second, or what was made of one; holding it runs time backwards until it is let go, and the
 * world goes on from there. What is known of later steps is dropped, unless a log is being watched.
 *
 * While the key is held the states before the present one are made ahead of time (pd_reverse), for as long as steps may
 * take in a frame; where that is too slow for the machine, time goes back in larger jumps. */
#include "app/session/session.h"

#include "core/timer.h"
#include <math.h>

static const double TAP = 0.25;           /* s: a press shorter than this is a tap */
static const double LONGEST_FRAME = 0.25; /* s: a longer one counts as this long */
static const double MOST_OWED = 90;       /* ticks that wait for their states */
enum {
    STATES = 64 << 20, /* bytes */
    RESERVE = 40,      /* states ahead: more than lie between two keyframes */
    SECOND = 60,       /* ticks */
};

static bool keeps_future(const pd_session *session) { return session->watching || pd_session_replays(session); }

/* Taps. */

/* The state that the next rewind goes to: of the last whole second before the present one, or before that of the last
 * rewind when less than a second was made since. */
static bool find_rewind(const pd_session *session, uint64_t *tick) {
    uint64_t now = session->log ? pd_log_tick(session->log) : 0, from = now;
    uint64_t before = session->backwards.rewound_to;
    if (before > 0 && now >= before && now - before < SECOND) from = before;
    if (from == 0) return false;
    return pd_log_keyframe_before(session->log, (from - 1) / SECOND * SECOND + 1, tick) && *tick < now;
}

/* The world goes on from where it has gone back to. */
static void settle(pd_session *session, const pd_method_info *method, bool keep) {
    if (!keep) pd_log_branch(session->log);
    session->backwards.rewound_to = pd_log_tick(session->log);
    pd_session_time_changed(session, method);
    pd_announce_value(session->announcer, "Rewound to", pd_world_time(session->world), "s");
}

void pd_session_rewind(pd_session *session) {
    const pd_method_info *method = pd_world_method(session->world);
    bool keep = keeps_future(session);
    uint64_t tick;
    pd_error error;
    pd_second_close(session, "time goes back in one pane only");
    if (!find_rewind(session, &tick))
        pd_announce(session->announcer, "Cannot rewind: no earlier state is stored");
    else if (pd_log_seek(session->log, session->world, tick, &error))
        pd_announce_error(session->announcer, &error);
    else
        settle(session, method, keep);
}

/* Holding. */

void pd_backwards_press(pd_session *session) {
    pd_backwards *backwards = &session->backwards;
    pd_error error;
    if (backwards->held) return;
    pd_session_stop_seeking(session);
    pd_second_close(session, "time goes back in one pane only");
    if (!session->log) {
        pd_session_rewind(session); /* tells why it cannot */
        return;
    }
    if (!backwards->reverse && pd_reverse_create(&backwards->reverse, session->world, STATES, &error) != PD_OK) {
        pd_announce_error(session->announcer, &error);
        return;
    }
    pd_reverse_forget(backwards->reverse);
    backwards->held = true;
    backwards->runs = false;
    backwards->pressed = pd_now();
    backwards->owed = 0;
    backwards->keeps = keeps_future(session);
}

void pd_backwards_stop(pd_session *session) {
    pd_backwards *backwards = &session->backwards;
    if (!backwards->held) return;
    backwards->held = false;
    pd_reverse_forget(backwards->reverse);
    if (backwards->runs) settle(session, pd_world_method(session->world), backwards->keeps);
}

void pd_backwards_release(pd_session *session) {
    bool tapped = session->backwards.held && !session->backwards.runs;
    pd_backwards_stop(session);
    if (tapped) pd_session_rewind(session);
}

void pd_backwards_forget(pd_session *session) {
    pd_reverse_destroy(session->backwards.reverse);
    session->backwards = (pd_backwards){0};
}

/* What depends on the world's state, each time that another one is shown. */
static void show(pd_session *session, const pd_method_info *before) {
    if (pd_world_method(session->world) != before)
        pd_session_time_changed(session, before);
    else
        pd_session_read_gravity(session);
    session->pace.owed = session->pace.dt; /* draws it as it is */
}

void pd_backwards_advance(pd_session *session, double elapsed) {
    pd_backwards *backwards = &session->backwards;
    const pd_method_info *method = pd_world_method(session->world);
    double begun = pd_now();
    uint64_t gone = 0;
    if (begun - backwards->pressed >= TAP) {
        backwards->runs = true;
        backwards->owed = fmin(backwards->owed + fmin(elapsed, LONGEST_FRAME) / session->pace.dt, MOST_OWED);
        gone = pd_reverse_back(backwards->reverse, session->log, session->world, (uint64_t)backwards->owed);
        backwards->owed = fmax(backwards->owed - (double)gone, 0);
        if (gone > 0) show(session, method);
    }
    double left = session->pace.budget - (pd_now() - begun);
    int ready = pd_reverse_ready(backwards->reverse), spare = ready < RESERVE;
    int wanted = backwards->runs && ready > 0 ? (int)gone + spare : SECOND;
    pd_reverse_prepare(backwards->reverse, session->log, fmax(left, 0), wanted);
}
