/* Reflections of vortices at the sides of a box. */
#ifndef PUDDLE_VORTEX_INDUCTION_BOX_H
#define PUDDLE_VORTEX_INDUCTION_BOX_H

#include "vortex/induction_levels.h"

/* Sums of (far_radius/t)^p, p = 2, 4, ... over the centres t of the far boxes, for each parity of a box's column and
 * row. */
typedef struct pd_vortex_lattice {
    double width, height; /* size of the box, in units of the field */
    double sum[2][2][PD_VORTEX_FAR + 1];
} pd_vortex_lattice;

/* Sets the near reflections and far_radius for a box of this size, in units of the field. Updates the lattice if it is
 * of another size. A box too narrow for the expansion gets short_side, long_side and upright instead. */
void pd_vortex_set_reflections(pd_vortex_field *field, pd_vortex_lattice *lattice, double width, double height);
/* Sets `local`, the field of the far reflections, from the moments. */
void pd_vortex_set_local(pd_vortex_field *field, const pd_vortex_lattice *lattice);
/* Sets the sections of a narrow box and the number of their modes, as PD_VORTEX_MODES allows. Few vortices get no
 * sections, and all pairs are summed. */
void pd_vortex_set_sections(pd_vortex_field *field);
/* Returns exp(-s) for s >= 0, with the same bits on every machine. */
double pd_vortex_decay(double s);

#endif
