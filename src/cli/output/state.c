#include "cli/output/state.h"

#include "cli/output/columns.h"
#include "core/error.h"
#include "core/file.h"
#include "core/math.h"
#include "core/text.h"
#include "scene/geometry.h"

#include <errno.h>
#include <libdeflate.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ID_COLUMN                                                                                                      \
    { "id", "", "Number of the particle or vortex, constant while it exists" }
#define X_COLUMN                                                                                                       \
    { "x", "m", "Position, x" }
#define Y_COLUMN                                                                                                       \
    { "y", "m", "Position, y" }
#define VX_COLUMN                                                                                                      \
    { "vx", "m/s", "Velocity, x" }
#define VY_COLUMN                                                                                                      \
    { "vy", "m/s", "Velocity, y" }

static const state_column particle_columns[] = {
    ID_COLUMN,
    {"material", "", "Name of the particle's material"},
    X_COLUMN,
    Y_COLUMN,
    VX_COLUMN,
    VY_COLUMN,
    {"mass", "", "Mass of the material: 1 is 1,000 kg/m³ at rest"},
    {"density", "",
     "Density: under ddr the sum of (1 - distance/radius)² over the neighbours, else particles per m²; empty for "
     "tracers"},
};
static const state_column vortex_columns[] = {
    ID_COLUMN,
    X_COLUMN,
    Y_COLUMN,
    VX_COLUMN,
    VY_COLUMN,
    {"circulation", "m²/s", "Circulation, counterclockwise"},
    {"density", "kg/m³", "Deviation of the density from that of the ambient fluid; 0 for a vortex without area"},
    {"core", "m", "Core radius"},
};
enum {
    CELL_FIRST_FIELD = 4, /* index of the first column that is a field: i, j, x, y precede it */
    CELL_U = CELL_FIRST_FIELD,
    CELL_V,
    CELL_PRESSURE,
    CELL_SMOKE,
    CELL_SOLID,
    CELL_VORTICITY,
    CELL_COLUMNS
};
static const state_column cell_columns[CELL_COLUMNS] = {
    {"i", "", "Column of the cell, 0 at the left"},
    {"j", "", "Row of the cell, 0 at the bottom"},
    {"x", "m", "Centre of the cell, x"},
    {"y", "m", "Centre of the cell, y"},
    [CELL_U] = {"u", "m/s", "Velocity, x", "velocity_x"},
    [CELL_V] = {"v", "m/s", "Velocity, y", "velocity_y"},
    [CELL_PRESSURE] = {"pressure", "Pa", "Pressure", "pressure"},
    [CELL_SMOKE] = {"smoke", "", "Sum of the amounts of all dyes, each 0 to 1", "smoke"},
    [CELL_SOLID] = {"solid", "", "Part of the cell that walls cover, 0 to 1", "solid"},
    [CELL_VORTICITY] = {"vorticity", "1/s", "Vorticity, counterclockwise", "vorticity"},
};
#define TABLE(name, title, columns)                                                                                    \
    { name, title, columns, sizeof columns / sizeof *columns }
const state_table state_tables[STATE_TABLES] = {
    [STATE_OF_PARTICLES] = TABLE("state-particles", "--state: particles", particle_columns),
    [STATE_OF_VORTICES] = TABLE("state-vortices", "--state: vortices of a vortex method", vortex_columns),
    [STATE_OF_CELLS] = TABLE("state-cells", "--state: cells of a grid method", cell_columns),
};

static void print_header(FILE *stream, const state_table *table) {
    for (int c = 0; c < table->count; c++) fprintf(stream, "%s%s", c ? "," : "", table->columns[c].name);
    fputc('\n', stream);
}

/* Writes the heading of a VTK file: type of the dataset, and the time as the array TIME, which VisIt reads too. */
static void print_vtk_heading(FILE *stream, const pd_view *view, const char *type) {
    char time[PD_FLOAT_TEXT];
    fprintf(stream, "# vtk DataFile Version 3.0\npuddle %s, time %.9g s\nASCII\nDATASET %s\n", pd_version(), view->time,
            type);
    fprintf(stream, "FIELD FieldData 1\nTIME 1 1 double\n%s\n", pd_text_write_double(view->time, time));
}

/* Id and index of a particle or vortex, for sorting by id. */
typedef struct id_index {
    uint32_t id;
    int index;
} id_index;

/* Function that writes all particles or vortices of a view to `stream`. order: their indices, sorted by id. */
typedef void print_points(FILE *stream, const pd_view *view, const id_index *order);

static int compare_ids(const void *a, const void *b) {
    uint32_t left = ((const id_index *)a)->id, right = ((const id_index *)b)->id;
    return (left > right) - (left < right);
}

