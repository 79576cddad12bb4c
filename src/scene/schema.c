/* The schema of scenes: tables of keys, words and ranges, for scene files and scenes built in C, and for the reference
 * page. */
#include "scene/schema.h"

#include "core/error.h"
#include "core/math.h"
#include "core/text.h"
#include "scene/geometry.h"
#include "scene/properties.h"

#include <puddle/method.h>
#include <stdio.h>
#include <string.h>

/* Limits, here and in schema.h, lie beyond realistic scenes. Products of two values within the limits are finite
 * floats. */
#define LONGEST 1e9 /* longest time, s */

#define COUNT_OF(array) ((int)(sizeof(array) / sizeof *(array)))
#define LENGTH          .low = PD_SHORTEST, .high = PD_FARTHEST, .unit = "m"
#define PLACE           .low = -PD_FARTHEST, .high = PD_FARTHEST, .unit = "m"
#define SPEED           .low = -PD_FASTEST, .high = PD_FASTEST, .unit = "m/s"

/* ---- Conflicts between values that are each in range ---- */

static bool find_wall_conflict(const void *record, pd_scene_fault *fault) {
    const pd_wall *wall = record;
    return wall->outflow && !isnan(wall->inflow) &&
           PD_FAULT(fault, "outflow", "a wall has both inflow and outflow (keep one)");
}

static bool find_region_conflict(const void *record, pd_scene_fault *fault) {
    const pd_region *region = record; /* listed particles may have count and spacing */
    return region->area.shape != PD_SHAPE_PARTICLES && region->count && region->spacing > 0 &&
           PD_FAULT(fault, "spacing", "a region has both count and spacing (keep one)");
}

static bool find_emitter_conflict(const void *record, pd_scene_fault *fault) {
    const pd_emitter *emitter = record;
    if (pd_hypotf(emitter->direction.x, emitter->direction.y) < 1e-6f)
        return PD_FAULT(fault, "direction", "'direction' points nowhere (allowed: such as [0, -1] for down)");
    return emitter->until <= emitter->from &&
           PD_FAULT(fault, "until", "'until' is not after 'from' (allowed: a later time)");
}

static bool find_change_conflict(const void *record, pd_scene_fault *fault) {
    const pd_change *change = record;
    return change->from == change->to &&
           PD_FAULT(fault, "to", "'to' is the same material as 'from' (allowed: another one)");
}

static bool find_joint_conflict(const void *record, pd_scene_fault *fault) {
    const pd_scene_joint *joint = record;
    if (joint->type == PD_JOINT_SLIDER && pd_hypotf(joint->axis.x, joint->axis.y) < 1e-6f)
        return PD_FAULT(fault, "axis", "'axis' points nowhere (allowed: such as [0, 1] for up and down)");
    bool limited = joint->type == PD_JOINT_HINGE || joint->type == PD_JOINT_MOTOR || joint->type == PD_JOINT_SLIDER;
    return limited && joint->limits.x > joint->limits.y &&
           PD_FAULT(fault, "limits", "'limits' has the greater first (allowed: [least, greatest])");
}

/* ---- Records ---- */

const char *const pd_shape_words[] = {"circle", "box", "ellipse", "polyline", "image", "particles", "polygon", NULL};
enum {
    CIRCLE = 1 << PD_SHAPE_CIRCLE,
    BOX = 1 << PD_SHAPE_BOX,
    ELLIPSE = 1 << PD_SHAPE_ELLIPSE,
    POLYLINE = 1 << PD_SHAPE_POLYLINE,
    IMAGE = 1 << PD_SHAPE_IMAGE,
    PARTICLES = 1 << PD_SHAPE_PARTICLES,
    POLYGON = 1 << PD_SHAPE_POLYGON,
    AREAS = CIRCLE | BOX | ELLIPSE | IMAGE, /* shapes of regions without a list of particles */
};
/* Obstacles and bodies: a picture becomes a polygon as soon as its file is read. */
static const char *const solid_words[] = {"circle",  "box",       "ellipse", "polyline",
                                          "picture", "particles", "polygon", NULL};
const char *const pd_fill_words[] = {"hex", "grid", "random", "rings", NULL};
const char *const pd_container_words[] = {"circle", "box", "none", NULL};
enum { ROUND = 1 << PD_CONTAINER_CIRCLE, BOXED = 1 << PD_CONTAINER_BOX, OPEN = 1 << PD_CONTAINER_NONE };

static const pd_record_field wall_fields[] = {
    {"inflow", FIELD_NUMBER, offsetof(pd_wall, inflow), SPEED, .absent = ABSENT_NAN, .absent_text = "no inflow",
     .help = "Speed of the fluid that enters through the wall; negative: fluid that leaves"},
    {"velocity", FIELD_NUMBER, offsetof(pd_wall, velocity), SPEED, .absent = ABSENT_NAN, .absent_text = "at rest",
     .help = "Speed of the wall along itself, to the right or upwards"},
    {"outflow", FIELD_BOOLEAN, offsetof(pd_wall, outflow), .file_shift = -2,
     .help = "true: fluid leaves freely through the wall"},
};
const pd_record_schema pd_wall_schema = {"wall", wall_fields,     COUNT_OF(wall_fields),
                                         false,  sizeof(pd_wall), find_wall_conflict};

#define WALL(index) FIELD_CUSTOM, offsetof(pd_container, walls[index]), .read = pd_read_wall
static const pd_record_field walls_fields[PD_WALLS] = {
    [PD_WALL_LEFT] = {"left", WALL(PD_WALL_LEFT), .type_text = "mapping", .help = "Wall at the left side"},
    [PD_WALL_RIGHT] = {"right", WALL(PD_WALL_RIGHT), .type_text = "mapping", .help = "Wall at the right side"},
    [PD_WALL_BOTTOM] = {"bottom", WALL(PD_WALL_BOTTOM), .type_text = "mapping", .help = "Wall at the bottom"},
    [PD_WALL_TOP] = {"top", WALL(PD_WALL_TOP), .type_text = "mapping", .help = "Wall at the top"},
};
const pd_record_schema pd_walls_schema = {"container's walls", walls_fields, COUNT_OF(walls_fields), false,
                                          sizeof(pd_container)};

