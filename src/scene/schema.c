/* The schema of a scene: keys, words and limits, for scene files and scenes built in C. */
#include "scene/schema.h"

#include "core/math.h"

/* Limits beyond any realistic scene, within which squares and products are finite floats. */
#define LONGEST 1e9 /* s */

#define COUNT_OF(array) ((int)(sizeof(array) / sizeof *(array)))
#define LENGTH          .low = PD_SHORTEST, .high = PD_FARTHEST
#define PLACE           .low = -PD_FARTHEST, .high = PD_FARTHEST
#define SPEED           .low = -PD_FASTEST, .high = PD_FASTEST

const char *const pd_shape_words[] = {"circle", "box", "ellipse", "polyline", "image", "particles", "polygon", NULL};
enum {
    CIRCLE = 1 << PD_SHAPE_CIRCLE,
    BOX = 1 << PD_SHAPE_BOX,
    ELLIPSE = 1 << PD_SHAPE_ELLIPSE,
    POLYLINE = 1 << PD_SHAPE_POLYLINE,
    IMAGE = 1 << PD_SHAPE_IMAGE,
    PARTICLES = 1 << PD_SHAPE_PARTICLES,
    POLYGON = 1 << PD_SHAPE_POLYGON,
    AREAS = CIRCLE | BOX | ELLIPSE | IMAGE, /* of regions: filled with particles */
};
const char *const pd_fill_words[] = {"hex", "grid", "random", NULL};
const char *const pd_container_words[] = {"circle", "box", "none", NULL};
enum { ROUND = 1 << PD_CONTAINER_CIRCLE, BOXED = 1 << PD_CONTAINER_BOX, OPEN = 1 << PD_CONTAINER_NONE };

static const pd_record_field material_fields[] = {
    {"color", FIELD_CUSTOM, .allowed = ALL_KINDS, .required = ALL_KINDS, .read = pd_read_color},
    {"mass", FIELD_NUMBER, offsetof(pd_material, mass), .allowed = ALL_KINDS, .low = 1e-3, .high = 1e3},
    {"viscosity", FIELD_PROPERTY, offsetof(pd_material, property[PD_VISCOSITY]), .allowed = ALL_KINDS},
    {"elasticity", FIELD_PROPERTY, offsetof(pd_material, property[PD_ELASTICITY]), .allowed = ALL_KINDS},
    {"plasticity", FIELD_PROPERTY, offsetof(pd_material, property[PD_PLASTICITY]), .allowed = ALL_KINDS},
    {"yield", FIELD_PROPERTY, offsetof(pd_material, property[PD_YIELD]), .allowed = ALL_KINDS},
    {"stickiness", FIELD_PROPERTY, offsetof(pd_material, property[PD_STICKINESS]), .allowed = ALL_KINDS},
    {"contact_angle", FIELD_PROPERTY, offsetof(pd_material, property[PD_CONTACT_ANGLE]), .allowed = ALL_KINDS},
    {"surface_tension", FIELD_PROPERTY, offsetof(pd_material, property[PD_TENSION]), .allowed = ALL_KINDS},
};
const pd_record pd_material_record = {"material", material_fields, COUNT_OF(material_fields), false};

static const pd_record_field wall_fields[] = {
    {"inflow", FIELD_NUMBER, offsetof(pd_wall, inflow), .allowed = ALL_KINDS, SPEED, .absent = ABSENT_NAN},
    {"velocity", FIELD_NUMBER, offsetof(pd_wall, velocity), .allowed = ALL_KINDS, SPEED, .absent = ABSENT_NAN},
    {"outflow", FIELD_BOOLEAN, offsetof(pd_wall, outflow), .allowed = ALL_KINDS},
};
const pd_record pd_wall_record = {"wall", wall_fields, COUNT_OF(wall_fields), false};

