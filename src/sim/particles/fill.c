/* Adds the particles of regions when a scene starts. */
#include "sim/particles/fill.h"

#include "core/error.h"
#include "core/math.h"
#include "scene/geometry.h"

#include <limits.h>

/* A lattice centred on a region. Points of a row are at x = (k + phase) * spacing with integer k. */
typedef struct lattice {
    bool box, hex;
    double half_x, half_y;      /* half the sides of the region, m */
    double spacing, row_height; /* distances between points of a row and between rows, m */
    double phase_x; /* 0: row 0 has a point on the region's vertical axis; 1/2: the axis is midway between two points */
    double phase_y; /* 0: a row is on the region's horizontal axis; 1/2: the axis is midway between two rows */
} lattice;

static int count_rows_above_axis(const lattice *l) {
    double half_height = l->box ? fmax(l->half_y - 0.5 * l->row_height, 0.0) : l->half_y;
    return (int)floor(half_height / l->row_height * (1.0 + 1e-9));
}

/* Returns the number of lattice points in a row of the region (row < 0: below the axis). Sets *y to the height of the row
 * above the region's center, m. */
static int count_row_points(const lattice *l, int row, double *y) {
    *y = (row + l->phase_y) * l->row_height;
    double t = *y / l->half_y, half_width = fmax(l->half_x - 0.5 * l->spacing, 0.0);
    double phase = l->hex && (row & 1) ? 0.5 - l->phase_x : l->phase_x;
    double limit = l->box ? fmax(l->half_y - 0.5 * l->row_height, 0.0) : l->half_y;
    if (fabs(*y) > limit * (1.0 + 1e-9)) return 0;
    if (!l->box) half_width = l->half_x * sqrt(fmax(1.0 - t * t, 0.0));
    half_width = half_width / l->spacing * (1.0 + 1e-9);
    return phase == 0.0 ? 2 * (int)half_width + 1 : 2 * (int)(half_width + 0.5);
}

static void set_spacing(lattice *l, double spacing) {
    l->spacing = spacing;
    l->row_height = l->hex ? spacing * sqrt(0.75) : spacing;
}

static long long count_lattice_points(const lattice *l) {
    long long points = 0;
    double y;
    int rows = count_rows_above_axis(l);
    for (int row = -rows - 1; row <= rows; row++) points += count_row_points(l, row, &y);
    return points;
}

/* Sets l->spacing to the greatest value at which the lattice has at least least_count points, by bisection. Returns the
 * lattice's number of points, or LLONG_MAX if no spacing suffices, for example if a thin region has no row on its axis.
 * Cost: O(sqrt(count)), or O(count) for a region that is almost a line. */
static long long fit_lattice_spacing(lattice *l, int least_count, double mean_spacing) {
    double longest = 2.0 * fmax(l->half_x, l->half_y), low = fmax(mean_spacing, longest / least_count),
           high = 4.0 * longest;
    int shrinks = 0;
    for (set_spacing(l, low); count_lattice_points(l) < least_count; set_spacing(l, low)) {
        low *= 0.8;
        shrinks++;
        if (shrinks > 24) return LLONG_MAX;
    }
    for (int i = 0; i < 48; i++) {
        double middle = 0.5 * (low + high);
        set_spacing(l, middle);
        if (count_lattice_points(l) >= least_count)
            low = middle;
        else
            high = middle;
    }
    set_spacing(l, low);
    return count_lattice_points(l);
}

/* Computes the factors in x and y that stretch the lattice of a box to its edges (1 for other shapes). Returns a lower
 * bound of the distance between two points after stretching, m. */
static double compute_stretch_factors(const lattice *l, double *stretch_x, double *stretch_y) {
    int rows = count_rows_above_axis(l), first = rows + 1, last = -rows - 1, longest = 1, least_gap = INT_MAX;
    double y;
    for (int row = -rows - 1; row <= rows; row++) {
        int points = count_row_points(l, row, &y);
        if (!points) continue;
        if (first > last)
            first = row;
        else if (row - last < least_gap)
            least_gap = row - last;
        last = row;
        if (points > longest) longest = points;
    }
    *stretch_x = l->box ? fmax(1.0, 2.0 * l->half_x / (longest * l->spacing)) : 1.0;
    *stretch_y = l->box ? fmax(1.0, 2.0 * l->half_y / ((last - first + 1) * l->row_height)) : 1.0;
    return fmin(l->spacing * *stretch_x, least_gap * l->row_height * *stretch_y);
}