static const pd_record_field container_fields[] = {
    {"shape", FIELD_CHOICE, offsetof(pd_container, shape), .allowed = ROUND | BOXED | OPEN, .words = pd_container_words,
     .help = "Shape of the container, centred on the origin; none: no walls"},
    {"radius", FIELD_NUMBER, offsetof(pd_container, radius), .required = ROUND, LENGTH, .default_value = {1},
     .help = "Radius of the circle"},
    {"width", FIELD_NUMBER, offsetof(pd_container, width), .required = BOXED, LENGTH, .help = "Width of the box"},
    {"height", FIELD_NUMBER, offsetof(pd_container, height), .required = BOXED, LENGTH, .help = "Height of the box"},
    {"walls", FIELD_CUSTOM, .allowed = BOXED, .read = pd_read_walls, .write = pd_write_walls, .type_text = "mapping",
     .help = "Inflow, outflow or motion of single walls, under grid"},
    {"slip", FIELD_BOOLEAN, offsetof(pd_container, slip), .default_value = {true},
     .help = "true: fluid slides along walls; false: fluid sticks to walls"},
};
const pd_record_schema pd_container_schema = {"container", container_fields, COUNT_OF(container_fields), true,
                                              sizeof(pd_container)};

static const pd_property_info properties[PD_PROPERTIES] = {
    [PD_VISCOSITY] = {"viscosity", PD_FEATURE_VISCOSITY, &(const pd_parameter){PD_VISCOSITY_PARAMETER}},
    [PD_ELASTICITY] = {"elasticity", PD_FEATURE_SPRINGS, &(const pd_parameter){PD_ELASTICITY_PARAMETER}},
    [PD_PLASTICITY] = {"plasticity", PD_FEATURE_SPRINGS, &(const pd_parameter){PD_PLASTICITY_PARAMETER},
                       .of_springs = true},
    [PD_YIELD] = {"yield", PD_FEATURE_SPRINGS, &(const pd_parameter){PD_YIELD_PARAMETER}, .of_springs = true},
    [PD_STICKINESS] = {"stickiness", PD_FEATURE_STICKINESS, &(const pd_parameter){PD_STICKINESS_PARAMETER}},
    [PD_CONTACT_ANGLE] = {"contact_angle", PD_FEATURE_PROPERTIES, &(const pd_parameter){PD_CONTACT_ANGLE_PARAMETER}},
    [PD_TENSION] = {"surface_tension", PD_FEATURE_TENSION, &(const pd_parameter){PD_TENSION_PARAMETER}},
};

const pd_property_info *pd_property_at(int property) {
    PD_ASSERT_INDEX("property", property, PD_PROPERTIES);
    return &properties[property];
}

static const pd_record_field material_fields[] = {
    {"color", FIELD_COLOR, offsetof(pd_material, red), .required = ALL_KINDS, .default_value = {0x3a8fff},
     .type_text = "colour", .range_text = "\"#rrggbb\"", .help = "Colour in the window and in recordings"},
    {"mass", FIELD_NUMBER, offsetof(pd_material, mass), .low = 1e-3, .high = 1e3, .default_value = {1},
     .help = "Weight of the material, 1 as water (1,000 kg/m³): a material of smaller mass floats"},
    {"own_weight", FIELD_BOOLEAN, offsetof(pd_material, own_weight), .absent = ABSENT_ZERO,
     .help = "Whether the mass is also the weight although ddr.equal_weight is on; 1 is the weight of other materials"},
    {"viscosity", FIELD_PROPERTY, offsetof(pd_material, property[PD_VISCOSITY])},
    {"elasticity", FIELD_PROPERTY, offsetof(pd_material, property[PD_ELASTICITY])},
    {"plasticity", FIELD_PROPERTY, offsetof(pd_material, property[PD_PLASTICITY])},
    {"yield", FIELD_PROPERTY, offsetof(pd_material, property[PD_YIELD])},
    {"stickiness", FIELD_PROPERTY, offsetof(pd_material, property[PD_STICKINESS])},
    {"contact_angle", FIELD_PROPERTY, offsetof(pd_material, property[PD_CONTACT_ANGLE])},
    {"surface_tension", FIELD_PROPERTY, offsetof(pd_material, property[PD_TENSION])},
};
const pd_record_schema pd_material_schema = {
    "material", material_fields, sizeof material_fields / sizeof *material_fields, false, sizeof(pd_material)};

pd_record_field pd_number_field_of_property(const pd_record_field *field) {
    size_t property = (field->offset - offsetof(pd_material, property)) / sizeof(float);
    const pd_parameter *parameter = pd_property_at((int)property)->parameter;
    pd_record_field number = *field;
    number.type = FIELD_NUMBER;
    number.low = parameter->minimum;
    number.high = parameter->maximum;
    number.absent = ABSENT_NAN;
    number.unit = parameter->unit;
    number.help = parameter->help;
    number.absent_text = "value of the parameter";
    return number;
}

