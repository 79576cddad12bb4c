/* Tools of the left button that change the scene: they draw, move, throw and remove items. */
#include "app/session/materials.h"
#include "app/session/session.h"

#include "core/error.h"
#include "core/text.h"
#include "scene/geometry.h"
#include <math.h>

/* ---- The tool of the left button ---- */

const char *pd_session_tool_text(const pd_session *session, pd_bar_tool tool, int material, char text[PD_TOOL_TEXT]) {
    const pd_bar_row *row = pd_bar_row_of(tool);
    char number[16];
    const char *of = row->needs_material ? pd_session_material_name(session, material, number, sizeof number) : "";
    if (pd_bar_choice_count(tool) > 0) of = row->choices[session->choice[tool]];
    snprintf(text, PD_TOOL_TEXT, "%s%s%s", row->name, *of ? " " : "", of);
    return text;
}

static void announce_tool(const pd_session *session) {
    char text[PD_TOOL_TEXT];
    pd_announce_word(session->announcer, "Tool",
                     pd_session_tool_text(session, session->tool, pd_session_poured_material(session), text));
}

void pd_session_choose_material(pd_session *session, int material) {
    session->poured = material;
    announce_tool(session);
}

void pd_session_choose_tool(pd_session *session, pd_bar_tool tool) {
    bool again = session->tool == tool && !session->tool_set_by_material;
    int choices = pd_bar_choice_count(tool);
    if (again && pd_bar_row_of(tool)->needs_material)
        session->poured = (pd_session_poured_material(session) + 1) % pd_session_scene(session)->material_count;
    if (again && choices > 0) session->choice[tool] = (session->choice[tool] + 1) % choices;
    session->tool = tool;
    session->tool_set_by_material = false;
    announce_tool(session);
}

pd_tool_kind pd_session_tool_kind(const pd_session *session) {
    /* Erasing walls is a series of edits. PD_TOOL_MOVE without an obstacle, which exerts no force, joins them into one act. */
    bool walls = session->tool == PD_BAR_ERASE && session->choice[PD_BAR_ERASE] == PD_CHOICE_WALLS;
    return walls ? PD_TOOL_MOVE : pd_bar_row_of(session->tool)->kind;
}

/* ---- Pouring ---- */

static const int DRY_STEPS = 20; /* steps without a new particle until the message: 1/3 s */

/* Returns whether the tool Pour adds particles that carry the fluid, rather than dye or tracers. */
static bool pours_particles(const pd_session *session) {
    pd_view view;
    if (pd_world_tool(session->world).kind != PD_TOOL_POUR) return false;
    pd_world_view(session->world, &view);
    return view.rest_density > 0;
}

static void announce_full(pd_session *session) {
    int particles = pd_world_particles(session->world);
    char count[32];
    pd_announce(session->announcer, "No %s more than %s particles (erase fluid first)",
                particles < PD_MAX_PARTICLES ? "memory for" : "scene can have",
                pd_app_count_text(particles, count, sizeof count));
}

void pd_session_announce_pouring(pd_session *session) {
    pd_pouring *pouring = &session->pouring;
    int particles = pd_world_particles(session->world), before = pouring->particles;
    bool full = pd_world_is_pour_incomplete(session->world), pours = pours_particles(session);
    if (full && !pouring->limit_announced) announce_full(session);
    pouring->limit_announced = full;
    pouring->particles = particles;
    if (!pours || full || particles > before) /* no message in the rest of a press that has poured particles */
        pouring->steps_without_particle = pours ? DRY_STEPS : 0;
    else if (++pouring->steps_without_particle == DRY_STEPS)
        pd_announce(session->announcer, "No room to pour here (erase fluid first)");
}

/* ---- Drafts ---- */

pd_vec2 pd_session_clamp_to_container(const pd_session *session, pd_vec2 at) {
    const pd_container *c = &pd_world_scene(session->world)->container;
    float away = hypotf(at.x, at.y);
    if (c->shape == PD_CONTAINER_BOX)
        return (pd_vec2){fminf(fmaxf(at.x, -0.5f * c->width), 0.5f * c->width),
                         fminf(fmaxf(at.y, -0.5f * c->height), 0.5f * c->height)};
    if (c->shape == PD_CONTAINER_CIRCLE && away > c->radius)
        return (pd_vec2){at.x * c->radius / away, at.y * c->radius / away};
    return at;
}

