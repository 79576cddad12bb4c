/* Table of the columns of --stats. */
#include "cli/output/statistics.h"

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