static const pd_record_field region_fields[] = {
    {"shape", FIELD_CHOICE, offsetof(pd_region, area.shape), .allowed = AREAS | PARTICLES, .words = pd_shape_words,
     .help = "Shape of the area that is filled with fluid at the start"},
    {"center", FIELD_VECTOR, offsetof(pd_region, area.center), .required = AREAS, PLACE, .help = "Centre of the area"},
    {"radius", FIELD_NUMBER, offsetof(pd_region, area.radius), .required = CIRCLE, LENGTH,
     .help = "Radius of the circle"},
    {"size", FIELD_VECTOR, offsetof(pd_region, area.size), .required = BOX | ELLIPSE | IMAGE, LENGTH, .single = IMAGE,
     .help = "Width and height; of an image also the width alone, with the height from the picture"},
    {"file", FIELD_CUSTOM, .allowed = IMAGE | PARTICLES, .read = pd_skip_key, .write = pd_write_particle_file_key,
     .type_text = "path",
     .help = "Picture of an image (PNG, JPEG or SVG), or table of particles; a relative path begins at the folder of "
             "the scene file"},
    {"materials", FIELD_CUSTOM, .allowed = IMAGE, .read = pd_skip_key, .type_text = "list of names",
     .help = "Names of the materials that the letters a, b, c ... of pixels stand for"},
    {"pixels", FIELD_CUSTOM, .allowed = IMAGE, .read = pd_skip_key, .write = pd_write_image, .file_shift = 7,
     .type_text = "list of texts",
     .help = "Rows from the top, a letter for each pixel; 12a: twelve times a; a dot: no fluid"},
    {"material", FIELD_MATERIAL, offsetof(pd_region, material), .given_per_particle = PARTICLES,
     .help = "Name of the material of the fluid"},
    {"velocity", FIELD_VECTOR, offsetof(pd_region, velocity), .given_per_particle = PARTICLES, SPEED,
     .absent = ABSENT_PLUS_ZERO, .help = "Velocity of the fluid at the start"},
    {"fill", FIELD_CHOICE, offsetof(pd_region, fill), .allowed = AREAS, .words = pd_fill_words, .every_word = true,
     .help = "Arrangement of the particles: hexagonal lattice, square lattice, randomly displaced lattice, or rings, "
             "which make circles and ellipses smooth (hexagonal lattice in other shapes)"},
    {"count", FIELD_COUNT, offsetof(pd_region, count), .low = 1, .high = PD_MAX_PARTICLES, .absent = ABSENT_ZERO,
     .absent_text = "by area", .help = "Number of particles in the region"},
    {"spacing", FIELD_NUMBER, offsetof(pd_region, spacing), LENGTH, .absent = ABSENT_ZERO, .absent_text = "by area",
     .help = "Distance of neighbouring particles"},
    {"density", FIELD_NUMBER, offsetof(pd_region, density), .allowed = AREAS, .low = -1e6, .high = 1e6,
     .absent = ABSENT_NAN, .unit = "1,000 kg/m³", .absent_text = "from the mass of the material",
     .help = "Deviation from the ambient density, under vortex"},
    {"amount", FIELD_NUMBER, offsetof(pd_region, amount), .allowed = AREAS, .low = 0, .high = 1, .default_value = {1},
     .help = "Amount of smoke, under grid"},
    {"data", FIELD_CUSTOM, .allowed = PARTICLES, .read = pd_skip_key, .write = pd_write_particle_list,
     .type_text = "list of texts", .help = "Particles in base 64, as puddle writes them to logs and snapshots"},
};
const pd_record_schema pd_region_schema = {"region", region_fields,     COUNT_OF(region_fields),
                                           true,     sizeof(pd_region), find_region_conflict};

static const pd_record_field vorton_fields[] = {
    {"position", FIELD_VECTOR, offsetof(pd_vorton, position), .required = ALL_KINDS, PLACE,
     .help = "Position of the vortex"},
    {"circulation", FIELD_NUMBER, offsetof(pd_vorton, circulation), .required = ALL_KINDS, .low = -1e6, .high = 1e6,
     .unit = "m²/s", .help = "Circulation of the vortex, counterclockwise"},
    {"core", FIELD_NUMBER, offsetof(pd_vorton, core), .required = ALL_KINDS, LENGTH,
     .help = "Radius over which the vorticity is spread"},
};
const pd_record_schema pd_vorton_schema = {"vorton", vorton_fields, COUNT_OF(vorton_fields), false, sizeof(pd_vorton)};

static const pd_record_field obstacle_fields[] = {
    {"shape", FIELD_CHOICE, offsetof(pd_obstacle, area.shape), .allowed = CIRCLE | BOX | POLYLINE | POLYGON | IMAGE,
     .words = solid_words, .only_in_files = IMAGE,
     .help = "Shape of the obstacle; picture: the outline of what a picture shows, as a polygon"},
    {"center", FIELD_VECTOR, offsetof(pd_obstacle, area.center), .allowed = ALL_KINDS, .required = CIRCLE | BOX | IMAGE,
     PLACE, .help = "Centre of the obstacle; points are relative to the centre"},
    {"radius", FIELD_NUMBER, offsetof(pd_obstacle, area.radius), .required = CIRCLE, LENGTH,
     .help = "Radius of the circle"},
    {"size", FIELD_VECTOR, offsetof(pd_obstacle, area.size), .required = BOX | IMAGE, LENGTH, .single = IMAGE,
     .help = "Width and height of the box or of the whole picture; of a picture also the width alone"},
    {"file", FIELD_CUSTOM, .required = IMAGE, .read = pd_skip_key, .type_text = "path",
     .help = "Picture, as PNG, JPEG or SVG; a relative path begins at the folder of the scene file"},
    {"angle", FIELD_NUMBER, offsetof(pd_obstacle, area.angle), .allowed = BOX | POLYGON | IMAGE, .low = -36000,
     .high = 36000, .absent = ABSENT_PLUS_ZERO, .unit = "degrees",
     .help = "Angle of the obstacle at the start, counterclockwise"},
    {"points", FIELD_CUSTOM, .required = POLYLINE | POLYGON, .read = pd_read_points, .write = pd_write_points,
     .type_text = "list of points", .help = "Corners of the line or of the outline, as [x, y]"},
    {"thickness", FIELD_NUMBER, offsetof(pd_obstacle, area.thickness), .required = POLYLINE, LENGTH, .file_shift = -1,
     .help = "Width of the line"},
    {"velocity", FIELD_VECTOR, offsetof(pd_obstacle, velocity), SPEED, .absent = ABSENT_PLUS_ZERO,
     .help = "Velocity of the obstacle"},
    {"spin", FIELD_NUMBER, offsetof(pd_obstacle, spin), .low = -36000, .high = 36000, .absent = ABSENT_PLUS_ZERO,
     .unit = "degrees/s", .help = "Angular velocity about the centre, counterclockwise"},
    {"turn", FIELD_NUMBER, offsetof(pd_obstacle, turn), .low = 1e-3, .high = LONGEST, .absent = ABSENT_ZERO,
     .unit = "s", .absent_text = "never", .help = "Interval after which velocity and spin change sign"},
    {"phase", FIELD_NUMBER, offsetof(pd_obstacle, phase), .low = 0, .high = LONGEST, .absent = ABSENT_ZERO, .unit = "s",
     .help = "Time of the motion that lies behind the obstacle at the start"},
    {"color", FIELD_OWN_COLOR, offsetof(pd_obstacle, area.color), .type_text = "colour", .range_text = "\"#rrggbb\"",
     .absent_text = "dark grey; of a picture its mean", .help = "Colour in the window and in recordings"},
};
const pd_record_schema pd_obstacle_schema = {"obstacle", obstacle_fields,     COUNT_OF(obstacle_fields),
                                             true,       sizeof(pd_obstacle), pd_find_points_conflict};

