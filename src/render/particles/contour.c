/* Marching squares with several labels.
 *
 * A cell whose corners have n changes of label along its sides is divided as follows.
 *
 *     n = 0    the whole cell
 *     n = 2    a chord between both crossings
 *     n = 3    three lines from the crossings to a middle vertex
 *     n = 4    if opposite corners have the same label, they are connected, and two chords cut off the others; if both pairs
 *              have the same label, the field in the middle decides which; without such a pair, four lines to a middle vertex
 *
 * Lorensen and Cline, Marching cubes, 1987; the middle vertex as in Hege et al., A generalized marching cubes algorithm
 * based on non-binary classifications, 1997. */
#include "render/particles/contour.h"

#include "core/array.h"
#include "core/error.h"
#include "core/memory.h"
#include "render/particles/surface_field.h"
#include <math.h>
#include <string.h>

/* Label of a node without fluid. Other labels are indices in pd_surface_field.material. */
enum { NONE = 256 };
/* Bits of pd_contour.kinds: sides of the grid on which a vertex lies, and whether a vertex is a node. */
enum { LEFT = 1, RIGHT = 2, LOW = 4, HIGH = 8, SIDES = LEFT | RIGHT | LOW | HIGH, NODE = 16 };
/* Crossings have at least this distance from a node, in units of the step, so that no face is degenerate. */
static const float least_part = 1e-3f;

/* Contour under construction. Indices of vertices are stored plus 1; 0: not yet created. */
typedef struct builder {
    const pd_surface_field *field;
    pd_contour *contour;
    uint16_t *labels;   /* by node, columns x rows */
    int *nodes;         /* by node: its vertex */
    int *right, *above; /* by node: vertices on the lines to the next node of the row and of the column */
    bool out_of_memory;
} builder;

/* Corner or crossing on the perimeter of a cell. */
typedef struct perimeter_point {
    int vertex; /* index of the vertex; -1: a node without fluid, which is no vertex */
    int label;  /* label of a node; that of the next node for a crossing */
    bool is_node;
} perimeter_point;

/* A cell: its nodes and crossings, counterclockwise from the lower left node. */
typedef struct cell {
    int column, row;
    perimeter_point points[8];
    int count, crossings; /* number of points, and of crossings among them */
} cell;

static size_t node_index(const builder *builder, int column, int row) {
    return (size_t)row * (size_t)builder->field->columns + (size_t)column;
}

static float get_amount(const builder *builder, int label, int column, int row) {
    const pd_surface_field *field = builder->field;
    return field->amounts[(size_t)label * field->size + pd_surface_field_index(field, column, row)];
}

static float get_total(const builder *builder, int column, int row) {
    return builder->field->total[pd_surface_field_index(builder->field, column, row)];
}

/* Returns the distance of a node to the wall of a circle, positive inside. The walls of a box are sides of the grid. */
static float find_depth(const builder *builder, int column, int row) {
    const pd_surface_field *field = builder->field;
    if (field->container.shape != PD_CONTAINER_CIRCLE) return INFINITY;
    pd_vec2 place = pd_surface_field_position(field, column, row);
    return field->container.radius - hypotf(place.x, place.y);
}

static void label_nodes(builder *builder) {
    const pd_surface_field *field = builder->field;
    for (int j = 0; j < field->rows; j++)
        for (int i = 0; i < field->columns; i++) {
            int label = 0;
            for (int m = 1; m < field->material_count; m++)
                if (get_amount(builder, m, i, j) > get_amount(builder, label, i, j)) label = m;
            bool fluid = get_total(builder, i, j) >= field->threshold && find_depth(builder, i, j) > 0;
            builder->labels[node_index(builder, i, j)] = (uint16_t)(fluid ? label : NONE);
        }
}