float pd_session_distance_outside(const pd_session *session, pd_vec2 at) {
    pd_vec2 clamped = pd_session_clamp_to_container(session, at);
    return hypotf(at.x - clamped.x, at.y - clamped.y);
}

void pd_session_init_draft(const pd_session *session, pd_draft *draft, pd_vec2 at, float size, float unit) {
    pd_vec2 gravity = pd_world_gravity(session->world);
    pd_view view;
    pd_world_view(session->world, &view);
    draft->tool = session->tool;
    draft->shape = session->choice[PD_BAR_SHAPE];
    draft->size = size;
    draft->unit = unit;
    draft->speed = view.speed_scale;
    draft->down = hypotf(gravity.x, gravity.y) > 1e-6f ? gravity : (pd_vec2){0, -1};
    pd_draft_begin(draft, at);
}

bool pd_session_begin_draft(pd_session *session, pd_vec2 at, float size, float unit) {
    if (pd_session_distance_outside(session, at) > 1e-4f * hypotf(at.x, at.y)) return false;
    pd_session_init_draft(session, &session->draft, at, size, unit);
    return true;
}

/* Turns the draft into an emitter with rate and material. False: the speed is 0. */
static bool make_drafted_emitter(const pd_session *session, pd_emitter *emitter) {
    pd_view view;
    pd_world_view(session->world, &view);
    pd_draft_make_emitter(&session->draft, emitter);
    emitter->material = pd_session_poured_material(session);
    float rate = emitter->speed * emitter->width / (view.spacing * view.spacing);
    emitter->rate = fminf(fmaxf(pd_round_to_digits(rate, 4), (float)PD_MIN_RATE), (float)PD_MAX_PARTICLES);
    return emitter->speed > 0;
}

static bool add_drafted_item(pd_session *session) {
    const pd_draft *draft = &session->draft;
    static pd_vec2 points[PD_MAX_POINTS];
    pd_obstacle obstacle;
    pd_emitter emitter;
    pd_drain drain;
    pd_scene scene;
    pd_error error;
    bool emits = draft->tool == PD_BAR_EMITTER, drains = draft->tool == PD_BAR_DRAIN;
    bool large = emits    ? make_drafted_emitter(session, &emitter)
                 : drains ? pd_draft_make_drain(draft, &drain)
                          : pd_draft_make_obstacle(draft, &obstacle, points);
    if (!large || !pd_session_begin_edit(session, &scene)) return false;
    pd_result result = emits    ? pd_scene_add_emitter(&scene, &emitter, &error)
                       : drains ? pd_scene_add_drain(&scene, &drain, &error)
                                : pd_scene_add_obstacle(&scene, &obstacle, &error);
    if (!pd_session_end_edit(session, &scene, result, &error)) return false;
    pd_announce_word(session->announcer, "New", emits ? "emitter" : drains ? "drain" : "wall");
    return true;
}

void pd_session_move_draft(pd_session *session, pd_vec2 at, bool straight) {
    pd_draft *draft = &session->draft;
    if (!draft->active) return;
    bool arrow = draft->tool == PD_BAR_EMITTER; /* the arrow may end outside of the container */
    pd_draft_move(draft, arrow ? at : pd_session_clamp_to_container(session, at), straight);
    if (!pd_draft_is_full(draft)) return;
    add_drafted_item(session);
    pd_draft_begin(draft, draft->to);
}

bool pd_session_end_draft(pd_session *session) {
    bool made = session->draft.active && add_drafted_item(session);
    session->draft.active = false;
    return made;
}

/* ---- Items ---- */

static float distance_to_mouth(const pd_emitter *e, pd_vec2 at) {
    float length = hypotf(e->direction.x, e->direction.y), x = at.x - e->position.x, y = at.y - e->position.y;
    float along = (x * e->direction.x + y * e->direction.y) / length;
    float across = (y * e->direction.x - x * e->direction.y) / length;
    return hypotf(along, fmaxf(fabsf(across) - 0.5f * e->width, 0));
}

