/* Extrapolation of the fluid's velocities and cell values into walls. A band lists the closed faces (open fraction 0)
 * or solid cells near the fluid. */
#include "mac/extrapolate.h"

#include "core/memory.h"

#include <math.h>
#include <string.h>

enum { NEIGHBOURS = 8, SIDES = 4, OPEN = 1 };

/* Offsets of an element's neighbours: the four at the sides, then the four at the corners. */
static const int step_x[NEIGHBOURS] = {-1, 1, 0, 0, -1, 1, -1, 1}, step_y[NEIGHBOURS] = {0, 0, -1, 1, -1, -1, 1, 1};

void pd_band_free(pd_band *band) {
    pd_free(band->items);
    *band = (pd_band){0};
}

static bool append_band_item(pd_band *band, pd_band_item item) {
    if (band->count == band->capacity) {
        int capacity = band->capacity * 2 + 1024;
        pd_band_item *items = pd_allocate((size_t)capacity, sizeof *items);
        if (!items) return false;
        if (band->count > 0) memcpy(items, band->items, (size_t)band->count * sizeof *items);
        pd_free(band->items);
        band->items = items;
        band->capacity = capacity;
    }
    band->items[band->count++] = item;
    return true;
}

/* Returns the mean of the values at the neighbours of element `at` whose bits are set in `sources` (pd_band_item). */
static float mean_of_values_at_sources(const float *values, size_t at, unsigned sources, int stride) {
    float sum = 0;
    int count = 0;
    for (int k = 0; k < NEIGHBOURS; k++) {
        if (!(sources >> k & 1)) continue;
        sum += values[(ptrdiff_t)at + (ptrdiff_t)step_y[k] * stride + step_x[k]];
        count++;
    }
    return count > 0 ? sum / (float)count : 0;
}

/* Returns the value of pd_band_item.sources for element (i, j): a mask of its neighbours in layers before `layer`.
 * Neighbours at corners are included only if no neighbour at a side is in one of these layers. */
static unsigned find_source_neighbours(const uint8_t *known, const pd_layout *l, int i, int j, int layer) {
    unsigned sources = 0;
    for (int k = 0; k < NEIGHBOURS; k++) {
        if (k == SIDES && sources) break;
        int column = i + step_x[k], row = j + step_y[k];
        if (column < -1 || column > l->nx || row < -1 || row > l->ny) continue;
        uint8_t other = known[pd_element_index(l, column, row)];
        if (other > 0 && other <= layer) sources |= 1u << k;
    }
    return sources;
}

/* Sets known[k] to OPEN for elements with an open fraction above 0 in the columns [0, nx + extra_columns) and the rows
 * [0, ny + extra_rows), and to 0 for all others. */
static void mark_open_elements(const float *open, const pd_layout *l, int extra_columns, int extra_rows,
                               uint8_t *known) {
    const int columns = l->nx + extra_columns, rows = l->ny + extra_rows;
    memset(known, 0, l->count);
    for (int j = 0; j < rows; j++) {
        const float *restrict from = open + pd_element_index(l, 0, j);
        uint8_t *restrict to = known + pd_element_index(l, 0, j);
        for (int i = 0; i < columns; i++) to[i] = from[i] > 0 ? OPEN : 0;
    }
}

static bool list_closed_elements(const pd_layout *l, int layers, uint8_t *known, pd_band *band) {
    band->count = 0;
    band->stride = l->stride;
    bool whole = true;
    for (int layer = 1; layer <= layers; layer++) {
        for (int j = -1; j <= l->ny; j++) {
            const uint8_t *row = known + pd_element_index(l, 0, j);
            for (int i = -1; i <= l->nx; i++) {
                const uint8_t *unknown = memchr(row + i, 0, (size_t)(l->nx + 1 - i));
                if (!unknown) break;
                i = (int)(unknown - row);
                unsigned sources = find_source_neighbours(known, l, i, j, layer);
                if (!sources) continue;
                size_t at = pd_element_index(l, i, j);
                known[at] = (uint8_t)(layer + 1);
                if (!append_band_item(band, (pd_band_item){.at = (uint32_t)at, .sources = (uint8_t)sources}))
                    whole = false;
            }
        }
    }
    return whole;
}

/* Computes `normal` and `across` of the band's faces from the gradient of the open fractions of the cells around.
 * along, across: index differences of two neighbouring cells normal to a face, and parallel to a face. */
static void compute_wall_normals(const pd_mac *mac, pd_band *band, ptrdiff_t along, ptrdiff_t across) {
    ptrdiff_t last = (ptrdiff_t)(mac->layout.count - PD_LAYOUT_PADDING);
    for (int k = 0; k < band->count; k++) {
        pd_band_item *item = &band->items[k];
        ptrdiff_t at = item->at;
        item->normal = item->across = 0;
        if (at - along - across < 0 || at + along + across >= last) continue;
        const float *b = mac->open + at, *a = b - along; /* open fractions of the cells behind and before the face */
        float normal = 2 * (b[0] - a[0]) + (b[across] - a[across]) + (b[-across] - a[-across]);
        float tangent = (b[across] + a[across]) - (b[-across] + a[-across]);
        float length = sqrtf(normal * normal + tangent * tangent);
        if (!(length > 0)) continue;
        item->normal = normal / length;
        item->across = tangent / length;
    }
}

