/* Loops of vortex/induction.h that are compiled for each SIMD level (induction_wide.c,
 * induction_narrow_wide.c).
 *
 * Units: positions are relative to the centre of the walls and about 1; their unit is a power of two of metres.
 * Circulations are relative to the strongest vortex. Complex numbers: z = x + iy. Without cores the field is
 * the sum of g/(z - a) = 2 pi i (u - iv) over the vortices of circulation g at a.
 * Vortices are sorted along a Hilbert curve, and so are positions. Consecutive vortices or positions are then close
 * together. A leaf is 16 consecutive ones, and each other node of a tree is up to four consecutive nodes of the level
 * below. The trees therefore need neither pointers nor splitting rules, even for coincident vortices. */
#ifndef PUDDLE_VORTEX_INDUCTION_LEVELS_H
#define PUDDLE_VORTEX_INDUCTION_LEVELS_H

#include "vortex/induction.h"
#include <stdbool.h>
#include <stdint.h>

enum {
    PD_VORTEX_LEAF = 16,                 /* number of vortices or positions in a leaf */
    PD_VORTEX_CHUNK = 256,               /* greatest number of positions that are evaluated together: 16 leaves */
    PD_VORTEX_CHILDREN = 4,              /* greatest number of children of a node */
    PD_VORTEX_DEPTH = 13,                /* greatest number of levels of a tree */
    PD_VORTEX_ORDER = 24,                /* greatest number of terms of a node's expansion */
    PD_VORTEX_FAR = 32,                  /* number of terms of the expansions about the centre of the walls */
    PD_VORTEX_INNER = PD_VORTEX_FAR - 1, /* number of terms of the expansion about the centre of a circle */
    PD_VORTEX_NEAR_REFLECTIONS = 256,    /* greatest number of elements in near_reflections */
    /* Greatest ratio of (number of Fourier modes of all slabs of a narrow box) to (number of leaves of vortices). */
    PD_VORTEX_MOST_MODES_PER_LEAF = 24,
    PD_VORTEX_KEY_BITS = 20,  /* number of bits of a coordinate in a Hilbert key */
    PD_VORTEX_INDEX_BITS = 24 /* number of bits of a point's index in a Hilbert key */
};
_Static_assert(2 * PD_VORTEX_KEY_BITS + PD_VORTEX_INDEX_BITS == 64 &&
                   PD_INDUCTION_MOST_POINTS == 1 << PD_VORTEX_INDEX_BITS,
               "a Hilbert key has 64 bits, and an index for each point");

/* Greatest absolute coordinate, units of the field: the fourth power of a distance must not overflow a float. */
#define PD_VORTEX_FARTHEST 1e9f
/* Along two walls a distance H apart, the effect of a vortex between them ends at the distance PD_VORTEX_REACH x H:
 * exp(-pi 5.2) = 1e-7. */
#define PD_VORTEX_REACH 5.2

/* Node of the tree of vortices. mapped_positions.node (induction_wide.c) uses the same struct for positions. */
typedef struct pd_vortex_node {
    float x, y, radius; /* disc that contains the node's vortices: centre and radius, units of the field */
    float reach; /* beyond this distance from the disc all its vortices act as points; negative: none has a core */
} pd_vortex_node;

/* Reflection of the box that contains the vortices. The box itself counts as a reflection. */
typedef struct pd_vortex_reflection {
    float x, y;   /* centre of the reflection, units of the field */
    float sx, sy; /* sx: -1 if mirrored in x, else 1; sy: -1 if mirrored in y, else 1 */
} pd_vortex_reflection;