#define WALL(index) FIELD_CUSTOM, offsetof(pd_container, walls[index]), .allowed = ALL_KINDS, .read = pd_read_wall
static const pd_record_field walls_fields[PD_WALLS] = {
    [PD_WALL_LEFT] = {"left", WALL(PD_WALL_LEFT)},
    [PD_WALL_RIGHT] = {"right", WALL(PD_WALL_RIGHT)},
    [PD_WALL_BOTTOM] = {"bottom", WALL(PD_WALL_BOTTOM)},
    [PD_WALL_TOP] = {"top", WALL(PD_WALL_TOP)},
};
const pd_record pd_walls_record = {"container's walls", walls_fields, COUNT_OF(walls_fields), false};

static const pd_record_field container_fields[] = {
    {"shape", FIELD_CHOICE, offsetof(pd_container, shape), .allowed = ROUND | BOXED | OPEN,
     .words = pd_container_words},
    {"radius", FIELD_NUMBER, offsetof(pd_container, radius), .allowed = ROUND, .required = ROUND, LENGTH},
    {"width", FIELD_NUMBER, offsetof(pd_container, width), .allowed = BOXED, .required = BOXED, LENGTH},
    {"height", FIELD_NUMBER, offsetof(pd_container, height), .allowed = BOXED, .required = BOXED, LENGTH},
    {"walls", FIELD_CUSTOM, .allowed = BOXED, .read = pd_read_walls},
    {"slip", FIELD_BOOLEAN, offsetof(pd_container, slip), .allowed = ROUND | BOXED},
};
const pd_record pd_container_record = {"container", container_fields, COUNT_OF(container_fields), true};

static const pd_record_field region_fields[] = {
    {"shape", FIELD_CHOICE, offsetof(pd_region, area.shape), .allowed = AREAS | PARTICLES, .words = pd_shape_words},
    {"center", FIELD_VECTOR, offsetof(pd_region, area.center), .allowed = AREAS, .required = AREAS, PLACE},
    {"radius", FIELD_NUMBER, offsetof(pd_region, area.radius), .allowed = CIRCLE, .required = CIRCLE, LENGTH},
    {"size", FIELD_VECTOR, offsetof(pd_region, area.size), .allowed = BOX | ELLIPSE | IMAGE,
     .required = BOX | ELLIPSE | IMAGE, LENGTH, .single = IMAGE},
    {"file", FIELD_CUSTOM, .allowed = IMAGE | PARTICLES, .read = pd_read_later},
    {"materials", FIELD_CUSTOM, .allowed = IMAGE, .read = pd_read_later},
    {"pixels", FIELD_CUSTOM, .allowed = IMAGE, .read = pd_read_later},
    {"material", FIELD_MATERIAL, offsetof(pd_region, material), .allowed = ALL_KINDS},
    {"velocity", FIELD_VECTOR, offsetof(pd_region, velocity), .allowed = ALL_KINDS, SPEED},
    {"fill", FIELD_CHOICE, offsetof(pd_region, fill), .allowed = AREAS, .words = pd_fill_words},
    {"count", FIELD_COUNT, offsetof(pd_region, count), .allowed = ALL_KINDS, .low = 1, .high = PD_MAX_PARTICLES,
     .absent = ABSENT_ZERO},
    {"spacing", FIELD_NUMBER, offsetof(pd_region, spacing), .allowed = ALL_KINDS, LENGTH, .absent = ABSENT_ZERO},
    {"density", FIELD_NUMBER, offsetof(pd_region, density), .allowed = AREAS, .low = -1e6, .high = 1e6,
     .absent = ABSENT_NAN},
    {"amount", FIELD_NUMBER, offsetof(pd_region, amount), .allowed = AREAS, .low = 0, .high = 1},
    {"data", FIELD_CUSTOM, .allowed = PARTICLES, .read = pd_read_later},
};
const pd_record pd_region_record = {"region", region_fields, COUNT_OF(region_fields), true};