static const pd_record_field emitter_fields[] = {
    {"position", FIELD_VECTOR, offsetof(pd_emitter, position), .required = ALL_KINDS, PLACE,
     .help = "Centre of the nozzle"},
    {"direction", FIELD_VECTOR, offsetof(pd_emitter, direction), .required = ALL_KINDS, .low = -PD_FARTHEST,
     .high = PD_FARTHEST, .help = "Direction of the jet, as a vector of any length"},
    {"speed", FIELD_NUMBER, offsetof(pd_emitter, speed), .required = ALL_KINDS, .low = 0, .high = PD_FASTEST,
     .unit = "m/s", .help = "Speed of the jet"},
    {"width", FIELD_NUMBER, offsetof(pd_emitter, width), .required = ALL_KINDS, LENGTH, .help = "Width of the nozzle"},
    {"rate", FIELD_NUMBER, offsetof(pd_emitter, rate), .required = ALL_KINDS, .low = PD_MIN_RATE,
     .high = PD_MAX_PARTICLES, .unit = "1/s", .help = "Number of particles emitted per second"},
    {"material", FIELD_MATERIAL, offsetof(pd_emitter, material), .help = "Name of the material of the jet"},
    {"from", FIELD_NUMBER, offsetof(pd_emitter, from), .low = 0, .high = LONGEST, .absent = ABSENT_PLUS_ZERO,
     .unit = "s", .help = "Time at which the jet begins"},
    {"until", FIELD_NUMBER, offsetof(pd_emitter, until), .low = 0, .high = LONGEST, .absent = ABSENT_INFINITE,
     .unit = "s", .absent_text = "never", .help = "Time at which the jet ends"},
};
const pd_record_schema pd_emitter_schema = {"emitter", emitter_fields,     COUNT_OF(emitter_fields),
                                            false,     sizeof(pd_emitter), find_emitter_conflict};

static const pd_record_field drain_fields[] = {
    {"shape", FIELD_CHOICE, offsetof(pd_drain, area.shape), .allowed = CIRCLE | BOX, .words = pd_shape_words,
     .help = "Shape of the area in which particles are removed"},
    {"center", FIELD_VECTOR, offsetof(pd_drain, area.center), .required = ALL_KINDS, PLACE,
     .help = "Centre of the area"},
    {"radius", FIELD_NUMBER, offsetof(pd_drain, area.radius), .required = CIRCLE, LENGTH,
     .help = "Radius of the circle"},
    {"size", FIELD_VECTOR, offsetof(pd_drain, area.size), .required = BOX, LENGTH,
     .help = "Width and height of the box"},
};
const pd_record_schema pd_drain_schema = {"drain", drain_fields, COUNT_OF(drain_fields), true, sizeof(pd_drain)};

static const pd_record_field attraction_fields[] = {
    {"between", FIELD_PAIR, offsetof(pd_attraction, between), .required = ALL_KINDS, .type_text = "list of 2 names",
     .help = "Names of the two materials; the same name twice: one material with itself"},
    {"factor", FIELD_NUMBER, offsetof(pd_attraction, factor), .required = ALL_KINDS, .low = -10, .high = 10,
     .help = "Factor on the attractive part of the pressure between the materials; below 1 the materials separate, "
             "above 1 they mix"},
};
const pd_record_schema pd_attraction_schema = {"attraction", attraction_fields, COUNT_OF(attraction_fields), false,
                                               sizeof(pd_attraction)};

static const pd_record_field change_fields[] = {
    {"shape", FIELD_CHOICE, offsetof(pd_change, area.shape), .allowed = CIRCLE | BOX, .words = pd_shape_words,
     .help = "Shape of the area in which one material turns into another"},
    {"center", FIELD_VECTOR, offsetof(pd_change, area.center), .required = ALL_KINDS, PLACE,
     .help = "Centre of the area"},
    {"radius", FIELD_NUMBER, offsetof(pd_change, area.radius), .required = CIRCLE, LENGTH,
     .help = "Radius of the circle"},
    {"size", FIELD_VECTOR, offsetof(pd_change, area.size), .required = BOX, LENGTH,
     .help = "Width and height of the box"},
    {"from", FIELD_MATERIAL, offsetof(pd_change, from), .required = ALL_KINDS,
     .help = "Name of the material that changes"},
    {"to", FIELD_MATERIAL, offsetof(pd_change, to), .required = ALL_KINDS, .help = "Name of the material that results"},
    {"rate", FIELD_NUMBER, offsetof(pd_change, rate), .low = 1e-6, .high = 1e6, .absent = ABSENT_INFINITE,
     .unit = "1/s", .absent_text = "at once",
     .help = "Rate of the change: after t seconds the fraction exp(-rate t) is unchanged"},
};
const pd_record_schema pd_change_schema = {"change", change_fields,     COUNT_OF(change_fields),
                                           true,     sizeof(pd_change), find_change_conflict};