/* Adds a vertex. Returns its index, or 0 if memory runs out. */
static int add_vertex(builder *builder, pd_vec2 position, int kind) {
    pd_contour *contour = builder->contour;
    int count = contour->vertex_count;
    if (!PD_ARRAY_RESERVE(contour->vertices, contour->vertex_capacity, count, count + 1) ||
        !PD_ARRAY_RESERVE(contour->kinds, contour->kind_capacity, count, count + 1)) {
        builder->out_of_memory = true;
        return 0;
    }
    contour->vertices[count] = position;
    contour->kinds[count] = (uint8_t)kind;
    return contour->vertex_count++;
}

static int find_sides(const builder *builder, int column, int row) {
    return (column == 0 ? LEFT : 0) | (column + 1 == builder->field->columns ? RIGHT : 0) | (row == 0 ? LOW : 0) |
           (row + 1 == builder->field->rows ? HIGH : 0);
}

static int find_node_vertex(builder *builder, int column, int row) {
    int *stored = &builder->nodes[node_index(builder, column, row)];
    if (!*stored)
        *stored = add_vertex(builder, pd_surface_field_position(builder->field, column, row),
                             find_sides(builder, column, row) | NODE) +
                  1;
    return *stored - 1;
}

/* Returns where a quantity that is linear between two nodes is 0, as a part of the way. from: its value at the first node, at
 * least 0; to: at the second. */
static float find_zero(float from, float to) { return to < 0 ? from / (from - to) : 1; }

/* Returns the position of the crossing between two neighbouring nodes of different labels, as a part of the way from the first
 * one. */
static float find_crossing(const builder *builder, int column, int row, int next_column, int next_row) {
    int first = builder->labels[node_index(builder, column, row)];
    int second = builder->labels[node_index(builder, next_column, next_row)];
    if (first == NONE) return 1 - find_crossing(builder, next_column, next_row, column, row);
    float fraction;
    if (second == NONE) {
        float threshold = builder->field->threshold;
        fraction = find_zero(get_total(builder, column, row) - threshold,
                             get_total(builder, next_column, next_row) - threshold);
        float depth = find_depth(builder, column, row);
        if (isfinite(depth)) fraction = fminf(fraction, find_zero(depth, find_depth(builder, next_column, next_row)));
    } else {
        float from = get_amount(builder, first, column, row) - get_amount(builder, second, column, row);
        float to =
            get_amount(builder, first, next_column, next_row) - get_amount(builder, second, next_column, next_row);
        fraction = from - to > 0 ? find_zero(from, to) : 0.5f;
    }
    return fminf(fmaxf(fraction, least_part), 1 - least_part);
}

/* Returns the vertex between two neighbouring nodes of different labels. The first node is to the left of or below the other. */
static int find_crossing_vertex(builder *builder, int column, int row, bool upwards) {
    int *stored = &(upwards ? builder->above : builder->right)[node_index(builder, column, row)];
    if (!*stored) {
        int next_column = column + !upwards, next_row = row + upwards;
        float fraction = find_crossing(builder, column, row, next_column, next_row);
        pd_vec2 position = pd_surface_field_position(builder->field, column, row);
        if (upwards)
            position.y += fraction * builder->field->step_y;
        else
            position.x += fraction * builder->field->step_x;
        int sides = find_sides(builder, column, row) & find_sides(builder, next_column, next_row);
        *stored = add_vertex(builder, position, sides) + 1;
    }
    return *stored - 1;
}

static cell walk_around_cell(builder *builder, int column, int row) {
    static const int columns[] = {0, 1, 1, 0}, rows[] = {0, 0, 1, 1};
    /* by side: offset of its lower or left node, and whether it goes upwards */
    static const int side_columns[] = {0, 1, 0, 0}, side_rows[] = {0, 0, 1, 0}, upwards[] = {0, 1, 0, 1};
    cell cell = {.column = column, .row = row};
    for (int k = 0; k < 4; k++) {
        int next = (k + 1) & 3;
        int label = builder->labels[node_index(builder, column + columns[k], row + rows[k])];
        int following = builder->labels[node_index(builder, column + columns[next], row + rows[next])];
        int vertex = label == NONE ? -1 : find_node_vertex(builder, column + columns[k], row + rows[k]);
        cell.points[cell.count++] = (perimeter_point){vertex, label, true};
        if (label == following) continue;
        vertex = find_crossing_vertex(builder, column + side_columns[k], row + side_rows[k], upwards[k]);
        cell.points[cell.count++] = (perimeter_point){vertex, following, false};
        cell.crossings++;
    }
    return cell;
}

