/* Loops of vortex/induction.h that are compiled for each SIMD level (induction_wide.c, induction_tree_wide.c,
 * induction_narrow_wide.c).
 *
 * Units: positions are relative to the centre of the walls and about 1; their unit is a power of two of metres.
 * Circulations are relative to the strongest vortex. Complex numbers: z = x + iy. Without cores the field is
 * the sum of g/(z - a) = 2 pi i (u - iv) over the vortices of circulation g at a.
 *
 * Vortices and positions are sorted along a Hilbert curve, so that every run of them is compact. A leaf is a run of 16;
 * a node is up to four nodes of the level below. The trees need neither pointers nor splitting rules, even for
 * coincident vortices. */
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
    PD_VORTEX_NEAR_BOXES = 256, /* greatest number of boxes summed one by one: the box and its near reflections */
    PD_VORTEX_MODES =
        24, /* greatest number of modes in all sections of a narrow box together, for each leaf of vortices */
    PD_VORTEX_KEY_BITS = 21,  /* number of bits of a coordinate in a key */
    PD_VORTEX_INDEX_BITS = 22 /* number of bits of a point's index in a key */
};

/* Bound of coordinates, units of the field: the fourth power of a distance must not overflow a float. */
#define PD_VORTEX_FARTHEST 1e9f
/* Along two walls a distance H apart, the effect of a vortex between them ends at the distance PD_VORTEX_REACH x H:
 * exp(-pi 5.2) = 1e-7. */
#define PD_VORTEX_REACH 5.2

typedef struct pd_vortex_node {
    float x, y, radius; /* disc around the vortices */
    float reach;        /* beyond this distance from the disc, vortices act as points; negative: no vortex has a core */
} pd_vortex_node;

/* The box of the vortices, or one of its reflections. */
typedef struct pd_vortex_box {
    float x, y;   /* centre */
    float sx, sy; /* -1 if mirrored in x (sx), in y (sy); else 1 */
} pd_vortex_box;

typedef struct pd_vortex_field {
    int count; /* number of vortices, including vortices of circulation 0 that fill the last leaf */
    int leaf_count, node_count, level_count;
    int first_node[PD_VORTEX_DEPTH + 1]; /* first node of each level, from the leaves up; the root is the last node */
    float *x, *y, *circulation, *core;   /* by vortex; an element at the end has circulation 0 */
    float *core_scale;                   /* by vortex: 1/(16 core^2) */
    pd_vortex_node *node;                /* nodes of the tree, leaves first */
    int *first_child;                    /* by node: index of its first child; for a leaf, of its first vortex */
    uint8_t *child_count;                /* by node: number of children; 0: a leaf */
    int term_count;                      /* number of terms of the multipoles, even */
    /* By node, term_count complex numbers: sum of circulation x ((a - s)/radius)^k over the node's vortices at a. s: centre
     * of the node's disc. */
    float *multipole; /* expansion about the centre of each node's disc */
    bool direct;      /* all pairs are summed; the tree is not used */
    float
        separation; /* expansions are used beyond the distance separation x larger radius + smaller radius of two nodes */
    float cutoff;   /* the Gaussian of a core is omitted beyond cutoff x core */
    pd_walls_kind kind;
    float radius;            /* radius of the circle or disc, units of the field */
    float total_circulation; /* sum over the vortices */
    float reach;             /* greatest reach of all nodes */
    float far_radius;        /* unit of length of the expansions about the centre */
    /* Complex moments: for each k the sum of circulation x ((a - centre)/far_radius)^k over the vortices at a. */
    float moment[2 * PD_VORTEX_FAR];
    float local[2 * PD_VORTEX_FAR]; /* complex coefficients of the far boxes' field, expanded about the centre */
    int near_box_count;             /* 1 without a box: only the vortices themselves */
    pd_vortex_box near_boxes[PD_VORTEX_NEAR_BOXES]; /* the box and its reflections that are summed one by one */
    float short_side, long_side;                    /* sides of a box that is too narrow for near_boxes; else 0 */
    bool upright;                                   /* the long side is the height */
    int section_count;                 /* number of sections along a narrow box; 0: no sections, all pairs are summed */
    int mode_count;                    /* number of modes of a section, a multiple of 16 */
    double first_edge, section_length; /* first_edge: coordinate at which the first section begins */
    float *mode[2]; /* by section: modes of the vortices to its left (0) or its right (1); section_count + 2 rows */
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
typedef void pd_vortex_set_moments(pd_vortex_field *field);
/* Computes the sum of g/(z - a) with all walls (re, im) at `count` positions: a multiple of 16, at most
 * PD_VORTEX_CHUNK. */
typedef void pd_vortex_evaluate_chunk(const pd_vortex_field *field, int count, const float *x, const float *y,
                                      float *re, float *im);
/* Computes field->mode[side] for begin <= side < end (0: left, 1: right). */
typedef void pd_vortex_set_modes(const pd_vortex_field *field, int begin, int end);
/* Works like pd_vortex_evaluate_chunk, for narrow boxes (short_side > 0). Returns the number of summed pairs of 16
 * positions with a vortex or a reflection. */
typedef double pd_vortex_evaluate_narrow(const pd_vortex_field *field, int count, const float *x, const float *y,
                                         float *re, float *im);

#define PD_VORTEX_DECLARE(level)                                                                                       \
    pd_vortex_keys_range pd_vortex_compute_keys_##level;                                                               \
    pd_vortex_nodes_range pd_vortex_compute_leaves_##level;                                                            \
    pd_vortex_nodes_range pd_vortex_compute_nodes_##level;                                                             \
    pd_vortex_set_moments pd_vortex_compute_moments_##level;                                                           \
    pd_vortex_evaluate_chunk pd_vortex_evaluate_##level;                                                               \
    pd_vortex_set_modes pd_vortex_compute_modes_##level;                                                               \
    pd_vortex_evaluate_narrow pd_vortex_evaluate_narrow_box_##level;
PD_VORTEX_DECLARE(baseline)
PD_VORTEX_DECLARE(avx2)
PD_VORTEX_DECLARE(avx512)
#undef PD_VORTEX_DECLARE

/* Returns the field that pd_induction_set_vortices prepared, for tests. */
const pd_vortex_field *pd_induction_field(const pd_induction *induction);

#endif