static const pd_record_field body_fields[] = {
    {"shape", FIELD_CHOICE, offsetof(pd_scene_body, area.shape), .allowed = CIRCLE | BOX | POLYLINE | POLYGON | IMAGE,
     .words = solid_words, .only_in_files = IMAGE,
     .help = "Shape of the body; picture: the outline of what a picture shows, as a polygon"},
    {"name", FIELD_TEXT, offsetof(pd_scene_body, name), .absent = ABSENT_ZERO, .absent_text = "none",
     .help = "Name by which joints name the body"},
    {"center", FIELD_VECTOR, offsetof(pd_scene_body, area.center), .allowed = ALL_KINDS,
     .required = CIRCLE | BOX | IMAGE, PLACE,
     .help = "Centre of the shape at the start; points are relative to the centre"},
    {"radius", FIELD_NUMBER, offsetof(pd_scene_body, area.radius), .required = CIRCLE, LENGTH,
     .help = "Radius of the circle"},
    {"size", FIELD_VECTOR, offsetof(pd_scene_body, area.size), .required = BOX | IMAGE, LENGTH, .single = IMAGE,
     .help = "Width and height of the box or of the whole picture; of a picture also the width alone"},
    {"file", FIELD_CUSTOM, .required = IMAGE, .read = pd_skip_key, .type_text = "path",
     .help = "Picture, as PNG, JPEG or SVG; a relative path begins at the folder of the scene file"},
    {"angle", FIELD_NUMBER, offsetof(pd_scene_body, area.angle), .allowed = CIRCLE | BOX | POLYGON | IMAGE,
     .low = -36000, .high = 36000, .absent = ABSENT_PLUS_ZERO, .unit = "degrees",
     .help = "Angle of the body at the start, counterclockwise"},
    {"points", FIELD_CUSTOM, .required = POLYLINE | POLYGON, .read = pd_read_points, .write = pd_write_points,
     .type_text = "list of points", .help = "Corners of the line or of the outline, as [x, y]"},
    {"thickness", FIELD_NUMBER, offsetof(pd_scene_body, area.thickness), .required = POLYLINE, LENGTH, .file_shift = -1,
     .help = "Width of the line"},
    {"density", FIELD_NUMBER, offsetof(pd_scene_body, density), .low = 0.01, .high = 1000, .default_value = {0.6},
     .unit = "1,000 kg/m³", .help = "Density, relative to a fluid of mass 1 at rest: below 1 the body floats"},
    {"friction", FIELD_NUMBER, offsetof(pd_scene_body, friction), .low = 0, .high = 10, .default_value = {0.6},
     .help = "Coefficient of friction; between two bodies the geometric mean"},
    {"restitution", FIELD_NUMBER, offsetof(pd_scene_body, restitution), .low = 0, .high = 1, .absent = ABSENT_PLUS_ZERO,
     .help = "Ratio of the speeds after and before an impact; between two bodies the greater"},
    {"velocity", FIELD_VECTOR, offsetof(pd_scene_body, velocity), SPEED, .absent = ABSENT_PLUS_ZERO,
     .help = "Velocity of the centroid at the start"},
    {"spin", FIELD_NUMBER, offsetof(pd_scene_body, spin), .low = -36000, .high = 36000, .absent = ABSENT_PLUS_ZERO,
     .unit = "degrees/s", .help = "Angular velocity at the start, counterclockwise"},
    {"fixed_angle", FIELD_BOOLEAN, offsetof(pd_scene_body, fixed_angle), .absent = ABSENT_ZERO,
     .help = "true: the body never turns"},
    {"color", FIELD_OWN_COLOR, offsetof(pd_scene_body, area.color), .type_text = "colour", .range_text = "\"#rrggbb\"",
     .absent_text = "light wood; of a picture its mean", .help = "Colour in the window and in recordings"},
};
const pd_record_schema pd_body_schema = {"body", body_fields,           COUNT_OF(body_fields),
                                         true,   sizeof(pd_scene_body), pd_find_points_conflict};

