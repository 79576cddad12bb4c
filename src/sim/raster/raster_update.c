/* Creation of rasters, and updates for moved or edited solids (obstacles). */
#include "sim/raster/raster_work.h"

#include "core/error.h"
#include "core/memory.h"

#include <math.h>
#include <string.h>

static motion compute_motion_of_solid(const pd_solid *solid, const pd_grid *grid, double seconds) {
    pd_double2 displacement = pd_minus(solid->end.center, solid->begin.center), center = solid->end.center;
    double per_second = seconds > 0.0 ? 1.0 / seconds : 0.0;
    return (motion){{(center.x - grid->origin.x) / grid->cell, (center.y - grid->origin.y) / grid->cell},
                    solid->end.cosine,
                    solid->end.sine,
                    displacement.x * per_second,
                    displacement.y * per_second,
                    solid->turned * per_second * grid->cell};
}

static bool is_same_motion(const motion *a, const motion *b) {
    return a->center.x == b->center.x && a->center.y == b->center.y && a->cosine == b->cosine && a->sine == b->sine &&
           a->vx == b->vx && a->vy == b->vy && a->turn == b->turn;
}

static void update_convex_parts_of_solid(pd_raster *raster, const pd_solid *solid, int number) {
    raster_work *w = raster->work;
    raster_solid *t = &w->solids[number];
    pd_convex_part_list_of_solid(solid, number, &raster->grid, w->parts + t->first_part);
    pd_interval all_x = {INFINITY, -INFINITY}, all_y = all_x;
    for (int i = t->first_part; i < t->first_part + t->part_count; i++) {
        pd_interval x, y;
        pd_convex_part_compute_bounds(&w->parts[i], &x, &y);
        w->bounds[i] = (part_bounds){x, y};
        w->boxes[i] = pd_raster_make_box_with_margin(x.low, y.low, x.high, y.high);
        all_x = (pd_interval){fmin(all_x.low, x.low), fmax(all_x.high, x.high)};
        all_y = (pd_interval){fmin(all_y.low, y.low), fmax(all_y.high, y.high)};
    }
    all_x = (pd_interval){all_x.low - w->blocking_distance, all_x.high + w->blocking_distance};
    all_y = (pd_interval){all_y.low - w->blocking_distance, all_y.high + w->blocking_distance};
    t->cells = pd_raster_find_touched_cells(&raster->grid, all_x, all_y);
}

static double cell_count_of_region(region r) { return (double)(r.high_x - r.low_x) * (r.high_y - r.low_y); }

static region compute_bounding_region(region a, region b) {
    if (cell_count_of_region(a) == 0.0) return b;
    if (cell_count_of_region(b) == 0.0) return a;
    return (region){a.low_x < b.low_x ? a.low_x : b.low_x, a.high_x > b.high_x ? a.high_x : b.high_x,
                    a.low_y < b.low_y ? a.low_y : b.low_y, a.high_y > b.high_y ? a.high_y : b.high_y};
}

/* Updates the motion and the convex parts of the solids that have moved, or (all) of all solids. Returns true if a solid
 * was updated. */
static bool update_solids(pd_raster *raster, const pd_boundary *boundary, bool all) {
    raster_work *w = raster->work;
    int count;
    const pd_solid *solids = pd_boundary_solids(boundary, &count);
    double seconds = pd_boundary_substep_seconds(boundary);
    bool any = false;
    PD_ASSERT(count == w->solid_count);
    for (int i = 0; i < count; i++) {
        raster_solid *t = &w->solids[i];
        motion now = compute_motion_of_solid(&solids[i], &raster->grid, seconds);
        t->moved = all || !is_same_motion(&now, &t->now);
        if (!t->moved) continue;
        any = true;
        t->now = now;
        t->cells_before = t->cells;
        update_convex_parts_of_solid(raster, &solids[i], i);
    }
    return any;
}

/* Lists in w->regions the cells that moved solids touch, before and after the update. Merges regions whose bounding
 * region has no more cells than both: solids that overlap or touch are recomputed once. Returns the number of regions. */
