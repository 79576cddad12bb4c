#include "cli/output/columns.h"

#include "core/text.h"

#include <math.h>
#include <string.h>

#define COLUMN(field, kind, unit, help)                                                                                \
    { #field, kind, offsetof(pd_statistics, field), unit, help }
const statistics_column statistics_columns[] = {
    COLUMN(step, COLUMN_STEP, "", "Number of steps since the start"),
    COLUMN(time, COLUMN_QUANTITY, "s", "Simulated time"),
    COLUMN(particles, COLUMN_COUNT, "", "Number of particles"),
    COLUMN(substeps, COLUMN_COUNT, "", "Number of substeps in this step"),
    COLUMN(kinetic_energy, COLUMN_QUANTITY, "J/m",
           "Kinetic energy of the fluid: half of mass x speed², summed over the particles, under grid and vortex over "
           "the cells"),
    COLUMN(momentum_x, COLUMN_QUANTITY, "N s/m",
           "Momentum to the right: mass x velocity, summed as for kinetic_energy"),
    COLUMN(momentum_y, COLUMN_QUANTITY, "N s/m", "Momentum upwards: mass x velocity, summed as for kinetic_energy"),
    COLUMN(center_x, COLUMN_QUANTITY, "m", "Centre of mass of the particles, x"),
    COLUMN(center_y, COLUMN_QUANTITY, "m", "Centre of mass of the particles, y"),
    COLUMN(rms_speed, COLUMN_QUANTITY, "m/s",
           "Root mean square of the speed, over the particles; under grid over the cells"),
    COLUMN(max_speed, COLUMN_QUANTITY, "m/s", "Greatest speed of a particle; under grid of a cell"),
    COLUMN(mean_density, COLUMN_QUANTITY, "",
           "Mean density of the particles: under ddr the sum of (1 - distance/radius)² over the neighbours, else "
           "particles per m²"),
    COLUMN(max_density, COLUMN_QUANTITY, "", "Greatest density of a particle, as mean_density"),
    COLUMN(density_error, COLUMN_QUANTITY, "",
           "Mean compression of the particles: max(0, density / density at rest - 1)"),
    COLUMN(divergence, COLUMN_QUANTITY, "1/s",
           "Root mean square of the divergence of the velocity, over the cells with fluid"),
    COLUMN(circulation, COLUMN_QUANTITY, "m²/s", "Circulation of the whole fluid, counterclockwise"),
    COLUMN(step_ms, COLUMN_QUANTITY, "ms", "Wall time of this step"),
};
const int statistics_column_count = sizeof statistics_columns / sizeof *statistics_columns;

const char *statistics_find_unit(const char *name) {
    for (int i = 0; i < statistics_column_count; i++)
        if (strcmp(statistics_columns[i].name, name) == 0) return statistics_columns[i].unit;
    return "";
}

double statistics_get_value(const statistics_column *column, const pd_statistics *statistics) {
    const char *field = (const char *)statistics + column->offset;
    if (column->kind == COLUMN_STEP) return (double)*(const uint64_t *)(const void *)field;
    if (column->kind == COLUMN_COUNT) return *(const int *)(const void *)field;
    return *(const double *)(const void *)field;
}

void statistics_print_header(FILE *stream) {
    for (int i = 0; i < statistics_column_count; i++) fprintf(stream, "%s%s", i ? "," : "", statistics_columns[i].name);
    fputc('\n', stream);
}

void statistics_print_row(FILE *stream, const pd_statistics *statistics) {
    for (int i = 0; i < statistics_column_count; i++) {
        double value = statistics_get_value(&statistics_columns[i], statistics);
        if (i) fputc(',', stream);
        char text[PD_FLOAT_TEXT];
        if (isnan(value)) continue;
        bool counts = statistics_columns[i].kind != COLUMN_QUANTITY;
        fputs(counts ? pd_text_write_double(value, text) : pd_text_write_float((float)value, text), stream);
    }
    fputc('\n', stream);
}

/* ---- Bodies ---- */

/* Masses are relative to a square metre of fluid of mass 1 at rest, which weighs 1,000 kg/m. */
#define MEMBER(member, factor, unit, help)                                                                             \
    { #member, unit, help, offsetof(pd_world_body, member), factor }
const body_column body_columns[BODY_COLUMNS] = {
    {"step", "", "Number of steps since the start"},
    {"time", "s", "Simulated time"},
    {"body", "", "Name of the body; of an unnamed body its number in the scene, from 0"},
    MEMBER(x, 1, "m", "Centroid, x"),
    MEMBER(y, 1, "m", "Centroid, y"),
    MEMBER(angle, 1, "degrees", "Angle, counterclockwise; whole turns count"),
    MEMBER(vx, 1, "m/s", "Velocity of the centroid, x"),
    MEMBER(vy, 1, "m/s", "Velocity of the centroid, y"),
    MEMBER(spin, 1, "degrees/s", "Angular velocity, counterclockwise"),
    MEMBER(mass, 1e-3, "1,000 kg/m", "Mass: density x area; 1 is that of 1 m² of fluid of mass 1 at rest"),
    MEMBER(inertia, 1e-3, "1,000 kg m", "Moment of inertia about the centroid"),
    MEMBER(force_x, 1, "N/m", "Mean force of the fluid in the last step, x"),
    MEMBER(force_y, 1, "N/m", "Mean force of the fluid in the last step, y"),
    MEMBER(torque, 1, "N", "Mean torque of the fluid about the centroid in the last step"),
};

void body_get_name(const pd_world *world, int index, char name[BODY_NAME_SIZE]) {
    const char *given = pd_world_scene(world)->bodies[index].name;
    if (*given)
        snprintf(name, BODY_NAME_SIZE, "%s", given);
    else
        snprintf(name, BODY_NAME_SIZE, "%d", index);
}

double body_get_value(const pd_world *world, const pd_world_body *body, int column) {
    double value;
    if (column == BODY_STEP) return (double)pd_world_steps(world);
    if (column == BODY_TIME) return pd_world_time(world);
    memcpy(&value, (const char *)body + body_columns[column].offset, sizeof value);
    return body_columns[column].factor * value;
}

void bodies_print_header(FILE *stream, int columns) {
    for (int c = 0; c < columns; c++) fprintf(stream, "%s%s", c ? "," : "", body_columns[c].name);
    fputc('\n', stream);
}

void bodies_print_rows(FILE *stream, const pd_world *world, int columns) {
    for (int i = 0; i < pd_world_body_count(world); i++) {
        char name[BODY_NAME_SIZE], text[PD_FLOAT_TEXT];
        pd_world_body body;
        pd_world_get_body(world, i, &body);
        body_get_name(world, i, name);
        for (int c = 0; c < columns; c++) {
            if (c > 0) fputc(',', stream);
            if (c == BODY_NAME)
                pd_text_write_csv_cell(stream, name);
            else
                fputs(pd_text_write_double(body_get_value(world, &body, c), text), stream);
        }
        fputc('\n', stream);
    }
}