/* Returns all indices in the order of the ids, for free(); NULL if memory runs out. */
static id_index *sort_by_id(const uint32_t *id, int count) {
    id_index *order = malloc(sizeof *order * (size_t)(count + 1));
    if (!order) return NULL;
    for (int i = 0; i < count; i++) order[i] = (id_index){id[i], i};
    qsort(order, (size_t)count, sizeof *order, compare_ids);
    return order;
}

static void print_particles_csv(FILE *stream, const pd_view *view, const id_index *order) {
    print_header(stream, &state_tables[STATE_OF_PARTICLES]);
    for (int n = 0; n < view->count && !ferror(stream); n++) {
        int i = order[n].index;
        const pd_material *material = &view->materials[view->material[i]];
        fprintf(stream, "%u,", view->id[i]);
        pd_text_write_csv_cell(stream, material->name);
        fprintf(stream, ",%.9g,%.9g,%.9g,%.9g,%.9g,", (double)view->x[i], (double)view->y[i], (double)view->vx[i],
                (double)view->vy[i], (double)material->mass);
        if (view->density) fprintf(stream, "%.9g", (double)view->density[i]);
        fputc('\n', stream);
    }
}

/* Writes the heading of a VTK file, the positions x, y of the points, and their ids as the first array of POINT_DATA. */
static void print_vtk_points(FILE *stream, const pd_view *view, int count, const float *x, const float *y,
                             const id_index *order) {
    print_vtk_heading(stream, view, "POLYDATA");
    fprintf(stream, "POINTS %d float\n", count);
    for (int n = 0; n < count; n++)
        fprintf(stream, "%.9g %.9g 0\n", (double)x[order[n].index], (double)y[order[n].index]);
    fprintf(stream, "VERTICES %d %lld\n", count, 2LL * count);
    for (int n = 0; n < count; n++) fprintf(stream, "1 %d\n", n);
    fprintf(stream, "POINT_DATA %d\nSCALARS id unsigned_int 1\nLOOKUP_TABLE default\n", count);
    for (int n = 0; n < count; n++) fprintf(stream, "%u\n", order[n].id);
}

static void print_vtk_velocities(FILE *stream, int count, const float *vx, const float *vy, const id_index *order) {
    fputs("VECTORS velocity float\n", stream);
    for (int n = 0; n < count; n++)
        fprintf(stream, "%.9g %.9g 0\n", (double)vx[order[n].index], (double)vy[order[n].index]);
}

static void print_particles_vtk(FILE *stream, const pd_view *view, const id_index *order) {
    int count = view->count;
    print_vtk_points(stream, view, count, view->x, view->y, order);
    fputs("SCALARS material int 1\nLOOKUP_TABLE default\n", stream);
    for (int n = 0; n < count; n++) fprintf(stream, "%d\n", view->material[order[n].index]);
    if (view->density) fputs("SCALARS density float 1\nLOOKUP_TABLE default\n", stream);
    for (int n = 0; view->density && n < count; n++) fprintf(stream, "%.9g\n", (double)view->density[order[n].index]);
    fputs("SCALARS mass float 1\nLOOKUP_TABLE default\n", stream);
    for (int n = 0; n < count; n++)
        fprintf(stream, "%.9g\n", (double)view->materials[view->material[order[n].index]].mass);
    print_vtk_velocities(stream, count, view->vx, view->vy, order);
}

/* Returns (density of vortex i) - (density of the fluid around it), kg/m^3; 0 for a vortex without an area. The unit of
 * v->mass is 1,000 kg/m. */
static float compute_density_difference(const pd_view_vortices *v, int i) {
    return v->area[i] > 0 ? 1000 * (v->mass[i] / v->area[i]) : 0;
}

static void print_vortices_csv(FILE *stream, const pd_view *view, const id_index *order) {
    const pd_view_vortices *v = &view->vortices;
    print_header(stream, &state_tables[STATE_OF_VORTICES]);
    for (int n = 0; n < v->count && !ferror(stream); n++) {
        int i = order[n].index;
        fprintf(stream, "%u,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g\n", v->id[i], (double)v->x[i], (double)v->y[i],
                (double)v->vx[i], (double)v->vy[i], (double)v->circulation[i], (double)compute_density_difference(v, i),
                (double)v->core[i]);
    }
}

static void print_vortices_vtk(FILE *stream, const pd_view *view, const id_index *order) {
    const pd_view_vortices *v = &view->vortices;
    int count = v->count;
    print_vtk_points(stream, view, count, v->x, v->y, order);
    fputs("SCALARS circulation float 1\nLOOKUP_TABLE default\n", stream);
    for (int n = 0; n < count; n++) fprintf(stream, "%.9g\n", (double)v->circulation[order[n].index]);
    fputs("SCALARS density float 1\nLOOKUP_TABLE default\n", stream);
    for (int n = 0; n < count; n++) fprintf(stream, "%.9g\n", (double)compute_density_difference(v, order[n].index));
    fputs("SCALARS core float 1\nLOOKUP_TABLE default\n", stream);
    for (int n = 0; n < count; n++) fprintf(stream, "%.9g\n", (double)v->core[order[n].index]);
    print_vtk_velocities(stream, count, v->vx, v->vy, order);
}