static int list_regions_of_moved_solids(const raster_work *w) {
    int count = 0;
    for (int i = 0; i < w->solid_count; i++) {
        if (!w->solids[i].moved) continue;
        region added[2] = {w->solids[i].cells_before, w->solids[i].cells};
        for (int k = 0; k < 2; k++) {
            region r = added[k];
            for (int n = 0; n < count;) {
                region both = compute_bounding_region(r, w->regions[n]);
                if (cell_count_of_region(both) > cell_count_of_region(r) + cell_count_of_region(w->regions[n])) {
                    n++;
                    continue;
                }
                r = both;
                w->regions[n] = w->regions[--count];
                n = 0;
            }
            w->regions[count++] = r;
        }
    }
    return count;
}

bool pd_raster_update(pd_raster *raster, const pd_boundary *boundary) {
    raster_work *w = raster->work;
    region all = {0, raster->grid.nx, 0, raster->grid.ny};
    double cells = 0.0;
    if (!update_solids(raster, boundary, false)) return false;
    pd_boxtree_refit(&w->tree, w->boxes);
    int count = list_regions_of_moved_solids(w);
    for (int n = 0; n < count; n++) cells += cell_count_of_region(w->regions[n]);
    if (cells >= cell_count_of_region(all)) {
        w->regions[0] = all;
        count = 1;
    }
    for (int n = 0; n < count; n++) pd_raster_compute_region(raster, boundary, w->regions[n]);
    return true;
}

/* ---- Edits ---- */

static bool is_same_convex_part(const pd_convex_part *a, const pd_convex_part *b) {
    return a->center.x == b->center.x && a->center.y == b->center.y && a->axis.x == b->axis.x &&
           a->axis.y == b->axis.y && a->length == b->length && a->width == b->width && a->round == b->round &&
           a->triangle == b->triangle && memcmp(a->corner, b->corner, sizeof a->corner) == 0;
}

static bool is_same_solid(const raster_work *a, int i, const raster_work *b, int k) {
    const raster_solid *t = &a->solids[i], *u = &b->solids[k];
    bool equal = t->part_count == u->part_count && is_same_motion(&t->now, &u->now);
    for (int p = 0; equal && p < t->part_count; p++)
        equal = is_same_convex_part(&a->parts[t->first_part + p], &b->parts[u->first_part + p]);
    return equal;
}

/* Lists the cell regions of the solids that exist in only one of two rasters. The other solids have the same order in
 * both. Returns the number of regions, at most that of all solids. Cost: O(solids), or O(solids^2) after many
 * changes. */
static int find_changed_regions(const raster_work *before, const raster_work *now, region *changed) {
    int k = 0, count = 0;
    for (int i = 0; i < now->solid_count; i++) {
        int found = k;
        while (found < before->solid_count && !is_same_solid(before, found, now, i)) found++;
        if (found < before->solid_count) {
            while (k < found) changed[count++] = before->solids[k++].cells;
            k++;
            continue;
        }
        changed[count++] = now->solids[i].cells;
        if (k < before->solid_count) changed[count++] = before->solids[k++].cells;
    }
    while (k < before->solid_count) changed[count++] = before->solids[k++].cells;
    return count;
}

/* Enlarges a region by two cells on all sides, within the grid. The velocity of a face may be that of the nearest
 * wall (nearest_wall_velocity), and walls are thicker on the grid by up to a cell. */
static region enlarge_region_for_nearest_walls(const pd_grid *grid, region r) {
    if (cell_count_of_region(r) == 0.0) return r;
    return (region){r.low_x > 2 ? r.low_x - 2 : 0, r.high_x < grid->nx - 2 ? r.high_x + 2 : grid->nx,
                    r.low_y > 2 ? r.low_y - 2 : 0, r.high_y < grid->ny - 2 ? r.high_y + 2 : grid->ny};
}

