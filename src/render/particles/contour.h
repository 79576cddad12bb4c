/* Contour of the surface view: the fluid as polygons, by marching squares on the nodes of a pd_surface_field.
 *
 * Each node has a label: the material whose amount is greatest there, or none where the field is below its threshold or the
 * node is outside the container. Vertices lie on the lines of the grid between nodes of different labels, where the field is
 * linear between the nodes. The materials' polygons share vertices, and cover the fluid without gap and overlap. */
#ifndef PUDDLE_RENDER_PARTICLES_CONTOUR_H
#define PUDDLE_RENDER_PARTICLES_CONTOUR_H

#include <puddle/result.h>
#include <puddle/view.h>

/* Convex polygon: a cell of the grid, or a part of one. */
typedef struct pd_contour_face {
    int first;        /* index of its first corner in pd_contour.corners */
    uint8_t count;    /* number of corners, 3 to 6 */
    uint8_t material; /* index in pd_view.materials */
} pd_contour_face;

typedef struct pd_contour {
    pd_vec2 *vertices; /* positions, m */
    uint8_t *kinds;    /* by vertex: bits of the grid's sides and whether it is a node (contour.c) */
    int vertex_count, vertex_capacity, kind_capacity;
    int *corners; /* indices of vertices, counterclockwise in each face */
    int corner_count, corner_capacity;
    pd_contour_face *faces; /* in the order of the grid's cells, from the lowest row */
    int face_count, face_capacity;
} pd_contour;

/* Computes the contour of a view without OpenGL. alpha: time within the last step, 0 at its beginning, 1 at its end. Without
 * fluid the contour has no faces. Errors: OUT_OF_MEMORY. */
pd_result pd_contour_create(pd_contour *contour, const pd_view *view, float alpha, pd_error *error);
void pd_contour_free(pd_contour *contour);
/* Finds the outlines of a material, which lies on the left of them: outer outlines are counterclockwise, holes clockwise.
 * next: receives for each vertex the index of the following vertex on the outline; -1: the vertex is on no outline. Outlines
 * are closed and do not touch themselves or each other. */
void pd_contour_find_outlines(const pd_contour *contour, int material, int *next);

#endif
