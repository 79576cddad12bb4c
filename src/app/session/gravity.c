/* Gravity as strength, direction and a switch. */
#include "app/session/session.h"

#include <math.h>

pd_vec2 pd_gravity_vector(const pd_gravity_dial *dial) {
    float strength = dial->on ? dial->strength : 0, angle = dial->angle / 57.29578f;
    return (pd_vec2){strength * sinf(angle), -strength * cosf(angle)};
}

void pd_session_read_gravity(pd_session *session) {
    pd_gravity_dial *dial = &session->gravity;
    pd_vec2 gravity = pd_world_gravity(session->world);
    float strength = hypotf(gravity.x, gravity.y);
    dial->on = strength > 0;
    if (dial->on) {
        dial->strength = strength;
        dial->angle = atan2f(gravity.x, -gravity.y) * 57.29578f;
    }
    if (dial->notch > 0) return;
    if (!dial->on) {
        pd_scene defaults;
        pd_scene_init(&defaults);
        dial->strength = hypotf(defaults.gravity.x, defaults.gravity.y);
        pd_scene_free(&defaults);
        dial->angle = 0;
    }
    dial->notch = dial->strength / 10;
}

void pd_session_apply_gravity(pd_session *session) {
    const pd_gravity_dial *dial = &session->gravity;
    if (dial->on)
        pd_announce_value(session->announcer, "Gravity", (double)dial->strength, "m/s²");
    else
        pd_announce_word(session->announcer, "Gravity", "off");
    pd_session_set_gravity(session, pd_gravity_vector(dial));
}
