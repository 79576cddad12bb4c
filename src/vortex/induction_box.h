/* Reflections of vortices at the sides of a box. */
#ifndef PUDDLE_VORTEX_INDUCTION_BOX_H
#define PUDDLE_VORTEX_INDUCTION_BOX_H

#include "vortex/induction_levels.h"

/* Sums of (far_radius/t)^p, p = 2, 4, ..., over the centres t (complex) of the far reflections of a box. sum[m][n][p/2]
 * is the sum over the reflections in columns of parity m and rows of parity n. */
typedef struct pd_vortex_lattice {
    double width, height;                /* size of the box, in units of the field */
    double sum[2][2][PD_VORTEX_FAR + 1]; /* by parity of column and row, and by p/2 */
} pd_vortex_lattice;

/* Sets near_reflections and far_radius for a box of this size, in units of the field. Recomputes the lattice if the
 * size has changed. If the box is narrow, sets short_side, long_side and upright instead of near_reflections. */
void pd_vortex_list_box_reflections(pd_vortex_field *field, pd_vortex_lattice *lattice, double width, double height);
/* Computes field->local (the field of the far reflections) from field->moment. */
void pd_vortex_compute_local_expansion(pd_vortex_field *field, const pd_vortex_lattice *lattice);
/* Divides a narrow box into slabs (induction_levels.h), as short as PD_VORTEX_MOST_MODES_PER_LEAF allows. With few vortices
 * sets slab_count to 0: all pairs are then summed. */
void pd_vortex_divide_narrow_box_into_slabs(pd_vortex_field *field);
/* Returns exp(-s) for s >= 0, with the same bits on every machine. */
double pd_vortex_exp_of_minus(double s);

#endif
