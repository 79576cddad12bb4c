#include "mac/mac.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/simd.h"
#include "mac/mac_levels.h"
#include "mac/poisson/poisson.h"
#include <math.h>
#include <string.h>

/* ---- Bands ----
 *
 * Extrapolation of velocities and dyes into walls and air, a few cells deep. Interpolation near a wall or a surface
 * then sees values of the fluid (Bridson, "Fluid Simulation for Computer Graphics", 2nd ed., section 4.1). */

/* Closed face (open fraction 0) or solid cell. Extrapolation sets its value to the mean of the neighbours in
 * `sources`. */
typedef struct band_item {
    uint32_t at;     /* index of the face or cell in the arrays of the grid */
    uint8_t sources; /* bit k: neighbour k (offset_x, offset_y) is in an earlier layer */
    float normal;    /* faces only: component of the wall's unit normal along the velocity that the face stores */
    float value;     /* faces only: velocity that pd_mac_extrapolate_velocities sets, m/s */
    float across;    /* faces only: component of the wall's unit normal parallel to the face */
} band_item;

/* Band: the closed faces or solid cells of one array that are near open faces or fluid cells. They are listed layer
 * by layer. Layer 1 touches open faces or fluid cells. */
typedef struct face_band {
    band_item *items;    /* closed faces or solid cells, in the order of the layers */
    int count, capacity; /* number of items, and number for which memory is allocated */
    int stride;          /* distance of two rows of the array, floats */
} face_band;

enum { NEIGHBOURS = 8, SIDES = 4, OPEN = 1 };

/* Offsets of an element's neighbours: the four at the sides, then the four at the corners. */
static const int offset_x[NEIGHBOURS] = {-1, 1, 0, 0, -1, 1, -1, 1}, offset_y[NEIGHBOURS] = {0, 0, -1, 1, -1, -1, 1, 1};

static void band_free(face_band *band) {
    pd_free(band->items);
    *band = (face_band){0};
}

static bool append_band_item(face_band *band, band_item item) {
    if (band->count == band->capacity) {
        int capacity = band->capacity * 2 + 1024;
        band_item *items = pd_allocate((size_t)capacity, sizeof *items);
        if (!items) return false;
        if (band->count > 0) memcpy(items, band->items, (size_t)band->count * sizeof *items);
        pd_free(band->items);
        band->items = items;
        band->capacity = capacity;
    }
    band->items[band->count++] = item;
    return true;
}

/* Returns the mean of the values at the neighbours of element `at` whose bits are set in `sources` (band_item). */
static float mean_of_values_at_sources(const float *values, size_t at, unsigned sources, int stride) {
    float sum = 0;
    int count = 0;
    for (int k = 0; k < NEIGHBOURS; k++) {
        if (!(sources >> k & 1)) continue;
        sum += values[(ptrdiff_t)at + (ptrdiff_t)offset_y[k] * stride + offset_x[k]];
        count++;
    }
    return count > 0 ? sum / (float)count : 0;
}

/* Returns the value of band_item.sources for element (i, j): a mask of its neighbours in layers before `layer`.
 * Neighbours at corners are included only if no neighbour at a side is in one of these layers. */
static unsigned find_source_neighbours(const uint8_t *known, const pd_layout *l, int i, int j, int layer) {
    unsigned sources = 0;
    for (int k = 0; k < NEIGHBOURS; k++) {
        if (k == SIDES && sources) break;
        int column = i + offset_x[k], row = j + offset_y[k];
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

static bool list_closed_elements(const pd_layout *l, int layers, uint8_t *known, face_band *band) {
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
                if (!append_band_item(band, (band_item){.at = (uint32_t)at, .sources = (uint8_t)sources}))
                    whole = false;
            }
        }
    }
    return whole;
}

/* Computes `normal` and `across` of the band's faces from the gradient of the open fractions of the cells around.
 * along, across: index differences of two neighbouring cells normal to a face, and parallel to a face. */