static const pd_record_field vorton_fields[] = {
    {"position", FIELD_VECTOR, offsetof(pd_vorton, position), .allowed = ALL_KINDS, .required = ALL_KINDS, PLACE},
    {"circulation", FIELD_NUMBER, offsetof(pd_vorton, circulation), .allowed = ALL_KINDS, .required = ALL_KINDS,
     .low = -1e6, .high = 1e6},
    {"core", FIELD_NUMBER, offsetof(pd_vorton, core), .allowed = ALL_KINDS, .required = ALL_KINDS, LENGTH},
};
const pd_record pd_vorton_record = {"vorton", vorton_fields, COUNT_OF(vorton_fields), false};

static const pd_record_field obstacle_fields[] = {
    {"shape", FIELD_CHOICE, offsetof(pd_obstacle, area.shape), .allowed = CIRCLE | BOX | POLYLINE | POLYGON,
     .words = pd_shape_words, .early = true}, /* the points depend on it */
    {"center", FIELD_VECTOR, offsetof(pd_obstacle, area.center), .allowed = ALL_KINDS, .required = CIRCLE | BOX, PLACE},
    {"radius", FIELD_NUMBER, offsetof(pd_obstacle, area.radius), .allowed = CIRCLE, .required = CIRCLE, LENGTH},
    {"size", FIELD_VECTOR, offsetof(pd_obstacle, area.size), .allowed = BOX, .required = BOX, LENGTH},
    {"angle", FIELD_NUMBER, offsetof(pd_obstacle, area.angle), .allowed = BOX | POLYGON, .low = -36000, .high = 36000},
    {"points", FIELD_CUSTOM, .allowed = POLYLINE | POLYGON, .required = POLYLINE | POLYGON, .read = pd_read_points},
    {"thickness", FIELD_NUMBER, offsetof(pd_obstacle, area.thickness), .allowed = POLYLINE, .required = POLYLINE,
     LENGTH},
    {"velocity", FIELD_VECTOR, offsetof(pd_obstacle, velocity), .allowed = ALL_KINDS, SPEED},
    {"spin", FIELD_NUMBER, offsetof(pd_obstacle, spin), .allowed = ALL_KINDS, .low = -36000, .high = 36000},
    {"turn", FIELD_NUMBER, offsetof(pd_obstacle, turn), .allowed = ALL_KINDS, .low = 1e-3, .high = LONGEST,
     .absent = ABSENT_ZERO},
    {"phase", FIELD_NUMBER, offsetof(pd_obstacle, phase), .allowed = ALL_KINDS, .low = 0, .high = LONGEST},
};
const pd_record pd_obstacle_record = {"obstacle", obstacle_fields, COUNT_OF(obstacle_fields), true};

static const pd_record_field emitter_fields[] = {
    {"position", FIELD_VECTOR, offsetof(pd_emitter, position), .allowed = ALL_KINDS, .required = ALL_KINDS, PLACE},
    {"direction", FIELD_VECTOR, offsetof(pd_emitter, direction), .allowed = ALL_KINDS, .required = ALL_KINDS, PLACE},
    {"speed", FIELD_NUMBER, offsetof(pd_emitter, speed), .allowed = ALL_KINDS, .required = ALL_KINDS, .low = 0,
     .high = PD_FASTEST},
    {"width", FIELD_NUMBER, offsetof(pd_emitter, width), .allowed = ALL_KINDS, .required = ALL_KINDS, LENGTH},
    {"rate", FIELD_NUMBER, offsetof(pd_emitter, rate), .allowed = ALL_KINDS, .required = ALL_KINDS, .low = PD_MIN_RATE,
     .high = PD_MAX_PARTICLES},
    {"material", FIELD_MATERIAL, offsetof(pd_emitter, material), .allowed = ALL_KINDS},
    {"from", FIELD_NUMBER, offsetof(pd_emitter, from), .allowed = ALL_KINDS, .low = 0, .high = LONGEST},
    {"until", FIELD_NUMBER, offsetof(pd_emitter, until), .allowed = ALL_KINDS, .low = 0, .high = LONGEST,
     .absent = ABSENT_INFINITE},
};
const pd_record pd_emitter_record = {"emitter", emitter_fields, COUNT_OF(emitter_fields), false};