static float distance_to_drain(const pd_area *area, pd_vec2 at) {
    float x = at.x - area->center.x, y = at.y - area->center.y;
    if (area->shape == PD_SHAPE_CIRCLE) return hypotf(x, y) - area->radius;
    return fmaxf(fabsf(x) - 0.5f * area->size.x, fabsf(y) - 0.5f * area->size.y);
}

pd_item pd_session_item_at(const pd_session *session, pd_vec2 at, float near) {
    const pd_scene *scene = pd_world_scene(session->world);
    pd_item item = {PD_ITEM_NONE, -1};
    float least = 3 * near; /* mouths are thin lines, hence the larger distance */
    for (int i = 0; i < scene->emitter_count; i++) {
        float away = distance_to_mouth(&scene->emitters[i], at);
        if (!(away <= least)) continue;
        least = away;
        item = (pd_item){PD_ITEM_EMITTER, i};
    }
    if (item.list != PD_ITEM_NONE) return item;
    item.index = pd_world_obstacle_at(session->world, at, near);
    if (item.index >= 0) return (pd_item){PD_ITEM_OBSTACLE, item.index};
    for (int i = scene->drain_count - 1; i >= 0; i--)
        if (distance_to_drain(&scene->drains[i].area, at) <= near) return (pd_item){PD_ITEM_DRAIN, i};
    return item;
}

static void remove_item(pd_session *session, pd_item item) {
    static const char *const names[] = {
        [PD_ITEM_OBSTACLE] = "wall", [PD_ITEM_EMITTER] = "emitter", [PD_ITEM_DRAIN] = "drain"};
    pd_scene scene;
    pd_error error;
    if (!pd_session_begin_edit(session, &scene)) return;
    pd_result result = item.list == PD_ITEM_OBSTACLE  ? pd_scene_remove_obstacle(&scene, item.index, &error)
                       : item.list == PD_ITEM_EMITTER ? pd_scene_remove_emitter(&scene, item.index, &error)
                                                      : pd_scene_remove_drain(&scene, item.index, &error);
    if (pd_session_end_edit(session, &scene, result, &error))
        pd_announce_word(session->announcer, "Removed", names[item.list]);
}

/* Removes the items within the distance `near` of the line from `from` to `to`. */
static void remove_along(pd_session *session, pd_vec2 from, pd_vec2 to, float near) {
    enum { MOST = 64 };
    int count = (int)fminf(ceilf(hypotf(to.x - from.x, to.y - from.y) / near), MOST);
    for (int k = 0; k <= count; k++) {
        float part = count > 0 ? (float)k / (float)count : 0;
        pd_vec2 at = {from.x + part * (to.x - from.x), from.y + part * (to.y - from.y)};
        pd_session_finish_edits(session);
        pd_item item = pd_session_item_at(session, at, near);
        if (item.list != PD_ITEM_NONE) remove_item(session, item);
    }
}

/* ---- Presses of the tools Move and Erase ---- */

/* Returns the position of an emitter or drain in the scene. NULL: another item. */
static pd_vec2 *position_of(const pd_scene *scene, pd_item item) {
    if (item.list == PD_ITEM_EMITTER && item.index < scene->emitter_count) return &scene->emitters[item.index].position;
    if (item.list == PD_ITEM_DRAIN && item.index < scene->drain_count) return &scene->drains[item.index].area.center;
    return NULL;
}

pd_item pd_session_begin_grab(pd_session *session, pd_vec2 at, float near) {
    pd_grab *grab = &session->grab;
    pd_session_finish_edits(session);
    *grab = (pd_grab){.position = at, .hit_distance = near};
    if (session->tool == PD_BAR_MOVE) {
        grab->item = pd_session_item_at(session, at, near);
        const pd_vec2 *place = position_of(pd_session_scene(session), grab->item);
        if (place) grab->offset = (pd_vec2){place->x - at.x, place->y - at.y};
    } else {
        grab->erases = session->tool == PD_BAR_ERASE && session->choice[PD_BAR_ERASE] != PD_CHOICE_FLUID;
    }
    return grab->item;
}