/* Tries a lattice with each of the four combinations of phase_x and phase_y. If its points are farther apart than
 * *least_distance (m), replaces *best, *points (their number) and *least_distance. */
static void try_lattice_phases(const pd_region *region, int count, bool hex, lattice *best, long long *points,
                               double *least_distance) {
    pd_vec2 half = pd_area_half_size(&region->area);
    double mean_spacing = sqrt(pd_area_square_metres(&region->area) / count);
    for (int i = 0; i < 4; i++) {
        double stretch_x, stretch_y;
        lattice l = {.box = region->area.shape == PD_SHAPE_BOX,
                     .hex = hex,
                     .half_x = half.x * (1.0 - 1e-6),
                     .half_y = half.y * (1.0 - 1e-6),
                     .phase_x = 0.5 * (i & 1),
                     .phase_y = 0.5 * (i >> 1)};
        long long fitting = fit_lattice_spacing(&l, count, mean_spacing);
        if (fitting == LLONG_MAX) continue;
        double apart = compute_stretch_factors(&l, &stretch_x, &stretch_y);
        if (apart <= *least_distance) continue;
        *least_distance = apart;
        *best = l;
        *points = fitting;
    }
}

/* Returns the lattice with the greatest distance between its points. Square lattices are tried if the region asks for
 * one, or if the points of the best hex lattice are too close, as in narrow regions. */
static lattice find_best_lattice(const pd_region *region, int count, long long *points) {
    lattice best = {0};
    double least_distance = 0.0;
    if (region->fill != PD_FILL_GRID) try_lattice_phases(region, count, true, &best, points, &least_distance);
    if (least_distance < 0.7 * sqrt(pd_area_square_metres(&region->area) / count))
        try_lattice_phases(region, count, false, &best, points, &least_distance);
    return best;
}

/* Returns a random point of the region, uniform in the disc of this radius (m) around `point`. */
static pd_vec2 draw_point_near(const pd_region *region, pd_vec2 point, double radius, pd_random *random) {
    for (int i = 0; i < 8; i++) {
        float angle = 6.2831853f * pd_random_below_one(random),
              length = (float)radius * sqrtf(pd_random_below_one(random));
        pd_vec2 p = {point.x + length * pd_cosf(angle), point.y + length * pd_sinf(angle)};
        if (pd_area_contains_point(&region->area, p)) return p;
    }
    return point;
}

/* Returns whether the wall nearest to a point, or the wall in which it is deepest, is a body. */
static bool is_point_in_or_beside_body(const pd_boundary *boundary, pd_vec2 point) {
    int obstacles;
    pd_contact nearest;
    pd_boundary_obstacle_areas(boundary, &obstacles);
    pd_boundary_find_nearest_wall(boundary, point, &nearest);
    return nearest.wall >= obstacles;
}

/* Adds a particle at the allowed place nearest to a point. Leaves the particle out if the point is in a body, which
 * displaces the fluid, or if the walls leave no allowed place: in a wall, the particle would search one at each contact.
 * Returns whether the place is farther than `tolerance` (m) from the point. */
static bool add_particle_at_allowed_place(const pd_region *region, int material, pd_vec2 point, double tolerance,
                                          const pd_boundary *boundary, pd_particles *particles) {
    pd_vec2 p = point;
    bool in_wall = pd_boundary_push_out_of_walls(boundary, &p);
    if (in_wall && is_point_in_or_beside_body(boundary, point)) return false;
    if (!pd_boundary_allows_position(boundary, p, 0)) return false;
    pd_particles_add(particles, p, region->velocity, material);
    return pd_hypot((double)p.x - point.x, (double)p.y - point.y) > tolerance;
}

/* ---- Images ---- */

/* Arguments and state of the functions that add the particles of an image region. Pixels of an image either have the
 * index of a material or PD_NO_FLUID. */
