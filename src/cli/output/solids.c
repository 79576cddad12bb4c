/* Outlines of container, obstacles and bodies as legacy VTK polydata. */
#include "cli/output/solids.h"

#include "core/math.h"
#include "scene/geometry.h"

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

void solids_print_vtk(FILE *stream, const pd_view *view) {
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