/* Writes a file of `count` particles or vortices, sorted by id. print: writes the whole text of the file. */
static pd_result write_points(const char *path, print_points *print, const pd_view *view, int count, const uint32_t *id,
                              pd_error *error) {
    id_index *order = sort_by_id(id, count);
    if (!order) return pd_fail_unwritable(path, ENOMEM, error);
    pd_output output;
    pd_result result = pd_output_open(&output, path, error);
    if (result == PD_OK) {
        print(output.stream, view, order);
        result = pd_output_commit(&output, error);
    }
    free(order);
    return result;
}

/* Grid of a method's velocity field, and all fields on this grid. */
typedef struct cells {
    const pd_field *field[CELL_COLUMNS]; /* by column of the file: field of its values; NULL: none */
    int nx, ny;                          /* numbers of columns and rows of cells */
    double x, y;                         /* centre of the first cell, m */
    double cell;                         /* side of a cell, m */
} cells;

static bool has_cells(const pd_view *view) {
    for (int f = 0; f < view->field_count; f++)
        if (strcmp(view->fields[f]->info.name, "velocity_x") == 0) return true;
    return false;
}

static bool find_cell_fields(const pd_view *view, cells *cells) {
    for (int c = CELL_FIRST_FIELD; c < CELL_COLUMNS; c++) {
        const pd_field *field = pd_view_field(view, cell_columns[c].field);
        if (field && !field->values) return false;
        if (c == CELL_U) {
            cells->nx = field->nx;
            cells->ny = field->ny;
            cells->cell = (double)field->cell;
            cells->x = (double)field->origin.x + 0.5 * cells->cell;
            cells->y = (double)field->origin.y + 0.5 * cells->cell;
        }
        bool same_grid =
            field && field->info.support == PD_FIELD_OF_CELLS && field->nx == cells->nx && field->ny == cells->ny;
        cells->field[c] = same_grid ? field : NULL;
    }
    return true;
}

/* Returns the value of a column in a cell: the sum over the field's layers. NAN: the cell has no fluid, or the method
 * lacks the field. */
static float sum_layers_of_cell(const cells *cells, int column, size_t cell) {
    const pd_field *field = cells->field[column];
    if (!field) return NAN;
    float sum = field->values[cell];
    size_t count = (size_t)cells->nx * (size_t)cells->ny;
    for (int layer = 1; layer < field->layers; layer++) sum += field->values[(size_t)layer * count + cell];
    return sum;
}

static void print_cells_csv(FILE *stream, const cells *cells) {
    print_header(stream, &state_tables[STATE_OF_CELLS]);
    size_t cell = 0;
    for (int j = 0; j < cells->ny && !ferror(stream); j++)
        for (int i = 0; i < cells->nx; i++, cell++) {
            float x = (float)(cells->x + i * cells->cell), y = (float)(cells->y + j * cells->cell);
            fprintf(stream, "%d,%d,%.9g,%.9g", i, j, (double)x, (double)y);
            for (int c = CELL_FIRST_FIELD; c < CELL_COLUMNS; c++) {
                float value = sum_layers_of_cell(cells, c, cell);
                if (isnan(value))
                    fputc(',', stream);
                else
                    fprintf(stream, ",%.9g", (double)value);
            }
            fputc('\n', stream);
        }
}

/* Writes a value of a cell, 0 for NAN: VTK's text format has no missing values. Under grid the array "solid" marks these cells. */
static void print_vtk_value(FILE *stream, float value, char end) {
    fprintf(stream, "%.9g%c", isnan(value) ? 0 : (double)value, end);
}

static void print_cells_vtk(FILE *stream, const pd_view *view, const cells *cells) {
    size_t count = (size_t)cells->nx * (size_t)cells->ny;
    print_vtk_heading(stream, view, "STRUCTURED_POINTS");
    fprintf(stream, "DIMENSIONS %d %d 1\nORIGIN %.9g %.9g 0\nSPACING %.9g %.9g %.9g\n", cells->nx, cells->ny, cells->x,
            cells->y, cells->cell, cells->cell, cells->cell);
    fprintf(stream, "POINT_DATA %zu\n", count);
    for (int c = CELL_PRESSURE; c < CELL_COLUMNS; c++) {
        if (!cells->field[c]) continue;
        fprintf(stream, "SCALARS %s float 1\nLOOKUP_TABLE default\n", cell_columns[c].name);
        for (size_t k = 0; k < count && !ferror(stream); k++)
            print_vtk_value(stream, sum_layers_of_cell(cells, c, k), '\n');
    }
    fputs("VECTORS velocity float\n", stream);
    for (size_t k = 0; k < count && !ferror(stream); k++) {
        print_vtk_value(stream, sum_layers_of_cell(cells, CELL_U, k), ' ');
        print_vtk_value(stream, sum_layers_of_cell(cells, CELL_V, k), ' ');
        fputs("0\n", stream);
    }
}