bool pd_band_list_closed_elements(const pd_mac *mac, int layers, uint8_t *known, pd_band *band_x, pd_band *band_y,
                                  pd_band *band_cells) {
    const pd_layout *l = &mac->layout;
    bool whole = true;
    mark_open_elements(mac->open_x, l, 1, 0, known);
    whole &= list_closed_elements(l, layers, known, band_x);
    compute_wall_normals(mac, band_x, 1, l->stride);
    mark_open_elements(mac->open_y, l, 0, 1, known);
    whole &= list_closed_elements(l, layers, known, band_y);
    compute_wall_normals(mac, band_y, l->stride, 1);
    mark_open_elements(mac->open, l, 0, 0, known);
    whole &= list_closed_elements(l, layers, known, band_cells);
    return whole;
}

void pd_band_extrapolate(const pd_band *band, float *values) {
    for (int k = 0; k < band->count; k++) {
        const pd_band_item *item = &band->items[k];
        values[item->at] = mean_of_values_at_sources(values, item->at, item->sources, band->stride);
    }
}

/* Returns true if the container's wall at `side` is no-slip. *wall_speed: velocity of this wall parallel to itself,
 * m/s. */
static bool is_side_no_slip(const pd_mac *mac, int side, float *wall_speed) {
    float velocity = mac->sides[side].velocity;
    *wall_speed = isnan(velocity) ? 0 : velocity;
    return !mac->sides[side].outflow && (!mac->slip || !isnan(velocity));
}

/* Returns the side of the container (PD_WALL_LEFT, ...) beyond which face `at` is a ghost face with a velocity
 * parallel to this side. Returns -1 for all other faces. vertical: the face stores a y velocity. */
static int find_container_side_of_ghost_face(const pd_layout *l, size_t at, bool vertical) {
    int j = (int)(at / (size_t)l->stride) - 1, i = (int)(at % (size_t)l->stride) - 1;
    if (!vertical && (j == -1 || j == l->ny)) return j == -1 ? PD_WALL_BOTTOM : PD_WALL_TOP;
    if (vertical && (i == -1 || i == l->nx)) return i == -1 ? PD_WALL_LEFT : PD_WALL_RIGHT;
    return -1;
}

/* Returns the velocity parallel to face `at`, m/s: the mean of the velocities at the four perpendicular faces around
 * this face. */
static float mean_tangential_velocity(const float *tangential_velocities, size_t at, ptrdiff_t along,
                                      ptrdiff_t across) {
    const float *o = tangential_velocities + at;
    return 0.25f * ((o[0] + o[-along]) + (o[across] + o[across - along]));
}

/* Computes `value` of the band's faces from the walls' velocities. own: velocity component that the faces store; other:
 * the other component; wall, other_wall: the same components of the wall's velocity. */
static void compute_wall_velocities(const pd_mac *mac, pd_band *band, bool vertical) {
    const pd_layout *l = &mac->layout;
    const float *own = vertical ? mac->v : mac->u, *other = vertical ? mac->u : mac->v;
    const float *wall = vertical ? mac->wall_y : mac->wall_x, *other_wall = vertical ? mac->wall_x : mac->wall_y;
    ptrdiff_t along = vertical ? l->stride : 1, across = vertical ? 1 : l->stride;
    for (int k = 0; k < band->count; k++) {
        pd_band_item *item = &band->items[k];
        size_t at = item->at;
        int side = find_container_side_of_ghost_face(l, at, vertical);
        float speed = 0;
        item->value = own[at];
        if (side >= 0 && is_side_no_slip(mac, side, &speed)) {
            /* The mean of the velocities at the ghost face and at the first face inside is the wall's velocity. */
            ptrdiff_t inwards = (side == PD_WALL_BOTTOM || side == PD_WALL_LEFT ? 1 : -1) * across;
            item->value = 2 * speed - own[(ptrdiff_t)at + inwards];
        } else if (side < 0 && !mac->slip) {
            item->value = wall[at];
        } else if (side < 0 && item->normal != 0) {
            float towards = (own[at] - wall[at]) * item->normal;
            towards += (mean_tangential_velocity(other, at, along, across) -
                        mean_tangential_velocity(other_wall, at, along, across)) *
                       item->across;
            item->value = own[at] - towards * item->normal;
        }
    }
}

void pd_band_set_wall_velocities(pd_mac *mac, pd_band *band_x, pd_band *band_y) {
    compute_wall_velocities(mac, band_x, false);
    compute_wall_velocities(mac, band_y, true);
    for (int k = 0; k < band_x->count; k++) mac->u[band_x->items[k].at] = band_x->items[k].value;
    for (int k = 0; k < band_y->count; k++) mac->v[band_y->items[k].at] = band_y->items[k].value;
}