static void add_face(builder *builder, const int *corners, int count, int label) {
    pd_contour *contour = builder->contour;
    if (!PD_ARRAY_RESERVE(contour->faces, contour->face_capacity, contour->face_count, contour->face_count + 1) ||
        !PD_ARRAY_RESERVE(contour->corners, contour->corner_capacity, contour->corner_count,
                          contour->corner_count + count)) {
        builder->out_of_memory = true;
        return;
    }
    contour->faces[contour->face_count++] =
        (pd_contour_face){contour->corner_count, (uint8_t)count, builder->field->material[label]};
    memcpy(&contour->corners[contour->corner_count], corners, (size_t)count * sizeof *corners);
    contour->corner_count += count;
}

/* Returns the label that two opposite corners of a cell with four crossings have, and that connects them. NONE is such a label
 * too. Returns -1 if all four labels differ. */
static int find_connected_label(const builder *builder, const cell *cell) {
    int labels[4];
    for (int k = 0; k < 4; k++) labels[k] = cell->points[2 * k].label;
    bool rising = labels[0] == labels[2], falling = labels[1] == labels[3];
    if (!rising || !falling) return rising ? labels[0] : falling ? labels[1] : -1;
    float first = 0, second = 0, total = 0;
    for (int k = 0; k < 4; k++) {
        int column = cell->column + (k & 1), row = cell->row + (k >> 1);
        total += 0.25f * get_total(builder, column, row);
        if (labels[0] != NONE) first += get_amount(builder, labels[0], column, row);
        if (labels[1] != NONE) second += get_amount(builder, labels[1], column, row);
    }
    bool fluid = total >= builder->field->threshold;
    if (labels[0] == NONE) return fluid ? labels[1] : NONE;
    if (labels[1] == NONE) return fluid ? labels[0] : NONE;
    return first >= second ? labels[0] : labels[1];
}

/* Adds the polygon of all points of the cell but the corners of other labels. */
static void add_connected_face(builder *builder, const cell *cell, int label) {
    int corners[8], count = 0;
    for (int k = 0; k < cell->count; k++)
        if (!cell->points[k].is_node || cell->points[k].label == label) corners[count++] = cell->points[k].vertex;
    add_face(builder, corners, count, label);
}

/* Returns a vertex inside the cell where three or four labels meet. At the surface of the fluid it is the middle of the surface
 * in this cell, otherwise the mean of the crossings. */
static int add_middle_vertex(builder *builder, const cell *cell) {
    pd_vec2 mean = {0, 0}, surface = {0, 0};
    int ends = 0;
    for (int k = 0; k < cell->count; k++) {
        const perimeter_point *point = &cell->points[k], *before = &cell->points[(k + cell->count - 1) % cell->count];
        if (point->is_node) continue;
        pd_vec2 position = builder->contour->vertices[point->vertex];
        mean = (pd_vec2){mean.x + position.x / (float)cell->crossings, mean.y + position.y / (float)cell->crossings};
        if (point->label != NONE && before->label != NONE) continue;
        surface = (pd_vec2){surface.x + 0.5f * position.x, surface.y + 0.5f * position.y};
        ends++;
    }
    return add_vertex(builder, ends == 2 ? surface : mean, 0);
}

/* Adds the part of a cell from a crossing to the next one. first: index of the first crossing. middle: vertex to which the part
 * extends, as triangles, since it may be concave there; -1: none. */
static void add_part(builder *builder, const cell *cell, int first, int middle) {
    int corners[8], count = 0, label = cell->points[first].label;
    do {
        corners[count] = cell->points[(first + count) % cell->count].vertex;
        count++;
    } while (cell->points[(first + count) % cell->count].is_node);
    corners[count] = cell->points[(first + count) % cell->count].vertex;
    count++;
    if (middle < 0) {
        add_face(builder, corners, count, label);
        return;
    }
    for (int k = 0; k + 1 < count; k++) add_face(builder, (const int[]){middle, corners[k], corners[k + 1]}, 3, label);
}