static pd_result write_cells(const char *path, bool vtk, const pd_view *view, pd_error *error) {
    cells cells;
    if (!find_cell_fields(view, &cells)) return pd_fail_unwritable(path, ENOMEM, error);
    pd_output output;
    pd_result result = pd_output_open(&output, path, error);
    if (result != PD_OK) return result;
    if (vtk)
        print_cells_vtk(output.stream, view, &cells);
    else
        print_cells_csv(output.stream, &cells);
    return pd_output_commit(&output, error);
}

/* ---- NumPy's .npz files: zip files of arrays, without compression ----
 *
 * Zip files with stored entries (PKWARE, APPNOTE.TXT 6.3.10, sections 4.3.7, 4.3.12 and 4.3.16) that are arrays in the format NPY 1.0
 * (https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html). The bytes depend on the arrays alone: every entry has the
 * date 1980-01-01, the first one of the format. */

enum { NPZ_MAX_ARRAYS = 48, NPZ_MAX_NAME = 32 };

/* An array: its name with the ending .npy, and the place in the file. */
typedef struct npz_entry {
    char name[NPZ_MAX_NAME + 4];
    uint32_t checksum, size, offset; /* CRC-32 of the .npy file; its size and offset, bytes */
} npz_entry;

typedef struct npz {
    FILE *stream;
    npz_entry entries[NPZ_MAX_ARRAYS];
    int count;
    uint64_t size;  /* bytes written so far */
    bool too_large; /* the file would pass 4 GiB, the limit of the zip format without extensions */
} npz;

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the types of arrays say little-endian");

enum { NPY_HEADER = 128 }; /* bytes before the elements, a multiple of 64 */
static const uint32_t local_signature = 0x04034b50, central_signature = 0x02014b50, end_signature = 0x06054b50;
static const uint16_t zip_version = 20, first_date = 1 << 5 | 1; /* 1980-01-01 */

static void write_bytes(npz *npz, const void *bytes, size_t size) {
    fwrite(bytes, 1, size, npz->stream);
    npz->size += size;
}

static void write_16(npz *npz, uint16_t value) { write_bytes(npz, &value, sizeof value); }
static void write_32(npz *npz, uint32_t value) { write_bytes(npz, &value, sizeof value); }

/* Writes the fields that the local header and the directory have in common. */
static void write_entry(npz *npz, const npz_entry *entry) {
    write_16(npz, zip_version);
    write_16(npz, 0); /* flags */
    write_16(npz, 0); /* method: stored */
    write_16(npz, 0); /* time */
    write_16(npz, first_date);
    write_32(npz, entry->checksum);
    write_32(npz, entry->size);
    write_32(npz, entry->size);
    write_16(npz, (uint16_t)strlen(entry->name));
    write_16(npz, 0); /* length of extra fields */
}

/* Writes the header of an .npy file: magic number, version, length of the description, description. */
static void make_npy_header(char header[NPY_HEADER + 1], const char *type, int dimensions, const size_t *shape) {
    char lengths[80] = "";
    for (int d = 0; d < dimensions; d++)
        snprintf(lengths + strlen(lengths), sizeof lengths - strlen(lengths), "%zu,", shape[d]);
    memcpy(header, "\x93NUMPY\x01\x00", 8);
    header[8] = NPY_HEADER - 10;
    header[9] = 0;
    int length = snprintf(header + 10, NPY_HEADER - 10, "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }",
                          type, lengths);
    memset(header + 10 + length, ' ', (size_t)(NPY_HEADER - 10 - length));
    header[NPY_HEADER - 1] = '\n';
}

/* Adds an array. type: NumPy's name of the elements' type ("<f4"); shape: `dimensions` lengths, at most 3; the array lies in
 * memory in C order and has `element_size` bytes for each element. */