typedef struct image_fill {
    const pd_region *region;
    double mean_spacing; /* sqrt(area per particle), m */
    long long points;    /* lattice points in pixels with fluid */
    long long surplus;   /* number of these points that get no particle, evenly distributed */
    long long passed;    /* number of these points visited so far */
    const pd_boundary *boundary;
    pd_random *random;
    pd_particles *particles;
    bool squeezed;
} image_fill;

static void add_particles_of_pixel_run(image_fill *fill, const lattice *l, double x, double y, int points,
                                       int material) {
    double reach = 0.5 * (fmin(l->spacing, l->row_height) - 0.35 * fill->mean_spacing);
    for (int k = 0; k < points; k++) {
        long long before = fill->surplus * fill->passed / fill->points;
        fill->passed++;
        if (fill->surplus * fill->passed / fill->points > before) continue;
        pd_vec2 p = {(float)(x + k * l->spacing), (float)y};
        int pixel = material;
        if (fill->region->fill == PD_FILL_RANDOM && reach > 0.0) {
            p = draw_point_near(fill->region, p, reach, fill->random);
            pixel = pd_image_pixel_at(&fill->region->area, p);
            /* A point displaced into a pixel without fluid has the material of its original pixel. */
            if (pixel == PD_NO_FLUID) pixel = material;
        }
        if (add_particle_at_allowed_place(fill->region, pixel, p, 0.5 * fill->mean_spacing, fill->boundary,
                                          fill->particles))
            fill->squeezed = true;
    }
}

/* Returns the number of points of a row at height y in pixels with fluid, and adds their particles unless `fill` is NULL.
 * first_offset: distance of the row's first point from the image's left edge, m. */
static long long fill_or_count_image_row(const pd_area *area, const lattice *l, double first_offset, double y,
                                         const uint8_t *pixels, image_fill *fill) {
    double width = (double)area->size.x / area->columns, left = area->center.x - 0.5 * area->size.x;
    long long points = 0;
    for (int begin = 0, end; begin < area->columns; begin = end) {
        for (end = begin + 1; end < area->columns && pixels[end] == pixels[begin];) end++;
        if (pixels[begin] == PD_NO_FLUID) continue;
        double from = fmax(ceil((begin * width - first_offset) / l->spacing), 0),
               to = ceil((end * width - first_offset) / l->spacing);
        if (!(to > from)) continue;
        points += (long long)(to - from);
        if (fill)
            add_particles_of_pixel_run(fill, l, left + first_offset + from * l->spacing, y, (int)(to - from),
                                       pixels[begin]);
    }
    return points;
}

static bool has_fluid(const uint8_t *pixels, int columns) {
    int i = 0;
    while (i < columns && pixels[i] == PD_NO_FLUID) i++;
    return i < columns;
}

/* Returns the number of points of a lattice in an image's pixels with fluid, and adds their particles unless `fill` is
 * NULL. Cost: O(columns of the image) for each row of the lattice with fluid. */
static long long fill_or_count_image(const pd_area *area, const lattice *l, image_fill *fill) {
    double height = area->size.y, top = area->center.y + 0.5 * height;
    long long points = 0, rows = (long long)fmax(height / l->row_height, 1);
    double margin = 0.5 * (height - (double)(rows - 1) * l->row_height);
    double half = 0.5 * area->size.x, first = fmod(half, l->spacing);
    int line = -1;
    bool filled = false;
    for (long long row = 0; row < rows; row++) {
        double down = margin + (double)row * l->row_height, shift = l->hex ? (row & 1 ? 0.25 : -0.25) : 0;
        int at = (int)fmin(down / height * area->rows, area->rows - 1);
        const uint8_t *pixels = area->pixels + (size_t)at * (size_t)area->columns;
        if (at != line) filled = has_fluid(pixels, area->columns);
        line = at;
        double begin = first + shift * l->spacing;
        if (begin < 0) begin += l->spacing;
        if (filled) points += fill_or_count_image_row(area, l, begin, top - down, pixels, fill);
    }
    return points;
}

