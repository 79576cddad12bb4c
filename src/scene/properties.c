/* Table of the properties of materials, and the keys of a material in a scene file. */
#include "scene/properties.h"

#include "core/error.h"
#include "scene/schema.h"

static const pd_property_info properties[PD_PROPERTIES] = {
    [PD_VISCOSITY] = {"viscosity", PD_FEATURE_VISCOSITY, &(const pd_parameter)PD_VISCOSITY_PARAMETER},
    [PD_ELASTICITY] = {"elasticity", PD_FEATURE_SPRINGS, &(const pd_parameter)PD_ELASTICITY_PARAMETER},
    [PD_PLASTICITY] = {"plasticity", PD_FEATURE_SPRINGS, &(const pd_parameter)PD_PLASTICITY_PARAMETER,
                       .of_springs = true},
    [PD_YIELD] = {"yield", PD_FEATURE_SPRINGS, &(const pd_parameter)PD_YIELD_PARAMETER, .of_springs = true},
    [PD_STICKINESS] = {"stickiness", PD_FEATURE_STICKINESS, &(const pd_parameter)PD_STICKINESS_PARAMETER},
    [PD_CONTACT_ANGLE] = {"contact_angle", PD_FEATURE_PROPERTIES, &(const pd_parameter)PD_CONTACT_ANGLE_PARAMETER},
    [PD_TENSION] = {"surface_tension", PD_FEATURE_TENSION, &(const pd_parameter)PD_TENSION_PARAMETER},
};

const pd_property_info *pd_property_at(int property) {
    PD_ASSERT_INDEX("property", property, PD_PROPERTIES);
    return &properties[property];
}

/* Keys of a material in a scene file. */
static const pd_record_field material_fields[] = {
    {"color", FIELD_COLOR, offsetof(pd_material, red), .allowed = ALL_KINDS, .required = ALL_KINDS,
     .default_value = {0x3a8fff}, .type_text = "colour", .range_text = "\"#rrggbb\"",
     .help = "Colour in the window and in recordings"},
    {"mass", FIELD_NUMBER, offsetof(pd_material, mass), .allowed = ALL_KINDS, .low = 1e-3, .high = 1e3,
     .default_value = {1},
     .help = "Weight of the material, 1 as water (1,000 kg/m³): a material of smaller mass floats"},
    {"own_weight", FIELD_BOOLEAN, offsetof(pd_material, own_weight), .allowed = ALL_KINDS, .absent = ABSENT_ZERO,
     .help = "Whether the mass is also the weight although ddr.equal_weight is on; 1 is the weight of other materials"},
    {"viscosity", FIELD_PROPERTY, offsetof(pd_material, property[PD_VISCOSITY]), .allowed = ALL_KINDS},
    {"elasticity", FIELD_PROPERTY, offsetof(pd_material, property[PD_ELASTICITY]), .allowed = ALL_KINDS},
    {"plasticity", FIELD_PROPERTY, offsetof(pd_material, property[PD_PLASTICITY]), .allowed = ALL_KINDS},
    {"yield", FIELD_PROPERTY, offsetof(pd_material, property[PD_YIELD]), .allowed = ALL_KINDS},
    {"stickiness", FIELD_PROPERTY, offsetof(pd_material, property[PD_STICKINESS]), .allowed = ALL_KINDS},
    {"contact_angle", FIELD_PROPERTY, offsetof(pd_material, property[PD_CONTACT_ANGLE]), .allowed = ALL_KINDS},
    {"surface_tension", FIELD_PROPERTY, offsetof(pd_material, property[PD_TENSION]), .allowed = ALL_KINDS},
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
