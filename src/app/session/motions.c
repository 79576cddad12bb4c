/* Obstacles that are turned, spun and thrown, as they are held: edits of the scene. */
#include "app/session/session.h"

#include "core/error.h"
#include "scene/geometry.h"
#include <math.h>

static const float FASTEST = 1.5f;   /* scales of speed: a throw */
static const float SLOWEST = 0.03f;  /* scales of speed: a slower throw stops it */
static const float GAP = 1.5f;       /* rest spacings that a thrown obstacle leaves to the container's wall */
static const float SHORTEST = 1e-3f; /* units: of its way */

/* How far along its path an obstacle is, in seconds: with `turn` a triangle wave. slope: 1, or -1 on the way back. */
static double path_time(const pd_obstacle *o, double now, int *slope) {
    double since = now + (double)o->phase, turn = o->turn;
    *slope = 1;
    if (!(turn > 0)) return since;
    double phase = fmod(since, 2 * turn);
    *slope = phase < turn ? 1 : -1;
    return phase < turn ? phase : 2 * turn - phase;
}

/* The path of the obstacle passes this place now, at this angle (degrees), of which its points know nothing. */
static void put(pd_obstacle *o, pd_vec2 center, double angle, double now) {
    int slope;
    double passed = path_time(o, now, &slope), base = fmod(angle - passed * (double)o->spin, 360);
    pd_area *area = &o->area;
    area->center = (pd_vec2){(float)(center.x - passed * (double)o->velocity.x),
                             (float)(center.y - passed * (double)o->velocity.y)};
    pd_area_turn(area, base);
}

/* A polyline or polygon turns about its middle, unless its spin already gives it a point to turn about. */
static void centre(pd_obstacle *o, pd_vec2 *center, double angle) {
    pd_area *area = &o->area;
    if (!pd_area_has_points(area) || o->spin != 0) return;
    pd_vec2 low = area->points[0], high = low;
    for (int i = 1; i < area->point_count; i++) {
        low = (pd_vec2){fminf(low.x, area->points[i].x), fminf(low.y, area->points[i].y)};
        high = (pd_vec2){fmaxf(high.x, area->points[i].x), fmaxf(high.y, area->points[i].y)};
    }
    pd_vec2 middle = {0.5f * (low.x + high.x), 0.5f * (low.y + high.y)}, turned = pd_rotated(middle, angle);
    *center = (pd_vec2){center->x + turned.x, center->y + turned.y};
    for (int i = 0; i < area->point_count; i++) {
        area->points[i].x -= middle.x;
        area->points[i].y -= middle.y;
    }
}

/* A copy of the scene, its obstacle to be changed, and where that is now. */
typedef struct change {
    pd_scene scene;
    pd_obstacle *obstacle;
    pd_view view;
    const pd_area *seen;
    double angle;   /* degrees: as seen */
    pd_vec2 center; /* m: as seen */
} change;

static bool begin(pd_session *session, int obstacle, change *c) {
    pd_error error;
    pd_session_settle_edit(session);
    pd_world_view(session->world, &c->view);
    if (obstacle < 0 || obstacle >= c->view.obstacle_count) return false;
    if (pd_scene_copy(&c->scene, pd_session_scene(session), &error) != PD_OK) {
        pd_announce_error(session->announcer, &error);
        return false;
    }
    c->obstacle = &c->scene.obstacles[obstacle];
    c->seen = &c->view.obstacles[obstacle];
    c->angle = c->seen->angle;
    c->center = c->seen->center;
    return true;
}

static bool finish(pd_session *session, change *c) {
    bool done = pd_session_edit(session, &c->scene);
    pd_scene_free(&c->scene);
    return done;
}

void pd_session_turn_obstacle(pd_session *session, int obstacle, float degrees) {
    change c;
    if (!begin(session, obstacle, &c)) return;
    centre(c.obstacle, &c.center, c.angle);
    put(c.obstacle, c.center, c.angle + (double)degrees, c.view.time);
    if (finish(session, &c)) pd_announce_value(session->announcer, "Obstacle turned by", (double)degrees, "°");
}

void pd_session_spin_obstacle(pd_session *session, int obstacle, float degrees) {
    change c;
    if (!begin(session, obstacle, &c)) return;
    centre(c.obstacle, &c.center, c.angle);
    c.obstacle->spin += degrees;
    put(c.obstacle, c.center, c.angle, c.view.time);
    float spin = c.obstacle->spin;
    if (finish(session, &c)) pd_announce_value(session->announcer, "Obstacle spin", (double)spin, "°/s");
}

/* ---- Throws ---- */

