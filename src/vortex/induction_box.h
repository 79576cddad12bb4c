/* All reflections of vortices at the sides of a box. */
#ifndef PUDDLE_VORTEX_INDUCTION_BOX_H
#define PUDDLE_VORTEX_INDUCTION_BOX_H

#include "vortex/induction_levels.h"

/* Sums of (far_radius/t)^p, p = 2, 4, ... over the centres t of the far boxes, by the parity of their column and row. */
typedef struct pd_vortex_lattice {
    double width, height; /* of the box that they are for */
    double sum[2][2][PD_VORTEX_FAR + 1];
} pd_vortex_lattice;

/* Sets the near reflections and far_radius for a box of this size (in units of the field), and the lattice unless it is
 * that of the box already; or, in a box too narrow for the expansion, short_side and what belongs to it. */
void pd_vortex_reflect(pd_vortex_field *field, pd_vortex_lattice *lattice, double width, double height);
/* Sets the field of the far reflections (`local`) from the moments. */
void pd_vortex_set_local(pd_vortex_field *field, const pd_vortex_lattice *lattice);
/* In a narrow box: sets the sections and the number of their modes, as many as PD_VORTEX_MODES allows; none where the vortices
 * are so few that all may be summed as pairs. */
void pd_vortex_set_sections(pd_vortex_field *field);
/* exp(-s), s >= 0, the same on every machine. */
double pd_vortex_decay(double s);

#endif