static void add_faces_of_cell(builder *builder, const cell *cell) {
    int connected = cell->crossings == 4 ? find_connected_label(builder, cell) : -1;
    if (!cell->crossings) {
        connected = cell->points[0].label;
        if (connected != NONE) add_connected_face(builder, cell, connected);
        return;
    }
    if (connected >= 0 && connected != NONE) add_connected_face(builder, cell, connected);
    int middle = cell->crossings > 2 && connected < 0 ? add_middle_vertex(builder, cell) : -1;
    for (int k = 0; k < cell->count && !builder->out_of_memory; k++) {
        const perimeter_point *point = &cell->points[k];
        if (!point->is_node && point->label != NONE && point->label != connected) add_part(builder, cell, k, middle);
    }
}

static bool has_fluid(const builder *builder, int column, int row) {
    const uint16_t *low = &builder->labels[node_index(builder, column, row)], *high = low + builder->field->columns;
    return low[0] != NONE || low[1] != NONE || high[0] != NONE || high[1] != NONE;
}

static void add_all_faces(builder *builder) {
    for (int j = 0; j + 1 < builder->field->rows; j++)
        for (int i = 0; i + 1 < builder->field->columns; i++) {
            if (!has_fluid(builder, i, j)) continue;
            cell cell = walk_around_cell(builder, i, j);
            if (builder->out_of_memory) return;
            add_faces_of_cell(builder, &cell);
            if (builder->out_of_memory) return;
        }
}

static bool build(builder *builder) {
    size_t count = (size_t)builder->field->columns * (size_t)builder->field->rows;
    builder->labels = pd_memory_new_zeroed(count, sizeof *builder->labels);
    builder->nodes = pd_memory_new_zeroed(3 * count, sizeof(int));
    bool complete = builder->labels && builder->nodes;
    if (complete) {
        builder->right = builder->nodes + count;
        builder->above = builder->right + count;
        label_nodes(builder);
        add_all_faces(builder);
        complete = !builder->out_of_memory;
    }
    pd_memory_free(builder->labels);
    pd_memory_free(builder->nodes);
    return complete;
}

pd_result pd_contour_create(pd_contour *contour, const pd_view *view, float alpha, pd_error *error) {
    pd_surface_field field;
    *contour = (pd_contour){0};
    pd_result result = pd_surface_field_create(&field, view, alpha, error);
    if (result) return result;
    builder builder = {.field = &field, .contour = contour};
    bool complete = !field.material_count || build(&builder);
    pd_surface_field_free(&field);
    if (complete) return PD_OK;
    pd_contour_free(contour);
    return pd_fail(error, PD_ERROR_OUT_OF_MEMORY,
                   "cannot find the surface of the fluid: not enough memory (use fewer particles)");
}

void pd_contour_free(pd_contour *contour) {
    pd_free(contour->vertices);
    pd_free(contour->kinds);
    pd_free(contour->corners);
    pd_free(contour->faces);
    *contour = (pd_contour){0};
}

/* Returns whether an edge of a face belongs to the outline. All other edges are shared by two faces of the same material: they
 * lie on a line of the grid inside it, or end at a node. */
static bool is_outline(const pd_contour *contour, int from, int to) {
    int both = contour->kinds[from] & contour->kinds[to];
    return both & SIDES || !((contour->kinds[from] | contour->kinds[to]) & NODE);
}

void pd_contour_find_outlines(const pd_contour *contour, int material, int *next) {
    for (int i = 0; i < contour->vertex_count; i++) next[i] = -1;
    for (int f = 0; f < contour->face_count; f++) {
        const pd_contour_face *face = &contour->faces[f];
        const int *corners = &contour->corners[face->first];
        for (int k = 0; face->material == material && k < face->count; k++) {
            int from = corners[k], to = corners[(k + 1) % face->count];
            if (is_outline(contour, from, to)) next[from] = to;
        }
    }
}