static const pd_record_field drain_fields[] = {
    {"shape", FIELD_CHOICE, offsetof(pd_drain, area.shape), .allowed = CIRCLE | BOX, .words = pd_shape_words},
    {"center", FIELD_VECTOR, offsetof(pd_drain, area.center), .allowed = ALL_KINDS, .required = ALL_KINDS, PLACE},
    {"radius", FIELD_NUMBER, offsetof(pd_drain, area.radius), .allowed = CIRCLE, .required = CIRCLE, LENGTH},
    {"size", FIELD_VECTOR, offsetof(pd_drain, area.size), .allowed = BOX, .required = BOX, LENGTH},
};
const pd_record pd_drain_record = {"drain", drain_fields, COUNT_OF(drain_fields), true};

static const pd_record_field attraction_fields[] = {
    {"between", FIELD_CUSTOM, offsetof(pd_attraction, between), .allowed = ALL_KINDS, .required = ALL_KINDS,
     .read = pd_read_between},
    {"factor", FIELD_NUMBER, offsetof(pd_attraction, factor), .allowed = ALL_KINDS, .required = ALL_KINDS, .low = -10,
     .high = 10},
};
const pd_record pd_attraction_record = {"attraction", attraction_fields, COUNT_OF(attraction_fields), false};

static const pd_record_field change_fields[] = {
    {"shape", FIELD_CHOICE, offsetof(pd_change, area.shape), .allowed = CIRCLE | BOX, .words = pd_shape_words},
    {"center", FIELD_VECTOR, offsetof(pd_change, area.center), .allowed = ALL_KINDS, .required = ALL_KINDS, PLACE},
    {"radius", FIELD_NUMBER, offsetof(pd_change, area.radius), .allowed = CIRCLE, .required = CIRCLE, LENGTH},
    {"size", FIELD_VECTOR, offsetof(pd_change, area.size), .allowed = BOX, .required = BOX, LENGTH},
    {"from", FIELD_MATERIAL, offsetof(pd_change, from), .allowed = ALL_KINDS, .required = ALL_KINDS},
    {"to", FIELD_MATERIAL, offsetof(pd_change, to), .allowed = ALL_KINDS, .required = ALL_KINDS},
    {"rate", FIELD_NUMBER, offsetof(pd_change, rate), .allowed = ALL_KINDS, .low = 1e-6, .high = 1e6,
     .absent = ABSENT_INFINITE},
};
const pd_record pd_change_record = {"change", change_fields, COUNT_OF(change_fields), true};

static const pd_record_field cells_fields[] = {
    {"file", FIELD_CUSTOM, .allowed = ALL_KINDS, .read = pd_read_later},
    {"columns", FIELD_COUNT, offsetof(pd_cells, columns), .allowed = ALL_KINDS, .low = 1, .high = PD_MAX_CELLS},
    {"rows", FIELD_COUNT, offsetof(pd_cells, rows), .allowed = ALL_KINDS, .low = 1, .high = PD_MAX_CELLS},
    {"size", FIELD_NUMBER, offsetof(pd_cells, size), .allowed = ALL_KINDS, .required = ALL_KINDS, LENGTH},
    {"dyes", FIELD_CUSTOM, .allowed = ALL_KINDS, .read = pd_read_later},
    {"data", FIELD_CUSTOM, .allowed = ALL_KINDS, .read = pd_read_later},
};
const pd_record pd_cells_record = {"grid of cells", cells_fields, COUNT_OF(cells_fields), false};