/* Sets l->spacing to the greatest value at which the lattice has at least least_count points in pixels with fluid, by
 * bisection. Returns false if no spacing down to half of mean_spacing suffices, for example if the fluid is a thin line
 * between lattice points. */
static bool fit_image_lattice(const pd_area *area, int least_count, double mean_spacing, lattice *l) {
    double low = mean_spacing, high = 1.5 * mean_spacing;
    int shrinks = 0;
    for (set_spacing(l, low); fill_or_count_image(area, l, NULL) < least_count; set_spacing(l, low)) {
        low *= 0.9;
        shrinks++;
        if (shrinks > 6) return false;
    }
    for (int i = 0; i < 20; i++) {
        double middle = 0.5 * (low + high);
        set_spacing(l, middle);
        if (fill_or_count_image(area, l, NULL) >= least_count)
            low = middle;
        else
            high = middle;
    }
    set_spacing(l, low);
    return true;
}

/* Adds `count` particles. All pixels with fluid get the same number of particles, some of them one more. Particles of one
 * pixel are on a horizontal line. */
static void fill_pixels(image_fill *fill, int count) {
    const pd_area *area = &fill->region->area;
    double width = (double)area->size.x / area->columns, height = (double)area->size.y / area->rows;
    long long before = 0, pixels = 0, done = 0;
    for (int i = 0; i < area->columns * area->rows; i++) pixels += area->pixels[i] != PD_NO_FLUID;
    for (int i = 0; i < area->columns * area->rows; i++) {
        if (area->pixels[i] == PD_NO_FLUID) continue;
        long long after = count * ++done / pixels;
        double left = area->center.x + (i % area->columns - 0.5 * area->columns) * width;
        double y = area->center.y + (0.5 * area->rows - i / area->columns - 0.5) * height;
        for (long long k = 0; k < after - before; k++) {
            double x = left + ((double)k + 0.5) / (double)(after - before) * width;
            if (add_particle_at_allowed_place(fill->region, area->pixels[i], (pd_vec2){(float)x, (float)y},
                                              0.5 * fill->mean_spacing, fill->boundary, fill->particles))
                fill->squeezed = true;
        }
        before = after;
    }
}

static bool fill_image(image_fill *fill, int count) {
    const pd_area *area = &fill->region->area;
    lattice l = {.hex = fill->region->fill != PD_FILL_GRID};
    fill->mean_spacing = sqrt(pd_area_square_metres(area) / count);
    if (!fit_image_lattice(area, count, fill->mean_spacing, &l)) {
        fill_pixels(fill, count);
        return fill->squeezed;
    }
    fill->points = fill_or_count_image(area, &l, NULL);
    fill->surplus = fill->points - count;
    fill_or_count_image(area, &l, fill);
    return fill->squeezed;
}

/* Returns whether rings are dense enough across and loose enough along the area's outline. */
static bool can_have_rings(const pd_area *area) {
    pd_vec2 half = pd_area_half_size(area);
    return (area->shape == PD_SHAPE_CIRCLE || area->shape == PD_SHAPE_ELLIPSE) &&
           fmaxf(half.x, half.y) <= 2 * fminf(half.x, half.y);
}

/* Adds `count` particles to a circle on rings that are equally wide and equally dense, or to an ellipse, which is a stretched
 * circle. The particles are symmetric about the vertical axis. */
static bool fill_rings(const pd_region *region, int count, const pd_boundary *boundary, pd_particles *particles) {
    const double mean_spacing = sqrt(pd_area_square_metres(&region->area) / count);
    const pd_vec2 half = pd_area_half_size(&region->area);
    const int rings = (int)fmax(floor(sqrt((double)half.x * half.y) / mean_spacing + 0.5), 1);
    const pd_vec2 center = region->area.center;
    bool squeezed = false;
    for (int k = 0, before = 0, after; k < rings; k++, before = after) {
        double outer = (k + 1.0) / rings;
        after = (int)(count * outer * outer + 0.5);
        double across = after == 1 ? 0 : half.x * (k + 0.5) / rings, up = after == 1 ? 0 : half.y * (k + 0.5) / rings;
        for (int i = 0, points = after - before; i < points; i++) {
            int half_steps = 2 * i + k % 2;                           /* from the top, of 2 points around the ring */
            int side = (half_steps < points) - (half_steps > points); /* 0: at the bottom */
            double angle = 3.141592653589793 * fmin(half_steps, 2 * points - half_steps) / points;
            pd_vec2 p = {(float)(center.x + side * across * pd_sin(angle)), (float)(center.y + up * pd_cos(angle))};
            if (add_particle_at_allowed_place(region, region->material, p, 0.5 * mean_spacing, boundary, particles))
                squeezed = true;
        }
    }
    return squeezed;
}