/* Vortices and their tree, prepared for the evaluation of their velocity field. */
typedef struct pd_vortex_field {
    int count; /* number of vortices, including vortices of circulation 0 that fill the last leaf */
    int leaf_count, node_count, level_count; /* numbers of leaves, nodes and levels of the vortices' tree */
    int first_node[PD_VORTEX_DEPTH + 1]; /* by level, from the leaves up: its first node; the root is the last node */
    float *x, *y, *circulation, *core;   /* by vortex; an element at the end has circulation 0 */
    float *core_scale;                   /* by vortex: 1/(16 core^2) */
    pd_vortex_node *node;                /* nodes of the tree, leaves first */
    int *first_child;                    /* by node: index of its first child; for a leaf, of its first vortex */
    uint8_t *child_count;                /* by node: number of children; 0: a leaf */
    int term_count;                      /* number of terms of the multipoles, even */
    /* Multipole of a node: term_count complex numbers. Number k is the sum of circulation x ((a - s)/radius)^k over
     * the node's vortices at a; s, radius: the node's disc. */
    float *multipole; /* by node */
    bool direct;      /* true: all pairs are summed, without the tree */
    /* multipoles are used beyond the distance separation x larger radius + smaller radius of two nodes */
    float separation;
    float cutoff;            /* beyond the distance cutoff x core radius a vortex acts as a point */
    pd_walls_kind kind;      /* shape of the walls */
    float radius;            /* radius of the circle or disc, units of the field */
    float total_circulation; /* sum of the vortices' circulations */
    float reach;             /* greatest pd_vortex_node.reach of the tree, units of the field */
    float far_radius;        /* unit of length in `moment` and `local`, units of the field */
    /* Complex moments: number k is the sum of circulation x ((a - c)/far_radius)^k over the vortices at a, c: centre of
     * the walls. */
    float moment[2 * PD_VORTEX_FAR];
    float local[2 * PD_VORTEX_FAR]; /* complex coefficients of the far reflections' field, expanded about the centre */
    int near_reflection_count;      /* number of near_reflections; 1 without a box: only the vortices themselves */
    pd_vortex_reflection near_reflections[PD_VORTEX_NEAR_REFLECTIONS]; /* the box and its nearest reflections */
    /* Narrow box: a box so narrow that PD_VORTEX_NEAR_REFLECTIONS are too few (induction_narrow_wide.c). Otherwise both
     * sides are 0. */
    float short_side, long_side;
    bool upright; /* the narrow box's long side is its height */
    /* Slabs: equal pieces of a narrow box, one behind the other along its long side. */
    int slab_count;         /* 0: there are no slabs, and all pairs of a vortex and a position are summed */
    int fourier_mode_count; /* number of Fourier modes of a slab, a multiple of 16 */
    double first_slab_edge; /* coordinate of the first slab's edge along the long side */
    double slab_length;     /* length of a slab along the long side */
    /* By slab: mode amplitudes of the vortices to its left ([0]), right ([1]); slab_count + 2 rows. */
    float *fourier_modes[2];
} pd_vortex_field;

/* Square that a Hilbert curve of 2^21 x 2^21 cells fills: lower left corner (x, y), and cells per unit of length. */
typedef struct pd_vortex_curve {
    float x, y, cells_per_unit;
} pd_vortex_curve;

/* Writes keys[i] = (distance of point i along the curve, cells) << 22 | i. */
typedef void pd_vortex_keys_range(const pd_vortex_curve *curve, const float *x, const float *y, int begin, int end,
                                  uint64_t *keys);
/* Computes discs and multipoles of the nodes [begin, end): of leaves from their vortices, of other nodes from their
 * children. */
typedef void pd_vortex_nodes_range(const pd_vortex_field *field, int begin, int end);
/* Computes field->moment. */
typedef void pd_vortex_moments_of_field(pd_vortex_field *field);
/* Computes the field (re, im) of the vortices and of all their images at `count` positions: the sum of g/(z - a).
 * count: a multiple of 16, at most PD_VORTEX_CHUNK. */
typedef void pd_vortex_evaluate_chunk(const pd_vortex_field *field, int count, const float *x, const float *y,
                                      float *re, float *im);
/* Computes field->fourier_modes[side] for begin <= side < end. */
typedef void pd_vortex_fourier_modes_range(const pd_vortex_field *field, int begin, int end);
/* Computes the same as pd_vortex_evaluate_chunk in a narrow box (short_side > 0). Returns a measure of the cost: the
 * number of summed pairs of 16 positions and one vortex or one of its reflections. */
typedef double pd_vortex_evaluate_narrow(const pd_vortex_field *field, int count, const float *x, const float *y,
                                         float *re, float *im);

#define PD_VORTEX_DECLARE(level)                                                                                       \
    pd_vortex_keys_range pd_vortex_compute_keys_##level;                                                               \
    pd_vortex_nodes_range pd_vortex_compute_leaves_##level;                                                            \
    pd_vortex_nodes_range pd_vortex_compute_nodes_##level;                                                             \
    pd_vortex_moments_of_field pd_vortex_compute_moments_##level;                                                      \
    pd_vortex_evaluate_chunk pd_vortex_evaluate_##level;                                                               \
    pd_vortex_fourier_modes_range pd_vortex_compute_fourier_modes_##level;                                             \
    pd_vortex_evaluate_narrow pd_vortex_evaluate_narrow_box_##level;
PD_VORTEX_DECLARE(baseline)
PD_VORTEX_DECLARE(avx2)
PD_VORTEX_DECLARE(avx512)
#undef PD_VORTEX_DECLARE

/* Returns the field that pd_induction_set_vortices prepared, for tests. */
const pd_vortex_field *pd_induction_field(const pd_induction *induction);

/* Returns exp(-s) for s >= 0, with the same bits on every machine. */
double pd_vortex_exp_of_minus(double s);

#endif