const char *const pd_joint_words[] = {"hinge", "motor", "weld", "spring", "rope", "slider", NULL};
enum {
    HINGE = 1 << PD_JOINT_HINGE,
    MOTOR = 1 << PD_JOINT_MOTOR,
    WELD = 1 << PD_JOINT_WELD,
    SPRING = 1 << PD_JOINT_SPRING,
    ROPE = 1 << PD_JOINT_ROPE,
    SLIDER = 1 << PD_JOINT_SLIDER,
    JOINTS = HINGE | MOTOR | WELD | SPRING | ROPE | SLIDER,
};
#define POSITIVE .low = 0, .high = 1e9
static const pd_record_field joint_fields[] = {
    {"type", FIELD_CHOICE, offsetof(pd_scene_joint, type), .allowed = JOINTS, .words = pd_joint_words,
     .help = "Type of the joint"},
    {"bodies", FIELD_NAMES, offsetof(pd_scene_joint, bodies), .required = ALL_KINDS, .type_text = "list of 2 names",
     .help = "Names of the two bodies; world: the joint is fixed there"},
    {"at", FIELD_VECTOR, offsetof(pd_scene_joint, at), .required = ALL_KINDS, PLACE, .with_next = SPRING | ROPE,
     .help = "Place of the joint at the start; of springs and ropes the end at the first body, or a list of both ends"},
    {"to", FIELD_VECTOR, offsetof(pd_scene_joint, to), .required = SPRING | ROPE, PLACE,
     .help = "End at the second body at the start, unless 'at' lists both ends"},
    {"axis", FIELD_VECTOR, offsetof(pd_scene_joint, axis), .required = SLIDER, .low = -PD_FARTHEST, .high = PD_FARTHEST,
     .help = "Direction of the motion, as a vector of any length; turns with the first body"},
    {"limits", FIELD_VECTOR, offsetof(pd_scene_joint, limits), .allowed = HINGE | MOTOR | SLIDER, .low = -36000,
     .high = 36000, .absent = ABSENT_NAN, .unit = "degrees or m", .absent_text = "none",
     .help = "Least and greatest motion of the first body relative to the second, from the start"},
    {"speed", FIELD_NUMBER, offsetof(pd_scene_joint, speed), .required = MOTOR, .low = -36000, .high = 36000,
     .unit = "degrees/s", .help = "Speed of the first body relative to the second, counterclockwise"},
    {"greatest_torque", FIELD_NUMBER, offsetof(pd_scene_joint, greatest_torque), .allowed = MOTOR, POSITIVE,
     .absent = ABSENT_INFINITE, .unit = "N m", .absent_text = "unlimited", .help = "Greatest torque of the motor"},
    {"length", FIELD_NUMBER, offsetof(pd_scene_joint, length), .allowed = SPRING | ROPE, .low = 0, .high = PD_FARTHEST,
     .absent = ABSENT_NAN, .unit = "m", .absent_text = "distance of the ends at the start",
     .help = "Length of the spring without force, or greatest length of the rope"},
    {"stiffness", FIELD_NUMBER, offsetof(pd_scene_joint, stiffness), .required = SPRING, POSITIVE, .unit = "N/m",
     .help = "Force of the spring per extension"},
    {"damping", FIELD_NUMBER, offsetof(pd_scene_joint, damping), .allowed = SPRING, POSITIVE,
     .absent = ABSENT_PLUS_ZERO, .unit = "N s/m", .help = "Force of the spring per speed of its extension"},
    {"breaks_at", FIELD_NUMBER, offsetof(pd_scene_joint, breaks_at), POSITIVE, .absent = ABSENT_INFINITE, .unit = "N",
     .absent_text = "never", .help = "Force at which the joint breaks"},
};
const pd_record_schema pd_joint_schema = {"joint", joint_fields,           COUNT_OF(joint_fields),
                                          true,    sizeof(pd_scene_joint), find_joint_conflict};

static const pd_record_field cells_fields[] = {
    {"file", FIELD_CUSTOM, .read = pd_skip_key, .type_text = "path",
     .help = "CSV file of the cells; a relative path begins at the folder of the scene file"},
    {"columns", FIELD_COUNT, offsetof(pd_cells, columns), .low = 1, .high = PD_MAX_CELLS,
     .help = "Number of columns, with data; a file has its own"},
    {"rows", FIELD_COUNT, offsetof(pd_cells, rows), .low = 1, .high = PD_MAX_CELLS,
     .help = "Number of rows, with data; a file has its own"},
    {"size", FIELD_NUMBER, offsetof(pd_cells, size), .required = ALL_KINDS, LENGTH, .help = "Side of a cell"},
    {"center", FIELD_VECTOR, offsetof(pd_cells, center), PLACE, .help = "Centre of the cells; default: the origin"},
    {"dyes", FIELD_CUSTOM, .read = pd_skip_key, .type_text = "list of names",
     .help = "Names of the materials of the dyes"},
    {"data", FIELD_CUSTOM, .read = pd_skip_key, .type_text = "list of texts",
     .help = "Values of the cells in base 64, as puddle writes them to logs and snapshots"},
};
const pd_record_schema pd_cells_schema = {"grid of cells", cells_fields, COUNT_OF(cells_fields), false,
                                          sizeof(pd_cells)};