bool pd_region_add_particles(const pd_region *region, int count, const pd_boundary *boundary, pd_random *random,
                             pd_particles *particles) {
    bool squeezed = false;
    if (count <= 0) return false;
    PD_ASSERT(particles->count <= particles->capacity - count);
    pd_vec2 half = pd_area_half_size(&region->area);
    PD_ASSERT(half.x > 0.0f && half.y > 0.0f);
    if (region->area.shape == PD_SHAPE_IMAGE) {
        image_fill fill = {.region = region, .boundary = boundary, .random = random, .particles = particles};
        return fill_image(&fill, count);
    }
    if (region->fill == PD_FILL_RINGS && can_have_rings(&region->area))
        return fill_rings(region, count, boundary, particles);
    long long points = 0, before = 0;
    lattice l = find_best_lattice(region, count, &points);
    PD_ASSERT(points >= count);
    long long surplus = points - count;
    double by_x, by_y, y, mean_spacing = sqrt(pd_area_square_metres(&region->area) / count);
    compute_stretch_factors(&l, &by_x, &by_y);
    double reach = 0.5 * (fmin(l.spacing, l.row_height) - 0.35 * mean_spacing);
    int rows = count_rows_above_axis(&l);
    for (int row = -rows - 1; row <= rows; row++) {
        int full = count_row_points(&l, row, &y);
        long long after = before + full;
        int used = full - (int)(surplus * after / points - surplus * before / points);
        before = after;
        double pitch = used ? l.spacing * by_x * full / used : 0.0;
        for (int k = 0; k < used; k++) {
            double x = (k - 0.5 * (used - 1)) * pitch;
            pd_vec2 p = {(float)(region->area.center.x + x), (float)(region->area.center.y + y * by_y)};
            if (region->fill == PD_FILL_RANDOM && reach > 0.0) p = draw_point_near(region, p, reach, random);
            if (add_particle_at_allowed_place(region, region->material, p, 0.5 * mean_spacing, boundary, particles))
                squeezed = true;
        }
    }
    return squeezed;
}

bool pd_region_add_listed_particles(const pd_region *region, const pd_boundary *boundary, pd_particles *particles) {
    float tolerance = 1e-3f * region->spacing;
    bool squeezed = false;
    for (int i = 0; i < region->count; i++) {
        const pd_scene_particle *placed = &region->particles[i];
        pd_vec2 p = placed->position;
        if (!pd_boundary_allows_position(boundary, p, tolerance)) {
            pd_boundary_push_out_of_walls(boundary, &p);
            if (!pd_boundary_allows_position(boundary, p, 0)) continue; /* the walls leave no place for it */
            squeezed |= pd_hypotf(p.x - placed->position.x, p.y - placed->position.y) > 0.5f * region->spacing;
        }
        pd_particles_add(particles, p, placed->velocity, placed->material);
    }
    return squeezed;
}

void pd_vorton_add_velocity(const pd_vorton *vorton, float x, float y, float *vx, float *vy) {
    float strength = vorton->circulation / 6.2831853f, dx = x - vorton->position.x, dy = y - vorton->position.y;
    float speed_over_distance = strength / (dx * dx + dy * dy + vorton->core * vorton->core);
    *vx -= speed_over_distance * dy;
    *vy += speed_over_distance * dx;
}

void pd_vortons_add_velocities(const pd_vorton *vortons, int count, pd_particles *particles) {
    for (int k = 0; k < count; k++)
        for (int i = 0; i < particles->count; i++)
            pd_vorton_add_velocity(&vortons[k], particles->x[i], particles->y[i], &particles->vx[i], &particles->vy[i]);
}
