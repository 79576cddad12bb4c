#include "cli/statistics.h"

#include <math.h>

#define COLUMN(field, kind)                                                                                            \
    { #field, kind, offsetof(pd_statistics, field) }
const statistics_column statistics_columns[] = {
    COLUMN(step, COLUMN_STEP),
    COLUMN(time, COLUMN_QUANTITY),
    COLUMN(particles, COLUMN_COUNT),
    COLUMN(substeps, COLUMN_COUNT),
    COLUMN(kinetic_energy, COLUMN_QUANTITY),
    COLUMN(momentum_x, COLUMN_QUANTITY),
    COLUMN(momentum_y, COLUMN_QUANTITY),
    COLUMN(center_x, COLUMN_QUANTITY),
    COLUMN(center_y, COLUMN_QUANTITY),
    COLUMN(rms_speed, COLUMN_QUANTITY),
    COLUMN(max_speed, COLUMN_QUANTITY),
    COLUMN(mean_density, COLUMN_QUANTITY),
    COLUMN(max_density, COLUMN_QUANTITY),
    COLUMN(density_error, COLUMN_QUANTITY),
    COLUMN(divergence, COLUMN_QUANTITY),
    COLUMN(circulation, COLUMN_QUANTITY),
    COLUMN(step_ms, COLUMN_QUANTITY),
};
const int statistics_column_count = sizeof statistics_columns / sizeof *statistics_columns;

double statistics_value(const statistics_column *column, const pd_statistics *statistics) {
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
        double value = statistics_value(&statistics_columns[i], statistics);
        if (i) fputc(',', stream);
        if (!isnan(value)) fprintf(stream, "%.17g", value);
    }
    fputc('\n', stream);
}