static void npz_add(npz *npz, const char *name, const char *type, size_t element_size, int dimensions,
                    const size_t *shape, const void *elements) {
    char header[NPY_HEADER + 1];
    size_t size = element_size;
    PD_ASSERT(npz->count < NPZ_MAX_ARRAYS && dimensions <= 3);
    for (int d = 0; d < dimensions; d++) size *= shape[d];
    if (npz->size + size + 65536 > UINT32_MAX) npz->too_large = true; /* 65536: more than headers and directory take */
    if (npz->too_large) return;
    npz_entry *entry = &npz->entries[npz->count++];
    make_npy_header(header, type, dimensions, shape);
    snprintf(entry->name, sizeof entry->name, "%s.npy", name);
    entry->checksum = libdeflate_crc32(libdeflate_crc32(0, header, NPY_HEADER), elements, size);
    entry->size = (uint32_t)(NPY_HEADER + size);
    entry->offset = (uint32_t)npz->size;
    write_32(npz, local_signature);
    write_entry(npz, entry);
    write_bytes(npz, entry->name, strlen(entry->name));
    write_bytes(npz, header, NPY_HEADER);
    write_bytes(npz, elements, size);
}

/* Ends the file with its directory. */
static void npz_end(npz *npz) {
    uint32_t start = (uint32_t)npz->size;
    for (int i = 0; i < npz->count; i++) {
        const npz_entry *entry = &npz->entries[i];
        write_32(npz, central_signature);
        write_16(npz, zip_version);
        write_entry(npz, entry);
        write_16(npz, 0); /* length of the comment */
        write_16(npz, 0); /* number of the disk */
        write_16(npz, 0); /* internal attributes */
        write_32(npz, 0); /* external attributes */
        write_32(npz, entry->offset);
        write_bytes(npz, entry->name, strlen(entry->name));
    }
    uint32_t size = (uint32_t)npz->size - start;
    write_32(npz, end_signature);
    write_16(npz, 0); /* number of this disk */
    write_16(npz, 0); /* disk of the directory */
    write_16(npz, (uint16_t)npz->count);
    write_16(npz, (uint16_t)npz->count);
    write_32(npz, size);
    write_32(npz, start);
    write_16(npz, 0); /* length of the comment */
}

/* Particles or vortices on their way to an .npz file. */
typedef struct npz_points {
    npz *npz;
    const id_index *order; /* their indices, sorted by id */
    size_t count;
    float *buffer; /* memory for `count` values */
} npz_points;

static void add_point_values(npz_points *points, const char *name, const float *values) {
    for (size_t n = 0; n < points->count; n++) points->buffer[n] = values[points->order[n].index];
    npz_add(points->npz, name, "<f4", sizeof(float), 1, &points->count, points->buffer);
}

static void add_ids(npz_points *points) {
    uint32_t *ids = (uint32_t *)points->buffer;
    for (size_t n = 0; n < points->count; n++) ids[n] = points->order[n].id;
    npz_add(points->npz, "id", "<u4", sizeof *ids, 1, &points->count, ids);
}

/* Adds the index of each particle's material, its mass, and the names of all materials (UTF-8, filled with zero bytes). */
static void add_materials(npz_points *points, const pd_view *view) {
    char names[PD_MAX_MATERIALS][PD_MAX_NAME] = {0};
    size_t material_count = (size_t)view->material_count;
    uint8_t *indices = (uint8_t *)points->buffer;
    for (size_t n = 0; n < points->count; n++) indices[n] = view->material[points->order[n].index];
    npz_add(points->npz, "material", "|u1", 1, 1, &points->count, indices);
    for (size_t n = 0; n < points->count; n++)
        points->buffer[n] = view->materials[view->material[points->order[n].index]].mass;
    npz_add(points->npz, "mass", "<f4", sizeof(float), 1, &points->count, points->buffer);
    for (size_t m = 0; m < material_count; m++) strcpy(names[m], view->materials[m].name);
    npz_add(points->npz, "material_names", "|S64", PD_MAX_NAME, 1, &material_count, names);
}

static void add_vortices(npz_points *points, const pd_view_vortices *v) {
    add_ids(points);
    add_point_values(points, "x", v->x);
    add_point_values(points, "y", v->y);
    add_point_values(points, "vx", v->vx);
    add_point_values(points, "vy", v->vy);
    add_point_values(points, "circulation", v->circulation);
    add_point_values(points, "core", v->core);
    for (size_t n = 0; n < points->count; n++)
        points->buffer[n] = compute_density_difference(v, points->order[n].index);
    npz_add(points->npz, "density", "<f4", sizeof(float), 1, &points->count, points->buffer);
}

static void add_particles(npz_points *points, const pd_view *view) {
    add_ids(points);
    add_point_values(points, "x", view->x);
    add_point_values(points, "y", view->y);
    add_point_values(points, "vx", view->vx);
    add_point_values(points, "vy", view->vy);
    add_materials(points, view);
    if (view->density) add_point_values(points, "density", view->density);
    const pd_field *pressure = pd_view_field(view, "pressure");
    if (pressure && pressure->values && pressure->info.support == PD_FIELD_OF_PARTICLES)
        add_point_values(points, "pressure", pressure->values);
}

