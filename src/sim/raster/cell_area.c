/* Clipping of convex polygons at a cell's sides (Sutherland, Hodgman, "Reentrant polygon clipping", 1974). */
#include "sim/raster/cell_area.h"

#include <stdbool.h>

/* Each of four sides of the cell cuts off at least one corner for every two that it adds: from 4 to 6, 9, 13 and 19. */
enum { MOST_CORNERS = 20 };

/* Clips a polygon at one line. keep_above: keeps the part with coordinate > limit, else that with coordinate < limit.
 * Returns the number of corners of the result. */
static int clip_at_line(const pd_double2 *from, int count, bool vertical, double limit, bool keep_above,
                        pd_double2 *to) {
    int kept = 0;
    for (int k = 0; k < count; k++) {
        pd_double2 a = from[k], b = from[k + 1 < count ? k + 1 : 0];
        double of_a = (vertical ? a.x : a.y) - limit, of_b = (vertical ? b.x : b.y) - limit;
        bool has_a = keep_above ? of_a > 0.0 : of_a < 0.0, has_b = keep_above ? of_b > 0.0 : of_b < 0.0;
        if (has_a) to[kept++] = a;
        if (has_a != has_b) {
            double t = of_a / (of_a - of_b);
            to[kept++] =
                vertical ? (pd_double2){limit, a.y + t * (b.y - a.y)} : (pd_double2){a.x + t * (b.x - a.x), limit};
        }
    }
    return kept;
}

static int list_corners(const pd_convex_part *part, pd_double2 *corner) {
    if (part->triangle) {
        for (int k = 0; k < 3; k++) corner[k] = part->corner[k];
        return 3;
    }
    double cl = part->axis.x * part->length, sl = part->axis.y * part->length;
    double cw = part->axis.x * part->width, sw = part->axis.y * part->width;
    pd_double2 p = part->center;
    corner[0] = (pd_double2){p.x + cl - sw, p.y + sl + cw};
    corner[1] = (pd_double2){p.x - cl - sw, p.y - sl + cw};
    corner[2] = (pd_double2){p.x - cl + sw, p.y - sl - cw};
    corner[3] = (pd_double2){p.x + cl + sw, p.y + sl - cw};
    return 4;
}

double pd_cell_area_of_part(const pd_convex_part *part, int i, int j) {
    pd_double2 a[MOST_CORNERS], b[MOST_CORNERS];
    int count = list_corners(part, a);
    for (int k = 0; k < count; k++) a[k] = (pd_double2){a[k].x - i, a[k].y - j};
    count = clip_at_line(a, count, true, 0.0, true, b);
    count = clip_at_line(b, count, true, 1.0, false, a);
    count = clip_at_line(a, count, false, 0.0, true, b);
    count = clip_at_line(b, count, false, 1.0, false, a);
    double twice = 0.0;
    for (int k = 0; k < count; k++) {
        pd_double2 p = a[k], q = a[k + 1 < count ? k + 1 : 0];
        twice += p.x * q.y - q.x * p.y;
    }
    double area = twice < 0.0 ? -0.5 * twice : 0.5 * twice;
    return area < 1.0 ? area : 1.0;
}