/* How far a disc about a point can go forwards and back along a direction, in the container. */
static void narrow(const pd_container *c, pd_vec2 p, float radius, pd_vec2 along, float *back, float *forth) {
    if (c->shape == PD_CONTAINER_CIRCLE) {
        float across = p.x * along.y - p.y * along.x, at = p.x * along.x + p.y * along.y, room = c->radius - radius;
        float half = sqrtf(fmaxf(room * room - across * across, 0));
        *forth = fminf(*forth, fmaxf(half - at, 0));
        *back = fminf(*back, fmaxf(half + at, 0));
    }
    const float half[2] = {0.5f * c->width - radius, 0.5f * c->height - radius};
    const float place[2] = {p.x, p.y}, way[2] = {along.x, along.y};
    for (int k = 0; k < 2 && c->shape == PD_CONTAINER_BOX; k++) {
        float size = fabsf(way[k]), ahead = way[k] > 0 ? half[k] - place[k] : half[k] + place[k];
        if (size < 1e-6f) continue;
        *forth = fminf(*forth, fmaxf(ahead / size, 0));
        *back = fminf(*back, fmaxf((2 * half[k] - ahead) / size, 0));
    }
}

/* The same of a whole obstacle; one that spins counts as the disc that it covers. */
static void reach(const change *c, pd_vec2 along, float *back, float *forth) {
    const pd_area *area = c->seen;
    const pd_container *container = &c->scene.container;
    bool line = area->shape == PD_SHAPE_POLYLINE, points = pd_area_has_points(area), spins = c->obstacle->spin != 0;
    float gap = GAP * c->view.spacing, most = 0;
    float round = gap + (area->shape == PD_SHAPE_CIRCLE ? area->radius : line ? 0.5f * area->thickness : 0);
    int corners = area->shape == PD_SHAPE_CIRCLE ? 1 : points ? area->point_count : 4;
    *back = *forth = 0.5f * fminf(c->view.high.x - c->view.low.x, c->view.high.y - c->view.low.y);
    if (container->shape != PD_CONTAINER_NONE) *back = *forth = 4 * *forth + 2 * fabsf(container->width);
    for (int k = 0; k < corners; k++) {
        pd_vec2 corner = {0, 0};
        if (points) corner = area->points[k];
        if (area->shape == PD_SHAPE_BOX)
            corner = (pd_vec2){(k & 1 ? 0.5f : -0.5f) * area->size.x, (k & 2 ? 0.5f : -0.5f) * area->size.y};
        most = fmaxf(most, hypotf(corner.x, corner.y));
        corner = pd_rotated(corner, (double)area->angle);
        corner = (pd_vec2){area->center.x + corner.x, area->center.y + corner.y};
        if (!spins) narrow(container, corner, round, along, back, forth);
    }
    if (spins) narrow(container, area->center, round + most, along, back, forth);
}

/* To and fro on the way from wall to wall, from where it is and onwards. */
static void set_path(change *c, pd_vec2 velocity, float speed, float back, float forth) {
    pd_obstacle *o = c->obstacle;
    double turn = (double)(back + forth) / (double)speed, passed = (double)back / (double)speed;
    o->velocity = velocity;
    o->turn = (float)fmax(turn, 1e-3);
    turn = o->turn;
    o->phase = (float)fmod(passed - fmod(c->view.time, 2 * turn) + 2 * turn, 2 * turn);
}

void pd_session_throw_obstacle(pd_session *session, int obstacle, pd_vec2 velocity) {
    change c;
    int slope;
    if (!begin(session, obstacle, &c)) return;
    float speed = hypotf(velocity.x, velocity.y), most = FASTEST * c.view.speed_scale, back = 0, forth = 0;
    float unit = 0.5f * fminf(c.view.high.x - c.view.low.x, c.view.high.y - c.view.low.y);
    if (!isfinite(speed)) speed = 0;
    centre(c.obstacle, &c.center, c.angle);
    path_time(c.obstacle, c.view.time, &slope);
    c.obstacle->spin *= (float)slope;
    if (speed > SLOWEST * c.view.speed_scale)
        reach(&c, (pd_vec2){velocity.x / speed, velocity.y / speed}, &back, &forth);
    bool moves = back + forth > SHORTEST * unit;
    float scale = moves ? fminf(1, most / speed) : 0;
    if (moves) {
        set_path(&c, (pd_vec2){scale * velocity.x, scale * velocity.y}, scale * speed, back, forth);
    } else {
        c.obstacle->velocity = (pd_vec2){0, 0};
        c.obstacle->turn = c.obstacle->phase = 0;
    }
    put(c.obstacle, c.center, c.angle, c.view.time);
    if (finish(session, &c)) pd_announce_value(session->announcer, "Obstacle speed", (double)(scale * speed), "m/s");
}