static const pd_record_field scene_fields[] = {
    {"puddle", FIELD_CUSTOM, .read = pd_skip_key, .type_text = "whole number", .absent_text = "required",
     .range_text = "1", .help = "Version of the format"},
    {"name", FIELD_TEXT, offsetof(pd_scene, name), .help = "Name of the scene, shown in the window"},
    {"method", FIELD_CUSTOM, .read = pd_read_method, .type_text = "name", .absent_text = "ddr",
     .help = "Method that computes the fluid (puddle list methods)"},
    {"gravity", FIELD_VECTOR, offsetof(pd_scene, gravity), .low = -PD_MAX_ACCELERATION, .high = PD_MAX_ACCELERATION,
     .default_value = {0, -1.6}, .unit = "m/s²", .help = "Acceleration of gravity"},
    {"dt", FIELD_NUMBER, offsetof(pd_scene, dt), .low = 1e-6, .high = 1, .default_value = {1.0 / 60}, .unit = "s",
     .help = "Simulated time of a step"},
    {"substeps", FIELD_CUSTOM, .read = pd_read_substeps, .type_text = "whole number or auto", .absent_text = "auto",
     .range_text = "1 to 1000", .help = "Number of substeps in a step; auto: as many as the method needs"},
    {"seed", FIELD_CUSTOM, .read = pd_read_seed, .type_text = "whole number", .absent_text = "1",
     .range_text = "0 to 2^64-1", .help = "Seed of the random generator"},
    {"particles", FIELD_COUNT, offsetof(pd_scene, particles), .low = 1, .high = PD_MAX_PARTICLES, .absent = ABSENT_ZERO,
     .absent_text = "by the regions",
     .help = "Number of particles in all regions together; without regions and emitters, the number that fills the "
             "container"},
    {"container", FIELD_CUSTOM, offsetof(pd_scene, container), .read = pd_read_container, .type_text = "mapping",
     .absent_text = "circle of radius 1", .help = "Container of the fluid"},
    {"materials", FIELD_CUSTOM, .read = pd_read_materials, .read_first = true, .type_text = "mapping",
     .absent_text = "water", .help = "Materials, each by its name"},
    {"regions", FIELD_CUSTOM, offsetof(pd_scene, regions), .read = pd_read_list, .type_text = "list",
     .help = "Areas that are filled with fluid at the start"},
    {"vortons", FIELD_CUSTOM, offsetof(pd_scene, vortons), .read = pd_read_list, .type_text = "list",
     .help = "Vortices at the start"},
    {"cells", FIELD_CUSTOM, .read = pd_read_cells, .type_text = "mapping",
     .help = "Velocities and dyes at the start, under grid, in place of regions and vortons"},
    {"obstacles", FIELD_CUSTOM, offsetof(pd_scene, obstacles), .read = pd_read_list, .type_text = "list",
     .help = "Solid bodies in the fluid, at rest or moving as given"},
    {"bodies", FIELD_CUSTOM, offsetof(pd_scene, bodies), .read = pd_read_list, .type_text = "list",
     .help = "Rigid bodies that move by gravity, contacts, joints and the fluid"},
    {"joints", FIELD_CUSTOM, offsetof(pd_scene, joints), .read = pd_read_list, .type_text = "list",
     .help = "Joints of two bodies, or of a body and the world"},
    {"emitters", FIELD_CUSTOM, offsetof(pd_scene, emitters), .read = pd_read_list, .type_text = "list",
     .help = "Nozzles that emit particles"},
    {"drains", FIELD_CUSTOM, offsetof(pd_scene, drains), .read = pd_read_list, .type_text = "list",
     .help = "Areas in which particles are removed"},
    {"attractions", FIELD_CUSTOM, offsetof(pd_scene, attractions), .read = pd_read_list, .type_text = "list",
     .help = "Attractions between materials, under ddr"},
    {"changes", FIELD_CUSTOM, offsetof(pd_scene, changes), .read = pd_read_list, .type_text = "list",
     .help = "Areas in which one material turns into another"},
    {"parameters", FIELD_CUSTOM, .read = pd_read_parameters, .type_text = "mapping",
     .help = "Parameters by method, such as ddr: {stiffness: 1.6} (puddle list parameters)"},
};
const pd_record_schema pd_scene_schema = {"scene", scene_fields, COUNT_OF(scene_fields), false, sizeof(pd_scene)};

/* ---- Lists ---- */

static int count_points(const void *item) {
    const pd_area *area = item;
    return pd_area_has_points(area) && area->points ? area->point_count : 0;
}

static int count_region_pixels(const void *item) {
    const pd_area *area = &((const pd_region *)item)->area;
    return area->shape == PD_SHAPE_IMAGE && area->pixels ? area->columns * area->rows : 0;
}

static int count_region_particles(const void *item) {
    const pd_region *region = item;
    return region->area.shape == PD_SHAPE_PARTICLES && region->particles ? region->count : 0;
}

static const pd_item_array points[] = {
    {offsetof(pd_area, points), sizeof(pd_vec2), .floats = 2, .count = count_points},
    {0},
};
static const pd_item_array fluid[] = {
    {offsetof(pd_region, area.pixels), 1, .material_bytes = 1, .count = count_region_pixels},
    {offsetof(pd_region, particles), sizeof(pd_scene_particle), .floats = 4, .material_bytes = 4,
     .count = count_region_particles},
    {0},
};

static const pd_record_schema setting_record = {"setting", NULL, 0, false, sizeof(pd_setting)};

#define LIST(list, singular) offsetof(pd_scene, list), offsetof(pd_scene, singular##_count)
const pd_scene_list_info pd_scene_lists[PD_ALL_LISTS] = {
    [PD_LIST_MATERIALS] = {"materials", &pd_material_schema, LIST(materials, material), PD_MAX_MATERIALS,
                           .is_inline = true, .find_fault = pd_find_material_fault},
    [PD_LIST_REGIONS] = {"regions", &pd_region_schema, LIST(regions, region), PD_MAX_ITEMS, .arrays = fluid,
                         .find_fault = pd_find_region_fault},
    [PD_LIST_VORTONS] = {"vortons", &pd_vorton_schema, LIST(vortons, vorton), PD_MAX_VORTONS},
    [PD_LIST_OBSTACLES] = {"obstacles", &pd_obstacle_schema, LIST(obstacles, obstacle), PD_MAX_ITEMS, .arrays = points},
    [PD_LIST_EMITTERS] = {"emitters", &pd_emitter_schema, LIST(emitters, emitter), PD_MAX_ITEMS},
    [PD_LIST_DRAINS] = {"drains", &pd_drain_schema, LIST(drains, drain), PD_MAX_ITEMS},
    [PD_LIST_ATTRACTIONS] = {"attractions", &pd_attraction_schema, LIST(attractions, attraction), PD_MAX_ITEMS,
                             .find_fault = pd_find_attraction_fault},
    [PD_LIST_CHANGES] = {"changes", &pd_change_schema, LIST(changes, change), PD_MAX_ITEMS},
    [PD_LIST_BODIES] = {"bodies", &pd_body_schema, LIST(bodies, body), PD_MAX_ITEMS, .arrays = points},
    [PD_LIST_JOINTS] = {"joints", &pd_joint_schema, LIST(joints, joint), PD_MAX_ITEMS},
    [PD_LIST_SETTINGS] = {"settings", &setting_record, LIST(settings, setting), PD_MAX_ITEMS},
};

/* ---- Descriptions of keys ---- */

