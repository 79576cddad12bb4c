/* Backspace. A tap goes back a second, or what was made of one; holding it runs time backwards until it is let go, and the
 * world goes on from there. What is known of later steps is dropped, unless a log is being watched.
 *
 * While the key is held the states before the present one are made ahead of time (pd_reverse), for as long as steps may
 * take in a frame; where that is too slow for the machine, time goes back in larger jumps. */
#include "app/state.h"

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

static bool keeps_future(const pd_app *app) { return app->session.watching || pd_app_replays(app); }

/* Taps. */

/* The state that the next rewind goes to: of the last whole second before the present one, or before that of the last
 * rewind when less than a second was made since. */
static bool find_rewind(const pd_app *app, uint64_t *tick) {
    uint64_t now = app->session.log ? pd_log_tick(app->session.log) : 0, from = now;
    uint64_t before = app->session.backwards.rewound_to;
    if (before > 0 && now >= before && now - before < SECOND) from = before;
    if (from == 0) return false;
    return pd_log_keyframe_before(app->session.log, (from - 1) / SECOND * SECOND + 1, tick) && *tick < now;
}

/* The world goes on from where it has gone back to. */
static void settle(pd_app *app, const pd_method_info *method, bool keep) {
    if (!keep) pd_log_branch(app->session.log);
    app->session.backwards.rewound_to = pd_log_tick(app->session.log);
    pd_app_time_changed(app, method);
    pd_announce_value(&app->viewport.announcer, "Rewound to", pd_world_time(app->session.world), "s");
}

void pd_app_rewind(pd_app *app) {
    const pd_method_info *method = pd_world_method(app->session.world);
    bool keep = keeps_future(app);
    uint64_t tick;
    pd_error error;
    pd_app_flush_save(app);
    if (!find_rewind(app, &tick))
        pd_announce(&app->viewport.announcer, "Nothing to rewind to");
    else if (pd_log_seek(app->session.log, app->session.world, tick, &error))
        pd_announce_error(&app->viewport.announcer, &error);
    else
        settle(app, method, keep);
}

/* Holding. */

void pd_backwards_press(pd_app *app) {
    pd_backwards *backwards = &app->session.backwards;
    pd_error error;
    if (backwards->held) return;
    pd_app_stop_seeking(app);
    pd_app_flush_save(app);
    if (!app->session.log) {
        pd_app_rewind(app); /* tells why it cannot */
        return;
    }
    if (!backwards->reverse && pd_reverse_create(&backwards->reverse, app->session.world, STATES, &error) != PD_OK) {
        pd_announce_error(&app->viewport.announcer, &error);
        return;
    }
    pd_reverse_forget(backwards->reverse);
    backwards->held = true;
    backwards->runs = false;
    backwards->pressed = pd_now();
    backwards->owed = 0;
    backwards->keeps = keeps_future(app);
}

void pd_backwards_stop(pd_app *app) {
    pd_backwards *backwards = &app->session.backwards;
    if (!backwards->held) return;
    backwards->held = false;
    pd_reverse_forget(backwards->reverse);
    if (backwards->runs) settle(app, pd_world_method(app->session.world), backwards->keeps);
}

void pd_backwards_release(pd_app *app) {
    bool tapped = app->session.backwards.held && !app->session.backwards.runs;
    pd_backwards_stop(app);
    if (tapped) pd_app_rewind(app);
}

void pd_backwards_forget(pd_app *app) {
    pd_reverse_destroy(app->session.backwards.reverse);
    app->session.backwards = (pd_backwards){0};
}

/* What depends on the world's state, each time that another one is shown. */
static void show(pd_app *app, const pd_method_info *before) {
    app->session.queue.count = 0;
    if (pd_world_method(app->session.world) != before)
        pd_app_time_changed(app, before);
    else
        pd_app_read_gravity(app);
    app->session.pace.owed = app->session.pace.dt; /* draws it as it is */
}

void pd_backwards_advance(pd_app *app, double elapsed) {
    pd_backwards *backwards = &app->session.backwards;
    const pd_method_info *method = pd_world_method(app->session.world);
    double begun = pd_now();
    uint64_t gone = 0;
    if (begun - backwards->pressed >= TAP) {
        backwards->runs = true;
        backwards->owed = fmin(backwards->owed + fmin(elapsed, LONGEST_FRAME) / app->session.pace.dt, MOST_OWED);
        gone = pd_reverse_back(backwards->reverse, app->session.log, app->session.world, (uint64_t)backwards->owed);
        backwards->owed = fmax(backwards->owed - (double)gone, 0);
        if (gone > 0) show(app, method);
    }
    double left = app->session.pace.budget - (pd_now() - begun);
    int ready = pd_reverse_ready(backwards->reverse), spare = ready < RESERVE;
    int wanted = backwards->runs && ready > 0 ? (int)gone + spare : SECOND;
    pd_reverse_prepare(backwards->reverse, app->session.log, fmax(left, 0), wanted);
}