static void move_item(pd_session *session, pd_item item, pd_vec2 to) {
    pd_scene scene;
    pd_view view;
    pd_world_view(session->world, &view);
    float unit = 0.5f * fminf(view.high.x - view.low.x, view.high.y - view.low.y);
    to = pd_session_clamp_to_container(session, pd_draft_rounded_point(to, unit));
    const pd_vec2 *place = position_of(pd_session_scene(session), item);
    if (!place || (place->x == to.x && place->y == to.y) || !pd_session_begin_edit(session, &scene)) return;
    *position_of(&scene, item) = to;
    pd_session_end_edit(session, &scene, PD_OK, NULL);
}

void pd_session_move_grab(pd_session *session, pd_vec2 to) {
    pd_grab *grab = &session->grab;
    if (grab->erases) remove_along(session, grab->position, to, grab->hit_distance);
    if ((grab->item.list == PD_ITEM_EMITTER || grab->item.list == PD_ITEM_DRAIN) &&
        (to.x != grab->position.x || to.y != grab->position.y))
        move_item(session, grab->item, (pd_vec2){to.x + grab->offset.x, to.y + grab->offset.y});
    grab->position = to;
}

void pd_session_end_grab(pd_session *session) { session->grab = (pd_grab){0}; }

/* ---- Motions of obstacles ---- */

static const float FASTEST = 1.5f;  /* greatest speed of a throw / pd_view.speed_scale */
static const float SLOWEST = 0.03f; /* speed of a throw / pd_view.speed_scale, below which the obstacle stops */
static const float GAP = 1.5f; /* least distance of a thrown obstacle from the container's wall, in rest spacings */
static const float SHORTEST = 1e-3f; /* shortest path of a moving obstacle / half the smaller side of the region */

/* Returns the seconds along its path at which an obstacle is now: with o->turn a triangle wave of time. *slope receives 1 on
 * the way forth, -1 on the way back. */
static double path_time(const pd_obstacle *o, double now, int *slope) {
    double since = now + (double)o->phase, turn = o->turn;
    *slope = 1;
    if (!(turn > 0)) return since;
    double phase = fmod(since, 2 * turn);
    *slope = phase < turn ? 1 : -1;
    return phase < turn ? phase : 2 * turn - phase;
}

/* Shifts the obstacle's path so that the obstacle is now at `center` with the angle `angle`, degrees. */
static void set_pose(pd_obstacle *o, pd_vec2 center, double angle, double now) {
    int slope;
    double passed = path_time(o, now, &slope), base = fmod(angle - passed * (double)o->spin, 360);
    pd_area *area = &o->area;
    area->center = (pd_vec2){(float)(center.x - passed * (double)o->velocity.x),
                             (float)(center.y - passed * (double)o->velocity.y)};
    pd_area_rotate(area, base);
}

/* Moves the center of a polyline or polygon, about which it turns, to its middle. A spinning obstacle keeps its center. */
static void center_on_middle(pd_obstacle *o, pd_vec2 *center, double angle) {
    if (!pd_area_has_points(&o->area) || o->spin != 0) return;
    pd_vec2 middle = pd_rotate(pd_draft_center_points(o->area.points, o->area.point_count), angle);
    *center = (pd_vec2){center->x + middle.x, center->y + middle.y};
}

/* Edit of one obstacle. */
typedef struct obstacle_edit {
    pd_scene scene;        /* copy of the scene, which the edit changes */
    pd_obstacle *obstacle; /* the obstacle in that copy */
    pd_view view;
    const pd_area *seen; /* the obstacle's shape at its present place, as in the view */
    double angle;        /* present angle, degrees */
    pd_vec2 center;      /* present center, m */
} obstacle_edit;

static bool begin_obstacle_edit(pd_session *session, int obstacle, obstacle_edit *c) {
    pd_session_finish_edits(session);
    pd_world_view(session->world, &c->view);
    if (obstacle < 0 || obstacle >= c->view.obstacle_count || !pd_session_begin_edit(session, &c->scene)) return false;
    c->obstacle = &c->scene.obstacles[obstacle];
    c->seen = &c->view.obstacles[obstacle];
    c->angle = c->seen->angle;
    c->center = c->seen->center;
    return true;
}