static const struct list {
    const char *name;
    const pd_record_schema *schema;
} lists[] = {
    {"scene", &pd_scene_schema},           {"container", &pd_container_schema},
    {"container.walls", &pd_walls_schema}, {"container.walls.SIDE", &pd_wall_schema},
    {"materials", &pd_material_schema},    {"regions", &pd_region_schema},
    {"vortons", &pd_vorton_schema},        {"cells", &pd_cells_schema},
    {"obstacles", &pd_obstacle_schema},    {"emitters", &pd_emitter_schema},
    {"drains", &pd_drain_schema},          {"attractions", &pd_attraction_schema},
    {"changes", &pd_change_schema},        {"bodies", &pd_body_schema},
    {"joints", &pd_joint_schema},
};

static const char *const type_words[] = {
    [FIELD_NUMBER] = "number", [FIELD_COUNT] = "whole number",
    [FIELD_VECTOR] = "[x, y]", [FIELD_BOOLEAN] = "true or false",
    [FIELD_CHOICE] = "word",   [FIELD_TEXT] = "text",
    [FIELD_MATERIAL] = "name", [FIELD_PAIR] = "",
    [FIELD_NAMES] = "",        [FIELD_COLOR] = "",
    [FIELD_OWN_COLOR] = "",    [FIELD_PROPERTY] = "number",
    [FIELD_CUSTOM] = "",
};

/* Appends the words of a choice, separated by ", ". kinds: bit i is set if word i is appended. */
static void append_choice_words(const char *const *words, pd_field_kinds kinds, char *text, size_t size) {
    for (int i = 0; words[i]; i++)
        if (*words[i] && kinds >> i & 1) pd_text_append_word(text, size, ", ", words[i]);
}

static void describe_default_value(const pd_record_field *field, const void *defaults, char *text, size_t size) {
    const void *value = (const char *)defaults + field->offset;
    const float *number = value;
    const pd_vec2 *vector = value;
    char x[PD_FLOAT_TEXT], y[PD_FLOAT_TEXT];
    if (field->type == FIELD_NUMBER) snprintf(text, size, "%s", pd_text_write_float(*number, x));
    if (field->type == FIELD_VECTOR)
        snprintf(text, size, "[%s, %s]", pd_text_write_float(vector->x, x), pd_text_write_float(vector->y, y));
    if (field->type == FIELD_BOOLEAN) snprintf(text, size, "%s", *(const bool *)value ? "true" : "false");
    if (field->type == FIELD_MATERIAL) snprintf(text, size, "the first");
    if (field->type == FIELD_CHOICE) {
        int choice;
        memcpy(&choice, value, sizeof choice);
        snprintf(text, size, "%s", field->words[choice]);
    }
}

/* Writes the default of a field as text. number: for a FIELD_PROPERTY, result of pd_number_field_of_property; for other
 * fields the field itself. defaults: a record with the default of every field. */
static void describe_default_or_required(const pd_record_schema *schema, const pd_record_field *field,
                                         const pd_record_field *number, const void *defaults, char *text, size_t size) {
    pd_field_kinds possible = schema->has_kinds ? schema->fields[0].allowed & pd_field_kinds_of(field) : ALL_KINDS;
    *text = '\0';
    if ((schema->has_kinds && field == schema->fields) || (field->required & possible) == possible) {
        snprintf(text, size, "required");
        return;
    }
    if (number->absent_text)
        snprintf(text, size, "%s", number->absent_text);
    else
        describe_default_value(field, defaults, text, size);
    if (!field->required) return;
    char kinds[64] = "";
    append_choice_words(schema->fields[0].words, field->required & possible, kinds, sizeof kinds);
    pd_text_append(text, size, " (required: %s)", kinds);
}

static void describe_range(const pd_record_field *field, char *text, size_t size) {
    char range[PD_RANGE_TEXT];
    bool number = field->type == FIELD_NUMBER || field->type == FIELD_COUNT || field->type == FIELD_VECTOR;
    *text = '\0';
    if (field->range_text)
        snprintf(text, size, "%s", field->range_text);
    else if (field->type == FIELD_CHOICE)
        append_choice_words(field->words, pd_field_allowed_words(field), text, size);
    else if (number)
        snprintf(text, size, "%s", pd_text_write_range(field->low, field->high, range));
}

static void describe_key(const pd_record_schema *schema, const pd_record_field *field, const void *defaults,
                         pd_scene_key *key) {
    const pd_record_field number = field->type == FIELD_PROPERTY ? pd_number_field_of_property(field) : *field;
    key->key = number.key;
    key->type = number.type_text ? number.type_text : type_words[number.type];
    key->unit = number.unit ? number.unit : "";
    key->help = number.help ? number.help : "";
    describe_default_or_required(schema, field, &number, defaults, key->default_value, sizeof key->default_value);
    describe_range(&number, key->range, sizeof key->range);
    *key->only_for = '\0';
    pd_field_kinds all = schema->has_kinds ? schema->fields[0].allowed : ALL_KINDS;
    if (field != schema->fields && (pd_field_kinds_of(field) & all) != all)
        append_choice_words(schema->fields[0].words, pd_field_kinds_of(field) & all, key->only_for,
                            sizeof key->only_for);
}

bool pd_scene_describe_key(int index, pd_scene_key *key) {
    for (size_t l = 0; l < sizeof lists / sizeof *lists; l++) {
        const pd_record_schema *schema = lists[l].schema;
        key->list = lists[l].name;
        if (index >= schema->count) {
            index -= schema->count;
            continue;
        }
        union { /* room for any record */
            pd_scene scene;
            pd_region region;
        } defaults;
        PD_ASSERT(schema->size <= sizeof defaults);
        pd_record_set_defaults(schema, &defaults);
        describe_key(schema, &schema->fields[index], &defaults, key);
        return true;
    }
    return false;
}