static const pd_record_field scene_fields[] = {
    {"puddle", FIELD_CUSTOM, .allowed = ALL_KINDS, .read = pd_read_later},
    {"name", FIELD_TEXT, offsetof(pd_scene, name), .allowed = ALL_KINDS},
    {"method", FIELD_CUSTOM, .allowed = ALL_KINDS, .read = pd_read_method},
    {"gravity", FIELD_VECTOR, offsetof(pd_scene, gravity), .allowed = ALL_KINDS, .low = -PD_MAX_ACCELERATION,
     .high = PD_MAX_ACCELERATION},
    {"dt", FIELD_NUMBER, offsetof(pd_scene, dt), .allowed = ALL_KINDS, .low = 1e-6, .high = 1},
    {"substeps", FIELD_CUSTOM, .allowed = ALL_KINDS, .read = pd_read_substeps},
    {"seed", FIELD_CUSTOM, .allowed = ALL_KINDS, .read = pd_read_seed},
    {"particles", FIELD_COUNT, offsetof(pd_scene, particles), .allowed = ALL_KINDS, .low = 1, .high = PD_MAX_PARTICLES,
     .absent = ABSENT_ZERO},
    {"container", FIELD_CUSTOM, offsetof(pd_scene, container), .allowed = ALL_KINDS, .read = pd_read_container},
    {"materials", FIELD_CUSTOM, .allowed = ALL_KINDS, .read = pd_read_materials, .early = true},
    {"regions", FIELD_CUSTOM, .allowed = ALL_KINDS, .read = pd_read_regions},
    {"vortons", FIELD_CUSTOM, .allowed = ALL_KINDS, .read = pd_read_vortons},
    {"cells", FIELD_CUSTOM, .allowed = ALL_KINDS, .read = pd_read_cells},
    {"obstacles", FIELD_CUSTOM, .allowed = ALL_KINDS, .read = pd_read_obstacles},
    {"emitters", FIELD_CUSTOM, .allowed = ALL_KINDS, .read = pd_read_emitters},
    {"drains", FIELD_CUSTOM, .allowed = ALL_KINDS, .read = pd_read_drains},
    {"attractions", FIELD_CUSTOM, .allowed = ALL_KINDS, .read = pd_read_attractions},
    {"changes", FIELD_CUSTOM, .allowed = ALL_KINDS, .read = pd_read_changes},
    {"parameters", FIELD_CUSTOM, .allowed = ALL_KINDS, .read = pd_read_parameters},
};
const pd_record pd_scene_record = {"scene", scene_fields, COUNT_OF(scene_fields), false};

/* ---- Faults between values that are each in range ---- */

const char *pd_wall_fault(const pd_wall *wall, const char **key) {
    *key = "outflow";
    return wall->outflow && !isnan(wall->inflow) ? "a wall has both inflow and outflow (keep one)" : NULL;
}

const char *pd_container_fault(const pd_container *container, const char **key) {
    *key = "walls";
    if (container->shape != PD_CONTAINER_BOX) return NULL;
    double inflow = 0, greatest = 0;
    bool open = false;
    for (int side = 0; side < PD_WALLS; side++) {
        const pd_wall *wall = &container->walls[side];
        bool upright = side == PD_WALL_LEFT || side == PD_WALL_RIGHT;
        double flow = isnan(wall->inflow) ? 0 : (double)wall->inflow * (upright ? container->height : container->width);
        inflow += flow;
        greatest = fmax(greatest, fabs(flow));
        open = open || wall->outflow;
    }
    return !open && fabs(inflow) > 1e-5 * greatest
               ? "what flows in cannot leave (right: {outflow: true} at another side, or a negative inflow there)"
               : NULL;
}

const char *pd_region_fault(const pd_region *region, const char **key) {
    *key = "spacing";
    if (region->area.shape == PD_SHAPE_PARTICLES) return NULL; /* their spacing at rest */
    return region->count && region->spacing > 0 ? "a region has both count and spacing (keep one)" : NULL;
}

const char *pd_emitter_fault(const pd_emitter *emitter, const char **key) {
    *key = "direction";
    if (pd_hypotf(emitter->direction.x, emitter->direction.y) < 1e-6f)
        return "'direction' points nowhere (right: such as [0, -1] for down)";
    *key = "until";
    return emitter->until <= emitter->from ? "'until' is not after 'from' (right: a later time)" : NULL;
}

const char *pd_change_fault(const pd_change *change, const char **key) {
    *key = "to";
    return change->from == change->to ? "'to' is the same material as 'from' (right: another one)" : NULL;
}