static void compute_wall_normals(const pd_mac *mac, face_band *band, ptrdiff_t along, ptrdiff_t across) {
    ptrdiff_t last = (ptrdiff_t)(mac->layout.count - PD_LAYOUT_PADDING);
    for (int k = 0; k < band->count; k++) {
        band_item *item = &band->items[k];
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

/* Lists the closed faces and solid cells at most `layers` elements away from open faces or fluid cells. known:
 * working memory, one byte for each element. Returns false if memory is missing; some faces or cells are then not
 * listed. */
static bool band_list_closed_elements(const pd_mac *mac, int layers, uint8_t *known, face_band *band_x,
                                      face_band *band_y, face_band *band_cells) {
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

/* Sets the value at each item of a band to the mean of the values at its `sources`, layer by layer. */
static void band_extrapolate(const face_band *band, float *values) {
    for (int k = 0; k < band->count; k++) {
        const band_item *item = &band->items[k];
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
static void compute_wall_velocities(const pd_mac *mac, face_band *band, bool vertical) {
    const pd_layout *l = &mac->layout;
    const float *own = vertical ? mac->v : mac->u, *other = vertical ? mac->u : mac->v;
    const float *wall = vertical ? mac->wall_v : mac->wall_u, *other_wall = vertical ? mac->wall_u : mac->wall_v;
    ptrdiff_t along = vertical ? l->stride : 1, across = vertical ? 1 : l->stride;
    for (int k = 0; k < band->count; k++) {
        band_item *item = &band->items[k];
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

/* ---- Extrapolation of velocities from liquid into air ---- */

enum { ROWS_PER_CHUNK = 32 };

/* Computes the mean velocity of the neighbours of face `at` that are in layers before `layer`. The four neighbours at
 * corners are used only if none of the four at sides is in such a layer. Returns false if no neighbour is in such a
 * layer. */
static bool compute_mean_of_neighbours_in_earlier_layers(const pd_layout *l, const uint8_t *known, const float *values,
                                                         size_t at, int layer, float *mean) {
    const ptrdiff_t up = l->stride, offset[NEIGHBOURS] = {-1, 1, -up, up, -1 - up, 1 - up, -1 + up, 1 + up};
    float sum = 0;
    int count = 0;
    for (int k = 0; k < NEIGHBOURS; k++) {
        if (k == SIDES && count) break;
        ptrdiff_t from = (ptrdiff_t)at + offset[k];
        if (!known[from] || known[from] > layer) continue;
        sum += values[from];
        count++;
    }
    if (count) *mean = sum / (float)count;
    return count > 0;
}

/* Extrapolates the velocities by one layer of faces. Ghost faces are left out, since they lack neighbours:
 * band_extrapolate sets their velocities. */
static void extrapolate_velocities_by_layer(const pd_liquid_loop_data *s, float *values, int layer) {
    const pd_layout *l = &s->mac->layout;
    for (int j = 0; j < l->ny; j++) {
        const uint8_t *beside_known = s->beside_known + pd_element_index(l, 0, j);
        size_t row = pd_element_index(l, 0, j);
        for (int i = 0; i < l->nx + !s->vertical; i += 8) {
            uint64_t any;
            memcpy(&any, beside_known + i, sizeof any);
            if (!any) continue;
            for (int k = i; k < i + 8 && k < l->nx + !s->vertical; k++)
                if (beside_known[k] && compute_mean_of_neighbours_in_earlier_layers(
                                           l, s->known, values, row + (size_t)k, layer, values + row + k))
                    s->known[row + (size_t)k] = (uint8_t)(layer + 1);
        }
    }
}

static void extrapolate_velocity_component(pd_liquid_loop_data *s, float *values, int layers, pd_pool *pool) {
    const pd_layout *l = &s->mac->layout;
    const pd_liquid_kernels *kernels = PD_SIMD_PICK(pd_liquid_kernels);
    memset(s->known, 0, l->count);
    pd_parallel_for(pool, l->ny, ROWS_PER_CHUNK, kernels->mark_known_faces, s);
    for (int layer = 1; layer <= layers; layer++) {
        pd_parallel_for(pool, l->ny, ROWS_PER_CHUNK, kernels->mark_faces_beside_known, s);
        extrapolate_velocities_by_layer(s, values, layer);
    }
    pd_parallel_for(pool, l->ny + 2, ROWS_PER_CHUNK, kernels->clear_unknown_velocities, s);
}

struct pd_mac_work {
    face_band band_x, band_y, band_cells; /* closed x faces, closed y faces, solid cells near the fluid */
    bool whole_bands;                     /* false: the bands lack some faces or cells, because memory ran out */
    /* Marks of pd_liquid_loop_data. `known` is also working memory of band_list_closed_elements. */
    uint8_t *known, *beside_known;
    float *gradient_factor_x, *gradient_factor_y; /* factors of pd_liquid_loop_data */
    double *sums;            /* by row: sum of squared divergences and number of fluid cells (sum_squares_of_rows) */
    poisson_regions regions; /* regions of the fluid; unused if no side has inflow */
    double *region_outflow;  /* by closed region: outflow through its sides, m/s; NULL: no side has inflow */
    bool coefficients_set;   /* poisson has the coefficients of the present walls, without liquid */
};

enum {
    EXTRAPOLATED_LAYERS = 2, /* number of layers of closed faces to which the fluid's velocity is extrapolated */
    CELLS_PER_CHUNK = 16384, /* about the number of cells in a chunk of parallel work */
};

/* Returns the number of rows in a chunk of parallel work. */
static int rows_per_chunk(const pd_mac *mac) {
    int rows = CELLS_PER_CHUNK / mac->layout.nx;
    return rows > 1 ? rows : 1;
}

pd_grid pd_mac_choose_grid(const pd_container *c, pd_vec2 center, double length, int resolution) {
    double width = 2 * (double)c->radius, height = width;
    if (c->shape == PD_CONTAINER_BOX) {
        width = (double)c->width;
        height = (double)c->height;
    } else if (c->shape == PD_CONTAINER_NONE) {
        width = height = 6 * length;
    }
    double shorter = fmin(width, height), longer = fmax(width, height);
    double cell = fmax(shorter / resolution, longer / PD_MAC_MOST_CELLS);
    pd_grid grid = {.cell = cell};
    /* The margin of 1e-3 absorbs rounding errors of sides that are a whole number of cells. */
    grid.nx = (int)fmin(fmax(ceil(width / cell - 1e-3), 1), PD_MAC_MOST_CELLS);
    grid.ny = (int)fmin(fmax(ceil(height / cell - 1e-3), 1), PD_MAC_MOST_CELLS);
    grid.origin = (pd_double2){-0.5 * grid.nx * cell, -0.5 * grid.ny * cell};
    if (c->shape == PD_CONTAINER_NONE)
        grid.origin = (pd_double2){(double)center.x + grid.origin.x, (double)center.y + grid.origin.y};
    return grid;
}

pd_vec2 pd_mac_cell_center(const pd_mac *mac, int i, int j) {
    const pd_grid *g = &mac->grid;
    return (pd_vec2){(float)(g->origin.x + (i + 0.5) * g->cell), (float)(g->origin.y + (j + 0.5) * g->cell)};
}

pd_cell_box pd_mac_cells_around(const pd_mac *mac, pd_vec2 center, pd_vec2 reach) {
    const pd_grid *g = &mac->grid;
    double x = (center.x - g->origin.x) / g->cell, y = (center.y - g->origin.y) / g->cell;
    double rx = reach.x / g->cell + 1, ry = reach.y / g->cell + 1;
    return (pd_cell_box){(int)fmin(fmax(floor(x - rx), 0), g->nx), (int)fmin(fmax(ceil(x + rx), -1), g->nx - 1),
                         (int)fmin(fmax(floor(y - ry), 0), g->ny), (int)fmin(fmax(ceil(y + ry), -1), g->ny - 1)};
}

static bool is_side_open(const pd_mac *mac, int side) { return mac->sides[side].outflow; }

static float side_inflow_speed(const pd_mac *mac, int side) {
    float inflow = mac->sides[side].inflow;
    return isnan(inflow) ? 0 : inflow;
}

/* Copies fractions and velocities of the walls from the raster, whose rows have no ghost cells. */
static void copy_walls_from_raster(pd_mac *mac) {
    const pd_layout *l = &mac->layout;
    const pd_raster *r = mac->raster;
    for (int j = 0; j < l->ny; j++) {
        size_t to = pd_element_index(l, 0, j), nx = (size_t)l->nx, from = nx * (size_t)j, from_x = (nx + 1) * (size_t)j;
        memcpy(mac->open + to, r->cell + from, nx * sizeof(float));
        memcpy(mac->open_x + to, r->face_x + from_x, (nx + 1) * sizeof(float));
        memcpy(mac->wall_u + to, r->wall_u + from_x, (nx + 1) * sizeof(float));
        memcpy(mac->open_y + to, r->face_y + from, nx * sizeof(float));
        memcpy(mac->wall_v + to, r->wall_v + from, nx * sizeof(float));
    }
    size_t to = pd_element_index(l, 0, l->ny), from = (size_t)l->nx * (size_t)l->ny;
    memcpy(mac->open_y + to, r->face_y + from, (size_t)l->nx * sizeof(float));
    memcpy(mac->wall_v + to, r->wall_v + from, (size_t)l->nx * sizeof(float));
}

/* Faces on one side of the grid. face: index of the first face. inside: index of the parallel face one cell further
 * inwards. outside: index of the ghost cell. step: index difference of two consecutive faces. sign: direction into
 * the grid, 1 or -1. */
typedef struct side_faces {
    size_t face, inside, outside, step;
    int count; /* number of faces */
    float sign;
    float *open, *wall; /* arrays of pd_mac for these faces: open_x and wall_u, or open_y and wall_v */
} side_faces;

static side_faces find_side_faces(const pd_mac *mac, int side) {
    const pd_layout *l = &mac->layout;
    size_t row = (size_t)l->stride;
    side_faces w = {.step = row, .count = l->ny, .sign = 1, .open = mac->open_x, .wall = mac->wall_u};
    int step_x = l->nx > 1, step_y = l->ny > 1;
    if (side == PD_WALL_LEFT) {
        w.face = pd_element_index(l, 0, 0);
        w.inside = w.face + (size_t)step_x;
        w.outside = w.face - 1;
    } else if (side == PD_WALL_RIGHT) {
        w.face = w.outside = pd_element_index(l, l->nx, 0);
        w.inside = w.face - (size_t)step_x;
        w.sign = -1;
    } else {
        w = (side_faces){.step = 1, .count = l->nx, .sign = 1, .open = mac->open_y, .wall = mac->wall_v};
        w.face = pd_element_index(l, 0, side == PD_WALL_BOTTOM ? 0 : l->ny);
        if (side == PD_WALL_BOTTOM) {
            w.inside = w.face + row * (size_t)step_y;
            w.outside = w.face - row;
        } else {
            w.inside = w.face - row * (size_t)step_y;
            w.outside = w.face;
            w.sign = -1;
        }
    }
    return w;
}

/* Sets open fractions and wall velocities of the faces on the grid's sides. Inflow is a velocity of closed faces. A
 * ghost cell behind an open face is fluid. */
static void set_walls_on_side_faces(pd_mac *mac) {
    for (int side = 0; side < PD_WALLS; side++) {
        side_faces w = find_side_faces(mac, side);
        float inflow = side_inflow_speed(mac, side);
        for (int k = 0; k < w.count; k++) {
            size_t at = (size_t)k * w.step;
            float fraction = w.open[w.inside + at];
            /* Uses the open fraction one cell further inside: the fraction at the side itself depends on rounding
             * errors. */
            w.open[w.face + at] = is_side_open(mac, side) ? fraction : 0;
            mac->open[w.outside + at] = is_side_open(mac, side) && fraction > 0 ? 1 : 0;
            if (inflow != 0) w.wall[w.face + at] = w.sign * inflow * fraction;
        }
    }
}

/* Open fraction up to which a face counts as closed: POISSON_LEAST of mac/poisson/poisson_levels.h. */
static const float LEAST_OPEN = 1e-12f;

/* Finds the connected regions of fluid cells. Cells are connected as in the pressure equation: by faces with an open
 * fraction above LEAST_OPEN. */
static void find_fluid_regions(const pd_mac *mac, poisson_regions *r) {
    const pd_layout *l = &mac->layout;
    size_t words = (size_t)r->words * (size_t)l->ny;
    memset(r->left, 0, words * sizeof *r->left);
    memset(r->lower, 0, words * sizeof *r->lower);
    memset(r->open, 0, words * sizeof *r->open);
    for (int j = 0; j < l->ny; j++) {
        for (int i = 0; i < l->nx; i++) {
            size_t k = pd_element_index(l, i, j), word = (size_t)j * (size_t)r->words + (size_t)(i / 64);
            uint64_t bit = (uint64_t)1 << (i % 64);
            bool left = mac->open_x[k] > LEAST_OPEN, lower = mac->open_y[k] > LEAST_OPEN;
            bool right = i == l->nx - 1 && mac->open_x[k + 1] > LEAST_OPEN;
            bool upper = j == l->ny - 1 && mac->open_y[k + (size_t)l->stride] > LEAST_OPEN;
            if (left && i > 0) r->left[word] |= bit;
            if (lower && j > 0) r->lower[word] |= bit;
            if ((left && i == 0) || (lower && j == 0) || right || upper) r->open[word] |= bit;
        }
    }
    pd_poisson_regions_find(r);
}

/* Handles one face on a side of the grid for balance_region_inflows. *wall: velocity of the wall at the face, m/s;
 * sign: 1 if positive velocities are inflow, else -1.
 * - measuring: adds the flow through the face to the inflow or the outflow of the face's region.
 * - otherwise: the greater of the region's inflow and outflow is scaled down to the other one, by scaling *wall. If the
 *   face's cell belongs to no region, *wall becomes 0.
 * In an open region nothing changes. */
static void balance_flow_through_face(pd_mac *mac, int region, float *wall, float sign, bool measuring) {
    if (region == POISSON_REGION_OPEN || *wall == 0) return;
    double none[2] = {0}, speed = (double)(sign * *wall), part = 0;
    double *in = region >= 0 ? &mac->work->regions.sum[region] : &none[0];
    double *out = region >= 0 ? &mac->work->region_outflow[region] : &none[1];
    if (measuring) {
        if (speed > 0)
            *in += speed;
        else
            *out -= speed;
        return;
    }
    double from = speed > 0 ? *in : *out, to = speed > 0 ? *out : *in;
    if (region >= 0 && from <= (1 + 1e-5) * to) return;
    if (region >= 0) part = to / from;
    *wall *= (float)part;
    mac->stopped_inflow += (1 - part) * fabs(speed) * mac->grid.cell;
}

/* Makes inflow and outflow of each closed region equal by reducing the greater. Otherwise the region's pressure
 * equation would have no solution (mac/poisson/poisson.h). Sets mac->stopped_inflow to the omitted flow. Cost: one pass
 * over the cells. */
static void balance_region_inflows(pd_mac *mac) {
    poisson_regions *r = &mac->work->regions;
    find_fluid_regions(mac, r);
    for (int k = 0; k < r->closed; k++) r->sum[k] = mac->work->region_outflow[k] = 0;
    mac->stopped_inflow = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int side = 0; side < PD_WALLS; side++) {
            if (side_inflow_speed(mac, side) == 0) continue;
            side_faces w = find_side_faces(mac, side);
            for (int k = 0; k < w.count; k++) {
                bool upright = side == PD_WALL_LEFT || side == PD_WALL_RIGHT;
                int i = upright ? (side == PD_WALL_LEFT ? 0 : mac->layout.nx - 1) : k;
                int j = upright ? k : (side == PD_WALL_BOTTOM ? 0 : mac->layout.ny - 1);
                float *wall = &w.wall[w.face + (size_t)k * w.step];
                balance_flow_through_face(mac, pd_poisson_regions_find_region_of_cell(r, i, j), wall, w.sign,
                                          pass == 0);
            }
        }
    }
}

static bool update_walls_from_raster(pd_mac *mac) {
    mac->wall_cells_listed = false;
    copy_walls_from_raster(mac);
    set_walls_on_side_faces(mac);
    if (mac->work->region_outflow) balance_region_inflows(mac);
    mac->work->coefficients_set = false;
    mac->work->whole_bands = band_list_closed_elements(mac, EXTRAPOLATED_LAYERS, mac->work->known, &mac->work->band_x,
                                                       &mac->work->band_y, &mac->work->band_cells);
    return mac->work->whole_bands;
}

void pd_mac_destroy(pd_mac *mac) {
    if (!mac) return;
    float *arrays[] = {mac->u, mac->v, mac->open_x, mac->open_y, mac->wall_u, mac->wall_v, mac->open};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) pd_free(arrays[k]);
    if (mac->work) {
        band_free(&mac->work->band_x);
        band_free(&mac->work->band_y);
        band_free(&mac->work->band_cells);
        pd_free(mac->work->known);
        pd_free(mac->work->beside_known);
        pd_free(mac->work->gradient_factor_x);
        pd_free(mac->work->gradient_factor_y);
        pd_free(mac->work->sums);
        pd_poisson_regions_destroy(&mac->work->regions);
        pd_free(mac->work->region_outflow);
    }
    pd_free(mac->work);
    pd_free(mac->wall_cells);
    pd_free(mac->body_faces);
    pd_poisson_destroy(mac->poisson);
    pd_raster_destroy(mac->raster);
    pd_memory_free(mac);
}

static pd_result allocate_grid_arrays(pd_mac *mac, pd_error *error) {
    float **arrays[] = {&mac->u, &mac->v, &mac->open_x, &mac->open_y, &mac->wall_u, &mac->wall_v, &mac->open};
    bool whole = true;
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) {
        *arrays[k] = pd_allocate(mac->layout.count, sizeof(float));
        whole &= *arrays[k] != NULL;
    }
    struct pd_mac_work *work = mac->work = pd_allocate(1, sizeof *mac->work);
    if (whole && work) {
        work->known = pd_allocate(mac->layout.count, 1);
        work->beside_known = pd_allocate(mac->layout.count, 1);
        work->gradient_factor_x = pd_allocate(mac->layout.count, sizeof(float));
        work->gradient_factor_y = pd_allocate(mac->layout.count, sizeof(float));
        work->sums = pd_allocate((size_t)mac->layout.ny * 2, sizeof(double));
        bool inflow = false;
        for (int side = 0; side < PD_WALLS; side++) inflow |= side_inflow_speed(mac, side) != 0;
        if (inflow) {
            work->region_outflow = pd_allocate((size_t)mac->layout.nx * (size_t)mac->layout.ny / 2 + 1, sizeof(double));
            whole = pd_poisson_regions_create(&work->regions, mac->layout.nx, mac->layout.ny) && work->region_outflow;
        }
        if (whole && work->known && work->beside_known && work->gradient_factor_x && work->gradient_factor_y &&
            work->sums)
            return PD_OK;
    }
    return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "no memory for a grid of %d x %d cells (lower the resolution)",
                   mac->layout.nx, mac->layout.ny);
}

pd_result pd_mac_create(pd_mac **created, const pd_scene *scene, const pd_grid *grid, const pd_boundary *boundary,
                        double wall_layer_thickness, pd_error *error) {
    *created = NULL;
    pd_mac *mac = pd_memory_require(1, sizeof *mac);
    mac->grid = *grid;
    mac->layout = pd_layout_for_cells(grid->nx, grid->ny);
    mac->slip = scene->container.slip;
    for (int side = 0; side < PD_WALLS; side++) {
        mac->sides[side] = (pd_wall){.inflow = NAN, .velocity = NAN};
        if (scene->container.shape == PD_CONTAINER_BOX) mac->sides[side] = scene->container.walls[side];
        if (scene->container.shape == PD_CONTAINER_NONE) mac->sides[side].outflow = true;
    }
    pd_result result = allocate_grid_arrays(mac, error);
    if (result == PD_OK) result = pd_raster_create(&mac->raster, grid, boundary, wall_layer_thickness, error);
    if (result == PD_OK) result = pd_poisson_create(&mac->poisson, grid->nx, grid->ny, error);
    if (result == PD_OK && !update_walls_from_raster(mac))
        result = pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "no memory for the walls on the grid (lower the resolution)");
    if (result != PD_OK) {
        pd_mac_destroy(mac);
        return result;
    }
    *created = mac;
    return PD_OK;
}

bool pd_mac_update_walls(pd_mac *mac, const pd_boundary *boundary) {
    if (!pd_raster_update(mac->raster, boundary) && mac->work->whole_bands) return false;
    update_walls_from_raster(mac);
    return true;
}

pd_result pd_mac_replace_walls(pd_mac *mac, const pd_boundary *boundary, pd_error *error) {
    pd_raster *raster;
    pd_result result = pd_raster_create_after_edit(&raster, mac->raster, boundary, error);
    if (result != PD_OK) return result;
    pd_raster_destroy(mac->raster);
    mac->raster = raster;
    update_walls_from_raster(mac);
    return PD_OK;
}

static pd_liquid_loop_data make_liquid_loop_data(pd_mac *mac, const pd_liquid *liquid) {
    struct pd_mac_work *work = mac->work;
    return (pd_liquid_loop_data){.mac = mac,
                                 .liquid = liquid,
                                 .gradient_factor_x = work->gradient_factor_x,
                                 .gradient_factor_y = work->gradient_factor_y,
                                 .known = work->known,
                                 .beside_known = work->beside_known};
}

/* Sets the ghost elements of an array to 0. Extrapolation does not reach ghost elements far from the fluid, and
 * snapshots do not save them: without this a restored world would compute other bits. */
static void clear_ghost_elements(const pd_layout *l, int step_x, int step_y, float *values) {
    int rows = l->ny + step_y;
    memset(values, 0, pd_element_index(l, 0, 0) * sizeof *values);
    for (int j = 0; j < rows; j++) {
        float *row = values + pd_element_index(l, 0, j);
        row[-1] = 0;
        for (int i = l->nx + step_x; i <= l->nx; i++) row[i] = 0;
    }
    for (int j = rows; j <= l->ny; j++)
        memset(values + pd_element_index(l, -1, j), 0, (size_t)l->stride * sizeof *values);
}

void pd_mac_extrapolate_velocities(pd_mac *mac, const pd_liquid *liquid, int layers, pd_pool *pool) {
    struct pd_mac_work *work = mac->work;
    pd_liquid_loop_data data = make_liquid_loop_data(mac, liquid);
    clear_ghost_elements(&mac->layout, 1, 0, mac->u);
    clear_ghost_elements(&mac->layout, 0, 1, mac->v);
    if (liquid) {
        data.vertical = false;
        extrapolate_velocity_component(&data, data.mac->u, layers, pool);
        data.vertical = true;
        extrapolate_velocity_component(&data, data.mac->v, layers, pool);
    }
    band_extrapolate(&work->band_x, mac->u);
    band_extrapolate(&work->band_y, mac->v);
    /* At free-slip walls only the component normal to the wall becomes the wall's, at no-slip walls both. */
    compute_wall_velocities(mac, &work->band_x, false);
    compute_wall_velocities(mac, &work->band_y, true);
    for (int k = 0; k < work->band_x.count; k++) mac->u[work->band_x.items[k].at] = work->band_x.items[k].value;
    for (int k = 0; k < work->band_y.count; k++) mac->v[work->band_y.items[k].at] = work->band_y.items[k].value;
}

void pd_mac_extrapolate_cells(const pd_mac *mac, float *values) {
    clear_ghost_elements(&mac->layout, 0, 0, values);
    band_extrapolate(&mac->work->band_cells, values);
}

/* One face of a cell. face: index of the face. beyond: index of the cell on the other side of the face. at_border: true
 * if this other cell is a ghost cell. */
typedef struct cell_face {
    size_t face, beyond;
    bool horizontal; /* true: lower or upper face; false: left or right face */
    bool at_border;
} cell_face;

static void find_cell_faces(const pd_layout *l, int i, int j, cell_face faces[4]) {
    size_t cell = pd_element_index(l, i, j), row = (size_t)l->stride;
    faces[0] = (cell_face){cell, cell - 1, false, i == 0};
    faces[1] = (cell_face){cell + 1, cell + 1, false, i == l->nx - 1};
    faces[2] = (cell_face){cell, cell - row, true, j == 0};
    faces[3] = (cell_face){cell + row, cell + row, true, j == l->ny - 1};
}

/* 1/(distance from a border cell's centre to the grid's border in cells). At the border the pressure is 0. */
static const float AT_BORDER = 2;

/* Sets the coefficients of the pressure equation without a liquid: the pressure is 0 at open sides only. All faces of a
 * solid cell are closed. */
static void set_pressure_coefficients(pd_mac *mac) {
    const pd_layout *l = &mac->layout;
    pd_poisson *p = mac->poisson;
    size_t row_bytes = (size_t)l->nx * sizeof(float);
    memset(p->face_x, 0, l->count * sizeof(float));
    memset(p->face_y, 0, l->count * sizeof(float));
    memset(p->open, 0, l->count * sizeof(float));
    for (int j = 0; j < l->ny; j++) {
        size_t row = pd_element_index(l, 0, j);
        memcpy(p->face_x + row, mac->open_x + row, row_bytes);
        p->face_x[row] = 0;
        if (j > 0) memcpy(p->face_y + row, mac->open_y + row, row_bytes);
        bool outer_row = j == 0 || j == l->ny - 1;
        for (int i = 0; i < l->nx; i += outer_row || l->nx == 1 ? 1 : l->nx - 1) {
            cell_face faces[4];
            find_cell_faces(l, i, j, faces);
            for (int f = 0; f < 4; f++)
                if (faces[f].at_border)
                    p->open[row + (size_t)i] +=
                        AT_BORDER * (faces[f].horizontal ? mac->open_y : mac->open_x)[faces[f].face];
        }
    }
}

/* Data of the loops over rows. Each loop uses some of the members. */
typedef struct row_job {
    pd_mac *mac;
    float *to;                      /* by cell: result of `outflow` */
    float scale;                    /* factor on this result */
    double *sums;                   /* by row: sum of the squares of `to` over fluid cells; number of fluid cells */
    const pd_liquid *liquid;        /* free surface; NULL: none */
    pd_mac_outflow_rows *outflow;   /* loop of the present SIMD level that computes outflows */
    pd_mac_gradient_rows *gradient; /* loop of the present SIMD level that subtracts pressure gradients */
} row_job;

static void compute_outflow_of_rows(void *context, int begin, int end) {
    const row_job *job = context;
    job->outflow(job->mac, job->to, job->scale, begin, end);
}

static void subtract_pressure_gradients_of_rows(void *context, int begin, int end) {
    const row_job *job = context;
    job->gradient(job->mac, job->mac->poisson->q, begin, end);
}

/* Subtracts the pressure gradient from the velocities at faces on the border of the grid. The pressure outside of the
 * grid is 0. */
static void subtract_border_pressure_gradients(pd_mac *mac) {
    const pd_layout *l = &mac->layout;
    const float *q = mac->poisson->q;
    for (int j = 0; j < l->ny; j++) {
        bool outer_row = j == 0 || j == l->ny - 1;
        int step = outer_row ? 1 : l->nx > 1 ? l->nx - 1 : 1;
        for (int i = 0; i < l->nx; i += step) {
            size_t cell = pd_element_index(l, i, j);
            if (!(mac->poisson->open[cell] > 0)) continue;
            cell_face faces[4];
            find_cell_faces(l, i, j, faces);
            for (int f = 0; f < 4; f++) {
                const float *open = faces[f].horizontal ? mac->open_y : mac->open_x;
                if (!(open[faces[f].face] > 0) || !faces[f].at_border) continue;
                float outwards = f % 2 ? 1.0f : -1.0f; /* 1: right or upper face; -1: left or lower face */
                (faces[f].horizontal ? mac->v : mac->u)[faces[f].face] += outwards * AT_BORDER * q[cell];
            }
        }
    }
}

static void subtract_pressure_gradients(pd_mac *mac, const pd_liquid *liquid, pd_pool *pool) {
    if (liquid) {
        pd_liquid_loop_data data = make_liquid_loop_data(mac, liquid);
        pd_parallel_for(pool, mac->layout.ny, rows_per_chunk(mac),
                        PD_SIMD_PICK(pd_liquid_kernels)->subtract_pressure_gradients, &data);
        return;
    }
    row_job job = {.mac = mac, .gradient = PD_SIMD_PICK(pd_mac_subtract_gradient)};
    pd_parallel_for(pool, mac->layout.ny, rows_per_chunk(mac), subtract_pressure_gradients_of_rows, &job);
    subtract_border_pressure_gradients(mac);
}

void pd_mac_project_velocities(pd_mac *mac, const pd_liquid *liquid, const float *source,
                               const pd_poisson_method *method, pd_pool *pool, pd_poisson_report *report) {
    row_job job = {.mac = mac, .to = mac->poisson->rhs, .scale = -1, .outflow = PD_SIMD_PICK(pd_mac_compute_outflow)};
    if (liquid || !mac->work->coefficients_set) {
        if (liquid) {
            pd_liquid_loop_data data = make_liquid_loop_data(mac, liquid);
            const pd_liquid_kernels *kernels = PD_SIMD_PICK(pd_liquid_kernels);
            pd_parallel_for(pool, mac->layout.ny, rows_per_chunk(mac), kernels->compute_gradient_factors, &data);
            pd_parallel_for(pool, mac->layout.ny, rows_per_chunk(mac), kernels->set_pressure_coefficients, &data);
        } else {
            set_pressure_coefficients(mac);
        }
        pd_poisson_prepare(mac->poisson, pool);
        mac->work->coefficients_set = !liquid;
    }
    pd_parallel_for(pool, mac->layout.ny, rows_per_chunk(mac), compute_outflow_of_rows, &job);
    if (source) {
        const float cell = (float)mac->grid.cell;
        for (int j = 0; j < mac->layout.ny; j++) {
            size_t row = pd_element_index(&mac->layout, 0, j);
            for (size_t k = row; k < row + (size_t)mac->layout.nx; k++) mac->poisson->rhs[k] += cell * source[k];
        }
    }
    pd_poisson_solve(mac->poisson, method, pool, report);
    subtract_pressure_gradients(mac, liquid, pool);
}

void pd_mac_add_expansion(pd_mac *mac, const pd_liquid *liquid, const float *rate, const pd_poisson_method *method,
                          pd_pool *pool, pd_poisson_report *report) {
    const pd_layout *l = &mac->layout;
    for (int j = 0; j < l->ny; j++)
        for (int i = 0; i < l->nx; i++) {
            size_t cell = pd_element_index(l, i, j);
            mac->poisson->rhs[cell] = rate[cell] * mac->open[cell] * (float)mac->grid.cell;
        }
    pd_poisson_solve(mac->poisson, method, pool, report);
    subtract_pressure_gradients(mac, liquid, pool);
}

/* For each row: sets the divergence of cells without fluid to 0, and sums the squared divergences and the number of
 * fluid cells. */
static void sum_squares_of_rows(void *context, int begin, int end) {
    const row_job *job = context;
    for (int j = begin; j < end; j++) {
        double sum = 0, cells = 0;
        for (int i = 0; i < job->mac->layout.nx; i++) {
            size_t k = pd_element_index(&job->mac->layout, i, j);
            bool fluid = job->mac->open[k] > 0 && (!job->liquid || job->liquid->distance[k] < 0);
            if (!fluid) job->to[k] = 0;
            sum += (double)job->to[k] * (double)job->to[k];
            cells += fluid;
        }
        job->sums[2 * j] = sum;
        job->sums[2 * j + 1] = cells;
    }
}

double pd_mac_compute_divergence(const pd_mac *mac, const pd_liquid *liquid, float *divergence, pd_pool *pool) {
    row_job job = {.mac = (pd_mac *)(uintptr_t)mac,
                   .to = divergence ? divergence : mac->poisson->rhs,
                   .scale = (float)(1 / mac->grid.cell),
                   .sums = mac->work->sums,
                   .liquid = liquid,
                   .outflow = PD_SIMD_PICK(pd_mac_compute_outflow)};
    pd_parallel_for(pool, mac->layout.ny, rows_per_chunk(mac), compute_outflow_of_rows, &job);
    pd_parallel_for(pool, mac->layout.ny, rows_per_chunk(mac), sum_squares_of_rows, &job);
    double sum = 0, cells = 0;
    for (int j = 0; j < mac->layout.ny; j++) {
        sum += job.sums[2 * j];
        cells += job.sums[2 * j + 1];
    }
    return cells > 0 ? sqrt(sum / cells) : 0;
}