void pd_session_turn_obstacle(pd_session *session, int obstacle, float degrees) {
    obstacle_edit c;
    if (!begin_obstacle_edit(session, obstacle, &c)) return;
    center_on_middle(c.obstacle, &c.center, c.angle);
    set_pose(c.obstacle, c.center, c.angle + (double)degrees, c.view.time);
    if (pd_session_end_edit(session, &c.scene, PD_OK, NULL))
        pd_announce_value(session->announcer, "Obstacle turned by", (double)degrees, "°");
}

void pd_session_spin_obstacle(pd_session *session, int obstacle, float degrees) {
    obstacle_edit c;
    if (!begin_obstacle_edit(session, obstacle, &c)) return;
    center_on_middle(c.obstacle, &c.center, c.angle);
    c.obstacle->spin += degrees;
    set_pose(c.obstacle, c.center, c.angle, c.view.time);
    float spin = c.obstacle->spin;
    if (pd_session_end_edit(session, &c.scene, PD_OK, NULL))
        pd_announce_value(session->announcer, "Obstacle spin", (double)spin, "°/s");
}

/* Limits *back and *forth to the distances that a disc about `p` can move against and along the unit vector `along` within the
 * container. */
static void limit_ways(const pd_container *c, pd_vec2 p, float radius, pd_vec2 along, float *back, float *forth) {
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

/* Computes how far an obstacle can move against (*back) and along (*forth) a direction, m. A spinning obstacle counts as the
 * disc that its points sweep. */
static void find_ways(const obstacle_edit *c, pd_vec2 along, float *back, float *forth) {
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
        corner = pd_rotate(corner, (double)area->angle);
        corner = (pd_vec2){area->center.x + corner.x, area->center.y + corner.y};
        if (!spins) limit_ways(container, corner, round, along, back, forth);
    }
    if (spins) limit_ways(container, area->center, round + most, along, back, forth);
}

/* Makes the obstacle move to and fro, from its present place first along `velocity`. back, forth: distances to both ends, m. */
static void set_path(obstacle_edit *c, pd_vec2 velocity, float speed, float back, float forth) {
    pd_obstacle *o = c->obstacle;
    double turn = (double)(back + forth) / (double)speed, passed = (double)back / (double)speed;
    o->velocity = velocity;
    o->turn = (float)fmax(turn, 1e-3);
    turn = o->turn;
    o->phase = (float)fmod(passed - fmod(c->view.time, 2 * turn) + 2 * turn, 2 * turn);
}

void pd_session_throw_obstacle(pd_session *session, int obstacle, pd_vec2 velocity) {
    obstacle_edit c;
    int slope;
    if (!begin_obstacle_edit(session, obstacle, &c)) return;
    float speed = hypotf(velocity.x, velocity.y), most = FASTEST * c.view.speed_scale, back = 0, forth = 0;
    float unit = 0.5f * fminf(c.view.high.x - c.view.low.x, c.view.high.y - c.view.low.y);
    if (!isfinite(speed)) speed = 0;
    center_on_middle(c.obstacle, &c.center, c.angle);
    path_time(c.obstacle, c.view.time, &slope);
    c.obstacle->spin *= (float)slope;
    if (speed > SLOWEST * c.view.speed_scale)
        find_ways(&c, (pd_vec2){velocity.x / speed, velocity.y / speed}, &back, &forth);
    bool moves = back + forth > SHORTEST * unit;
    float scale = moves ? fminf(1, most / speed) : 0;
    if (moves) {
        set_path(&c, (pd_vec2){scale * velocity.x, scale * velocity.y}, scale * speed, back, forth);
    } else {
        c.obstacle->velocity = (pd_vec2){0, 0};
        c.obstacle->turn = c.obstacle->phase = 0;
    }
    set_pose(c.obstacle, c.center, c.angle, c.view.time);
    if (pd_session_end_edit(session, &c.scene, PD_OK, NULL))
        pd_announce_value(session->announcer, "Obstacle speed", (double)(scale * speed), "m/s");
}
