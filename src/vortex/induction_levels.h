/* The loops of vortex/induction.h that are compiled for each SIMD level (induction_wide.c, induction_tree_wide.c).
 *
 * Units: positions from the centre of the walls in a unit of length that is a power of two of metres and makes them
 * about 1, circulations in that of the strongest vortex. Complex numbers: z = x + iy, and fields are sums of
 * g/(z - a) = 2 pi i (u - iv), without cores.
 *
 * Both the vortices and the positions are sorted along a Hilbert curve, so that every run of them is compact. A leaf is
 * 16 of them; a node of the tree is up to four nodes of the level below. So trees need neither pointers nor splitting
 * rules, and coincident vortices are no special case. */
#ifndef PUDDLE_VORTEX_INDUCTION_LEVELS_H
#define PUDDLE_VORTEX_INDUCTION_LEVELS_H

#include "vortex/induction.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    PD_VORTEX_LEAF = 16,                 /* vortices, or positions */
    PD_VORTEX_CHUNK = 256,               /* positions that are computed together: 16 leaves */
    PD_VORTEX_FANOUT = 4,                /* nodes to a node */
    PD_VORTEX_DEPTH = 13,                /* levels of a tree, at most */
    PD_VORTEX_ORDER = 24,                /* terms of an expansion of the tree, at most */
    PD_VORTEX_FAR = 32,                  /* terms of the expansions about the centre of the walls */
    PD_VORTEX_INNER = PD_VORTEX_FAR - 1, /* of them, those that are used in a circle */
    PD_VORTEX_VIEWS = 256,               /* reflections that are summed one by one, at most */
    PD_VORTEX_MODES = 24,     /* of all sections of a narrow box, at most so many for each leaf of vortices */
    PD_VORTEX_KEY_BITS = 21,  /* of a coordinate in a key */
    PD_VORTEX_INDEX_BITS = 22 /* of the index of a point in a key */
};

/* The largest coordinate; squares of squares of distances are floats. */
#define PD_VORTEX_FARTHEST 1e9f
/* Between two walls a distance H apart a vortex is felt up to so many H along them: exp(-pi 5.2) = 1e-7. */
#define PD_VORTEX_REACH 5.2

typedef struct pd_vortex_node {
    float x, y, radius; /* a disc around its vortices */
    float reach;        /* farther from the disc cores are not felt; negative: without any core */
} pd_vortex_node;

typedef struct pd_vortex_reflection {
    float x, y;   /* the reflected box's centre */
    float sx, sy; /* -1: mirrored */
} pd_vortex_reflection;

typedef struct pd_vortex_field {
    int count, leaves, nodes, levels; /* count: vortices, filled up to whole leaves with such of circulation 0 */
    int first[PD_VORTEX_DEPTH + 1];   /* node of each level, from the leaves up; the root is the last node */
    float *x, *y, *g, *core, *k;      /* k = 1/(16 core^2); one more at the end with g = 0 */
    pd_vortex_node *node;
    int *child;        /* first child; of leaves their first vortex */
    uint8_t *children; /* 0: a leaf */
    int order;         /* terms of the multipoles, even */
    float *multipole;  /* 2 * order floats of each node: sums of g ((a - s) / radius)^k */
    bool direct;
    float separation; /* distance over sum of radii from which expansions are used */
    float cutoff;     /* farther than so many cores the Gaussian is left out */
    pd_walls_kind kind;
    float radius;                    /* of the circle or disc */
    float total;                     /* sum of g */
    float reach;                     /* the greatest of all nodes */
    float far_radius;                /* the expansions about the centre are in z / far_radius */
    float moment[2 * PD_VORTEX_FAR]; /* sums of g (a / far_radius)^k */
    float local[2 * PD_VORTEX_FAR];  /* of the far reflections in a box */
    int reflections;                 /* in a box, with the box itself */
    pd_vortex_reflection reflection[PD_VORTEX_VIEWS];
    float short_side,
        long_side; /* of a box that is too narrow for the expansion, which then has no reflections; otherwise 0 */
    bool upright;  /* its long side is its height */
    int sections;  /* along the long side of such a box; 0: all vortices are summed as pairs */
    int modes;     /* a multiple of 16 */
    double first_edge, section; /* where the first section begins, and the length of each */
    float *mode[2];             /* (sections + 2) x modes, of the vortices to the left and to the right */
} pd_vortex_field;

/* Where a Hilbert curve of 2^21 x 2^21 cells lies. */
typedef struct pd_vortex_curve {
    float x, y, cells_per_unit;
} pd_vortex_curve;

/* keys[i] = place of point i on the curve << 22 | i. */
typedef void pd_vortex_keys_range(const pd_vortex_curve *curve, const float *x, const float *y, int begin, int end,
                                  uint64_t *keys);
/* Discs and multipoles of nodes begin .. end - 1: of leaves, or of nodes whose children have theirs. */
typedef void pd_vortex_nodes_range(const pd_vortex_field *field, int begin, int end);
/* Sets `moment`. */
typedef void pd_vortex_set_moments(pd_vortex_field *field);
/* The field at `count` positions, a multiple of 16 and at most PD_VORTEX_CHUNK. */
typedef void pd_vortex_evaluate_chunk(const pd_vortex_field *field, int count, const float *x, const float *y,
                                      float *re, float *im);
/* Fills mode[begin .. end - 1]. */
typedef void pd_vortex_set_modes(const pd_vortex_field *field, int begin, int end);
/* As pd_vortex_evaluate_chunk, for boxes with a short_side. Returns how many pairs of 16 positions and a vortex or a
 * reflection were summed. */
typedef double pd_vortex_evaluate_narrow(const pd_vortex_field *field, int count, const float *x, const float *y,
                                         float *re, float *im);

#define PD_VORTEX_DECLARE(level)                                                                                       \
    pd_vortex_keys_range pd_vortex_keys_##level;                                                                       \
    pd_vortex_nodes_range pd_vortex_leaves_##level;                                                                    \
    pd_vortex_nodes_range pd_vortex_nodes_##level;                                                                     \
    pd_vortex_set_moments pd_vortex_moments_##level;                                                                   \
    pd_vortex_evaluate_chunk pd_vortex_evaluate_##level;                                                               \
    pd_vortex_set_modes pd_vortex_modes_##level;                                                                       \
    pd_vortex_evaluate_narrow pd_vortex_narrow_##level;
PD_VORTEX_DECLARE(baseline)
PD_VORTEX_DECLARE(avx2)
PD_VORTEX_DECLARE(avx512)
#undef PD_VORTEX_DECLARE

/* What pd_induction_set has prepared. */
const pd_vortex_field *pd_induction_field(const pd_induction *induction);

#endif
