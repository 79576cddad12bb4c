/* Table of the columns of bodies. */
#include "cli/output/bodies.h"

#include "core/text.h"

#include <string.h>

/* Masses are relative to a square metre of fluid of mass 1 at rest, which weighs 1,000 kg/m. */
#define COLUMN(member, factor, unit, help)                                                                             \
    { #member, unit, help, offsetof(pd_world_body, member), factor }
const body_column body_columns[BODY_COLUMNS] = {
    {"step", "", "Number of steps since the start"},
    {"time", "s", "Simulated time"},
    {"body", "", "Name of the body; of an unnamed body its number in the scene, from 0"},
    COLUMN(x, 1, "m", "Centroid, x"),
    COLUMN(y, 1, "m", "Centroid, y"),
    COLUMN(angle, 1, "degrees", "Angle, counterclockwise; whole turns count"),
    COLUMN(vx, 1, "m/s", "Velocity of the centroid, x"),
    COLUMN(vy, 1, "m/s", "Velocity of the centroid, y"),
    COLUMN(spin, 1, "degrees/s", "Angular velocity, counterclockwise"),
    COLUMN(mass, 1e-3, "1,000 kg/m", "Mass: density x area; 1 is that of 1 m² of fluid of mass 1 at rest"),
    COLUMN(inertia, 1e-3, "1,000 kg m", "Moment of inertia about the centroid"),
    COLUMN(force_x, 1, "N/m", "Mean force of the fluid in the last step, x"),
    COLUMN(force_y, 1, "N/m", "Mean force of the fluid in the last step, y"),
    COLUMN(torque, 1, "N", "Mean torque of the fluid about the centroid in the last step"),
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