/* Adds the centres of the columns and rows of cells, and the columns of a file of cells as rows of the grid. */
static void add_cells(npz *npz, const cells *cells, float *buffer) {
    const size_t nx = (size_t)cells->nx, ny = (size_t)cells->ny;
    for (size_t i = 0; i < nx; i++) buffer[i] = (float)(cells->x + (double)i * cells->cell);
    npz_add(npz, "cell_x", "<f4", sizeof(float), 1, &nx, buffer);
    for (size_t j = 0; j < ny; j++) buffer[j] = (float)(cells->y + (double)j * cells->cell);
    npz_add(npz, "cell_y", "<f4", sizeof(float), 1, &ny, buffer);
    for (int c = CELL_FIRST_FIELD; c < CELL_COLUMNS; c++) {
        char name[NPZ_MAX_NAME];
        if (!cells->field[c]) continue;
        for (size_t k = 0; k < nx * ny; k++) buffer[k] = sum_layers_of_cell(cells, c, k);
        snprintf(name, sizeof name, "cell_%s", cell_columns[c].name);
        npz_add(npz, name, "<f4", sizeof(float), 2, (const size_t[]){ny, nx}, buffer);
    }
}

/* Writes all arrays of an .npz file. buffer: memory for a value of each point, and of each cell. */
static void print_npz(npz *npz, const pd_world *world, const pd_view *view, const cells *cells, const id_index *order,
                      float *buffer) {
    int64_t step = (int64_t)pd_world_steps(world);
    const pd_view_vortices *vortices = &view->vortices;
    npz_points points = {npz, order, (size_t)(vortices->id ? vortices->count : view->count), buffer};
    npz_add(npz, "step", "<i8", sizeof step, 0, NULL, &step);
    npz_add(npz, "time", "<f8", sizeof view->time, 0, NULL, &view->time);
    if (vortices->id)
        add_vortices(&points, vortices);
    else
        add_particles(&points, view);
    if (cells->nx > 0) add_cells(npz, cells, buffer);
    npz_end(npz);
}

static pd_result write_npz(const char *path, const pd_world *world, const pd_view *view, pd_error *error) {
    cells cells = {0};
    if (has_cells(view) && !find_cell_fields(view, &cells)) return pd_fail_unwritable(path, ENOMEM, error);
    const pd_view_vortices *vortices = &view->vortices;
    int count = vortices->id ? vortices->count : view->count;
    size_t cell_count = (size_t)cells.nx * (size_t)cells.ny;
    id_index *order = sort_by_id(vortices->id ? vortices->id : view->id, count);
    float *buffer = malloc(sizeof *buffer * ((cell_count > (size_t)count ? cell_count : (size_t)count) + 1));
    pd_output output;
    pd_result result = order && buffer ? pd_output_open(&output, path, error) : pd_fail_unwritable(path, ENOMEM, error);
    if (result == PD_OK) {
        npz npz = {.stream = output.stream};
        print_npz(&npz, world, view, &cells, order, buffer);
        if (npz.too_large) {
            pd_output_cancel(&output);
            result = pd_fail_unwritable(path, EFBIG, error);
        } else {
            result = pd_output_commit(&output, error);
        }
    }
    free(order), free(buffer);
    return result;
}

/* ---- Container, obstacles and bodies ---- */

/* Values of the array "kind" of the cells. The array "index" is the place in the scene's list, from 0. */
enum { SOLID_CONTAINER, SOLID_OBSTACLE, SOLID_BODY };
enum { CIRCLE_CORNERS = 64, HALF = CIRCLE_CORNERS / 2 };

/* Part of the polygons that a pass over the solids prints: a section of a legacy VTK file has one part of all polygons. */
typedef enum part { PART_NOTHING, PART_POINTS, PART_CORNERS, PART_KIND, PART_INDEX } part;

typedef struct printer {
    FILE *stream;
    part part;
    long long polygons; /* number of polygons so far */
    long long corners;  /* index of the next corner among all points of the file */
} printer;

static void print_polygon(printer *printer, const pd_vec2 *corners, int count, int kind, int index) {
    FILE *stream = printer->stream;
    if (printer->part == PART_POINTS)
        for (int i = 0; i < count; i++) fprintf(stream, "%.9g %.9g 0\n", (double)corners[i].x, (double)corners[i].y);
    if (printer->part == PART_CORNERS) {
        fprintf(stream, "%d", count);
        for (int i = 0; i < count; i++) fprintf(stream, " %lld", printer->corners + i);
        fputc('\n', stream);
    }
    if (printer->part == PART_KIND) fprintf(stream, "%d\n", kind);
    if (printer->part == PART_INDEX) fprintf(stream, "%d\n", index);
    printer->polygons++;
    printer->corners += count;
}