static void copy_raster_arrays(pd_raster *to, const pd_raster *from) {
    size_t nx = (size_t)to->grid.nx, ny = (size_t)to->grid.ny;
    memcpy(to->cell, from->cell, nx * ny * sizeof(float));
    memcpy(to->face_x, from->face_x, (nx + 1) * ny * sizeof(float));
    memcpy(to->wall_x, from->wall_x, (nx + 1) * ny * sizeof(float));
    memcpy(to->face_y, from->face_y, nx * (ny + 1) * sizeof(float));
    memcpy(to->wall_y, from->wall_y, nx * (ny + 1) * sizeof(float));
}

/* Copies the fractions of the raster `before`, and recomputes them around changed walls. Returns false if memory runs
 * out. */
static bool compute_changed_regions(pd_raster *raster, const pd_raster *before, const pd_boundary *boundary) {
    const raster_work *w = raster->work;
    region all = {0, raster->grid.nx, 0, raster->grid.ny};
    region *changed = pd_allocate((size_t)w->solid_count + (size_t)before->work->solid_count + 1, sizeof *changed);
    if (!changed) return false;
    int count = find_changed_regions(before->work, w, changed);
    double cells = 0.0;
    for (int i = 0; i < count; i++)
        cells += cell_count_of_region(changed[i] = enlarge_region_for_nearest_walls(&raster->grid, changed[i]));
    if (cells >= cell_count_of_region(all)) {
        changed[0] = all;
        count = 1;
    } else {
        copy_raster_arrays(raster, before);
    }
    for (int i = 0; i < count; i++) pd_raster_compute_region(raster, boundary, changed[i]);
    pd_free(changed);
    return true;
}

/* ---- Memory ---- */

static void set_container_and_wall_layer(raster_work *w, const pd_grid *grid, const pd_container *container,
                                         double wall_layer_thickness) {
    pd_double2 origin = {0.0, 0.0};
    w->wall_layer_metres = wall_layer_thickness;
    w->has_container = container->shape != PD_CONTAINER_NONE;
    if (container->shape == PD_CONTAINER_CIRCLE)
        w->container = pd_convex_part_make_disc(grid, origin, container->radius);
    else if (container->shape == PD_CONTAINER_BOX)
        w->container =
            pd_convex_part_make_box(grid, origin, (pd_double2){0.5 * container->width, 0.5 * container->height});
    if (!w->has_container || !(wall_layer_thickness > 0.0)) return;
    w->inner_container = w->container;
    w->wall_layer_cells = w->blocking_distance = wall_layer_thickness / grid->cell;
    w->inner_container.width -= w->wall_layer_cells;
    if (container->shape == PD_CONTAINER_BOX)
        w->inner_container.length -= w->wall_layer_cells;
    else /* half of the longest chord of the container within the wall layer: this chord touches the inner circle */
        w->blocking_distance = sqrt(w->wall_layer_cells * (w->container.width + w->inner_container.width));
    w->blocking_distance += WALL_LAYER_GAP;
}

static bool allocate_raster_work(raster_work *w, const pd_grid *grid, const pd_solid *solids) {
    size_t longest = (size_t)(grid->nx > grid->ny ? grid->nx : grid->ny);
    w->faces = pd_allocate(longest, sizeof *w->faces);
    w->marks = pd_allocate(longest, sizeof *w->marks);
    w->solids = pd_allocate((size_t)w->solid_count + 1, sizeof *w->solids);
    if (!w->faces || !w->marks || !w->solids) return false;
    for (int i = 0; i < w->solid_count; i++) {
        w->solids[i].first_part = w->part_count;
        w->solids[i].part_count = pd_convex_part_count_of_solid(&solids[i], grid);
        w->part_count += w->solids[i].part_count;
    }
    size_t parts = (size_t)w->part_count + 1;
    w->parts = pd_allocate(parts, sizeof *w->parts);
    w->bounds = pd_allocate(parts, sizeof *w->bounds);
    w->boxes = pd_allocate(parts, sizeof *w->boxes);
    w->cuts = pd_allocate(parts, sizeof *w->cuts);
    w->parts_near_cell = pd_allocate(parts, sizeof *w->parts_near_cell);
    w->regions = pd_allocate(2 * (size_t)w->solid_count + 1, sizeof *w->regions);
    return w->parts && w->bounds && w->regions && w->boxes && w->cuts && w->parts_near_cell;
}

static bool allocate_raster_arrays(pd_raster *raster) {
    size_t nx = (size_t)raster->grid.nx, ny = (size_t)raster->grid.ny;
    raster->cell = pd_allocate(nx * ny + PD_PADDING, sizeof(float));
    raster->face_x = pd_allocate((nx + 1) * ny + PD_PADDING, sizeof(float));
    raster->wall_x = pd_allocate((nx + 1) * ny + PD_PADDING, sizeof(float));
    raster->face_y = pd_allocate(nx * (ny + 1) + PD_PADDING, sizeof(float));
    raster->wall_y = pd_allocate(nx * (ny + 1) + PD_PADDING, sizeof(float));
    return raster->cell && raster->face_x && raster->wall_x && raster->face_y && raster->wall_y;
}

/* Initializes a raster. before: another raster with the same grid, wall layer and container, whose values at unchanged
 * walls are copied; or NULL. */
static bool init_raster(pd_raster *raster, const pd_grid *grid, const pd_boundary *boundary,
                        double wall_layer_thickness, const pd_raster *before) {
    raster->grid = *grid;
    raster->work = pd_allocate(1, sizeof *raster->work);
    if (!raster->work || !allocate_raster_arrays(raster)) return false;
    raster_work *w = raster->work;
    pd_container container = pd_boundary_container(boundary);
    const pd_solid *solids = pd_boundary_solids(boundary, &w->solid_count);
    set_container_and_wall_layer(w, grid, &container, wall_layer_thickness);
    if (!allocate_raster_work(w, grid, solids)) return false;
    update_solids(raster, boundary, true);
    /* Many parts per solid: segments of polylines, which are mostly in spatial order already. */
    bool ordered = w->part_count > 8 * w->solid_count;
    if (!pd_boxtree_build(&w->tree, w->boxes, w->part_count, ordered)) return false;
    if (before) return compute_changed_regions(raster, before, boundary);
    pd_raster_compute_region(raster, boundary, (region){0, grid->nx, 0, grid->ny});
    return true;
}

static pd_result create_raster(pd_raster **created, const pd_grid *grid, const pd_boundary *boundary,
                               double wall_layer_thickness, const pd_raster *before, pd_error *error) {
    PD_ASSERT(grid->nx > 0 && grid->ny > 0 && grid->cell > 0.0);
    *created = NULL;
    pd_raster *raster = pd_allocate(1, sizeof *raster);
    if (raster && init_raster(raster, grid, boundary, wall_layer_thickness, before)) {
        *created = raster;
        return PD_OK;
    }
    pd_raster_destroy(raster);
    return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "no memory for a grid of %d x %d cells (lower the resolution)",
                   grid->nx, grid->ny);
}

pd_result pd_raster_create(pd_raster **created, const pd_grid *grid, const pd_boundary *boundary,
                           double wall_layer_thickness, pd_error *error) {
    return create_raster(created, grid, boundary, wall_layer_thickness, NULL, error);
}

pd_result pd_raster_create_after_edit(pd_raster **created, const pd_raster *before, const pd_boundary *boundary,
                                      pd_error *error) {
    return create_raster(created, &before->grid, boundary, before->work->wall_layer_metres, before, error);
}

void pd_raster_destroy(pd_raster *raster) {
    if (!raster) return;
    raster_work *w = raster->work;
    if (w) {
        pd_boxtree_free(&w->tree);
        pd_free(w->faces);
        pd_free(w->marks);
        pd_free(w->solids);
        pd_free(w->parts);
        pd_free(w->bounds);
        pd_free(w->boxes);
        pd_free(w->regions);
        pd_free(w->cuts);
        pd_free(w->parts_near_cell);
    }
    pd_free(w);
    pd_free(raster->cell);
    pd_free(raster->face_x);
    pd_free(raster->face_y);
    pd_free(raster->wall_x);
    pd_free(raster->wall_y);
    pd_free(raster);
}