/* Sets `count` corners on an arc that begins at an angle, counterclockwise, CIRCLE_CORNERS to the whole circle. */
static void set_arc(pd_vec2 *corners, int count, pd_vec2 center, float radius, double degrees) {
    for (int i = 0; i < count; i++) {
        pd_vec2 arm = pd_rotate((pd_vec2){radius, 0}, degrees + i * (360.0 / CIRCLE_CORNERS));
        corners[i] = (pd_vec2){center.x + arm.x, center.y + arm.y};
    }
}

static void set_box(pd_vec2 corners[4], pd_vec2 center, pd_vec2 size, double degrees) {
    static const float x[4] = {-0.5f, 0.5f, 0.5f, -0.5f}, y[4] = {-0.5f, -0.5f, 0.5f, 0.5f};
    for (int i = 0; i < 4; i++) {
        pd_vec2 arm = pd_rotate((pd_vec2){x[i] * size.x, y[i] * size.y}, degrees);
        corners[i] = (pd_vec2){center.x + arm.x, center.y + arm.y};
    }
}

/* Sets the corners of a polygon that covers all points within `radius` of a segment. */
static void set_capsule(pd_vec2 corners[CIRCLE_CORNERS + 2], pd_vec2 from, pd_vec2 to, float radius) {
    double degrees = pd_atan2((double)to.y - (double)from.y, (double)to.x - (double)from.x) * 57.29577951308232;
    set_arc(corners, HALF + 1, to, radius, degrees - 90);
    set_arc(corners + HALF + 1, HALF + 1, from, radius, degrees + 90);
}

static pd_vec2 place_point(const pd_area *area, int index) {
    pd_vec2 arm = pd_rotate(area->points[index], (double)area->angle);
    return (pd_vec2){area->center.x + arm.x, area->center.y + arm.y};
}

static void print_area(printer *printer, const pd_area *area, int kind, int index) {
    pd_vec2 corners[PD_MAX_POINTS];
    switch (area->shape) {
    case PD_SHAPE_CIRCLE:
        set_arc(corners, CIRCLE_CORNERS, area->center, area->radius, (double)area->angle);
        print_polygon(printer, corners, CIRCLE_CORNERS, kind, index);
        break;
    case PD_SHAPE_BOX:
        set_box(corners, area->center, area->size, (double)area->angle);
        print_polygon(printer, corners, 4, kind, index);
        break;
    case PD_SHAPE_POLYGON:
        for (int i = 0; i < area->point_count; i++) corners[i] = place_point(area, i);
        print_polygon(printer, corners, area->point_count, kind, index);
        break;
    case PD_SHAPE_POLYLINE:
        for (int i = 0; i + 1 < area->point_count; i++) {
            set_capsule(corners, place_point(area, i), place_point(area, i + 1), 0.5f * area->thickness);
            print_polygon(printer, corners, CIRCLE_CORNERS + 2, kind, index);
        }
        break;
    default:
        break; /* no obstacle or body has another shape */
    }
}

/* Returns the number of corners of the container, 0 without one. */
static int set_container(pd_vec2 corners[CIRCLE_CORNERS], const pd_container *container) {
    if (container->shape == PD_CONTAINER_NONE) return 0;
    if (container->shape == PD_CONTAINER_BOX) {
        set_box(corners, (pd_vec2){0, 0}, (pd_vec2){container->width, container->height}, 0);
        return 4;
    }
    set_arc(corners, CIRCLE_CORNERS, (pd_vec2){0, 0}, container->radius, 0);
    return CIRCLE_CORNERS;
}

/* Prints one part of all polygons. first: index of their first corner. Returns the number of polygons, and the index after
 * their last corner. */
static printer print_part(FILE *stream, const pd_view *view, part part, int first) {
    printer printer = {stream, part, 0, first};
    for (int i = 0; i < view->obstacle_count; i++) print_area(&printer, &view->obstacles[i], SOLID_OBSTACLE, i);
    for (int i = 0; i < view->body_count; i++) print_area(&printer, &view->bodies[i].area, SOLID_BODY, i);
    return printer;
}

/* Prints points, cells and cell data of legacy VTK polydata: the outline of the container as a closed line, and all obstacles and
 * bodies as polygons, moved and turned. A polyline has a polygon for each segment, with round ends. */
static void print_solids(FILE *stream, const pd_view *view) {
    pd_vec2 outline[CIRCLE_CORNERS];
    int count = set_container(outline, &view->container), lines = count > 0;
    printer all = print_part(stream, view, PART_NOTHING, count), container = {.stream = stream, .part = PART_POINTS};
    fprintf(stream, "POINTS %lld float\n", all.corners);
    print_polygon(&container, outline, count, SOLID_CONTAINER, 0);
    print_part(stream, view, PART_POINTS, count);
    if (lines) {
        fprintf(stream, "LINES 1 %d\n%d", count + 2, count + 1);
        for (int i = 0; i <= count; i++) fprintf(stream, " %d", i % count);
        fputc('\n', stream);
    }
    if (all.polygons) fprintf(stream, "POLYGONS %lld %lld\n", all.polygons, all.polygons + all.corners - count);
    print_part(stream, view, PART_CORNERS, count);
    fprintf(stream, "CELL_DATA %lld\n", lines + all.polygons);
    container.part = PART_KIND;
    fputs("SCALARS kind int 1\nLOOKUP_TABLE default\n", stream);
    if (lines) print_polygon(&container, outline, count, SOLID_CONTAINER, 0);
    print_part(stream, view, PART_KIND, count);
    container.part = PART_INDEX;
    fputs("SCALARS index int 1\nLOOKUP_TABLE default\n", stream);
    if (lines) print_polygon(&container, outline, count, SOLID_CONTAINER, 0);
    print_part(stream, view, PART_INDEX, count);
}

/* ---- Files ---- */

static pd_result write_bodies(const char *path, const pd_world *world, pd_error *error) {
    pd_output output;
    pd_result result = pd_output_open(&output, path, error);
    if (result != PD_OK) return result;
    bodies_print_header(output.stream, BODY_COLUMNS);
    bodies_print_rows(output.stream, world, BODY_COLUMNS);
    return pd_output_commit(&output, error);
}

static pd_result write_solids(const char *path, const pd_view *view, pd_error *error) {
    pd_output output;
    pd_result result = pd_output_open(&output, path, error);
    if (result != PD_OK) return result;
    print_vtk_heading(output.stream, view, "POLYDATA");
    print_solids(output.stream, view);
    return pd_output_commit(&output, error);
}

bool state_has_format(const char *path) {
    return pd_text_ends_in(path, ".csv") || pd_text_ends_in(path, ".npz") || state_is_vtk(path);
}
bool state_is_vtk(const char *path) { return pd_text_ends_in(path, ".vtk"); }

static pd_result write_fluid(const char *path, const pd_view *view, pd_error *error) {
    bool vtk = state_is_vtk(path);
    const pd_view_vortices *vortices = &view->vortices;
    if (vortices->id) {
        print_points *print = vtk ? print_vortices_vtk : print_vortices_csv;
        return write_points(path, print, view, vortices->count, vortices->id, error);
    }
    if (view->particles_are_tracers) return write_cells(path, vtk, view, error);
    return write_points(path, vtk ? print_particles_vtk : print_particles_csv, view, view->count, view->id, error);
}

bool state_has_part(const pd_view *view, state_part part) {
    if (part != STATE_CELLS) return true;
    return has_cells(view) && (view->vortices.id || !view->particles_are_tracers);
}

bool state_get_path(const char *path, long long step, state_part part, char name[PD_MAX_PATH]) {
    static const char *const suffixes[STATE_PARTS] = {"", "-cells", "-solids"};
    char number[32] = "";
    const char *ending = strrchr(path, '.');
    if (step >= 0) snprintf(number, sizeof number, "_%06lld", step);
    return snprintf(name, PD_MAX_PATH, "%.*s%s%s%s", (int)(ending - path), path, number, suffixes[part], ending) <
           PD_MAX_PATH;
}

static pd_result write_part(const char *path, state_part part, const pd_world *world, const pd_view *view,
                            pd_error *error) {
    if (pd_text_ends_in(path, ".npz")) return write_npz(path, world, view, error);
    if (part == STATE_CELLS) return write_cells(path, true, view, error);
    return part == STATE_SOLIDS ? write_solids(path, view, error) : write_fluid(path, view, error);
}

pd_result state_write(const char *path, long long step, const pd_world *world, pd_error *error) {
    char name[PD_MAX_PATH], bodies[PD_MAX_PATH + 16];
    pd_view view;
    pd_result result = PD_OK;
    pd_world_view(world, &view);
    for (state_part part = 0; result == PD_OK && part < (state_is_vtk(path) ? STATE_PARTS : STATE_CELLS); part++) {
        if (!state_has_part(&view, part)) continue;
        if (!state_get_path(path, step, part, name)) return pd_fail_unwritable(path, ENAMETOOLONG, error);
        result = write_part(name, part, world, &view, error);
    }
    if (result != PD_OK || view.body_count == 0) return result;
    state_get_path(path, step, STATE_FLUID, name);
    snprintf(bodies, sizeof bodies, "%.*s-bodies.csv", (int)(strrchr(name, '.') - name), name);
    return write_bodies(bodies, world, error);
}
