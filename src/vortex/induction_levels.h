/* Loops of vortex/induction.h that are compiled for each SIMD level (induction_wide.c, induction_tree_wide.c,
 * induction_narrow_wide.c).
 *
 * Units: positions are relative to the centre of the walls and about 1; their unit is a power of two of metres.
 * Circulations are relative to the strongest vortex. Complex numbers: z = x + iy. Without cores the field is the sum of
 * g/(z - a) = 2 pi i (u - iv).
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
    PD_VORTEX_LEAF = 16,                 /* vortices or positions of a leaf */
    PD_VORTEX_CHUNK = 256,               /* positions of a chunk, which are computed together: 16 leaves */
    PD_VORTEX_FANOUT = 4,                /* children of a node, at most */
    PD_VORTEX_DEPTH = 13,                /* levels of a tree, at most */
    PD_VORTEX_ORDER = 24,                /* terms of a tree's expansions, at most */
    PD_VORTEX_FAR = 32,                  /* terms of the expansions about the centre of the walls */
    PD_VORTEX_INNER = PD_VORTEX_FAR - 1, /* terms of these that a circle uses */
    PD_VORTEX_VIEWS = 256,               /* reflections that are summed singly, at most */
    PD_VORTEX_MODES = 24,                /* modes of all sections of a narrow box per leaf of vortices, at most */
    PD_VORTEX_KEY_BITS = 21,             /* bits of a coordinate in a key */
    PD_VORTEX_INDEX_BITS = 22            /* bits of a point's index in a key */
};

/* Largest coordinate: the fourth power of a distance must be a float. */
#define PD_VORTEX_FARTHEST 1e9f
/* Range of a vortex along two walls a distance H apart, in H: exp(-pi 5.2) = 1e-7. */
#define PD_VORTEX_REACH 5.2

typedef struct pd_vortex_node {
    float x, y, radius; /* disc around the vortices */
    float reach;        /* distance from the disc beyond which cores do not matter; negative: no cores */
} pd_vortex_node;

typedef struct pd_vortex_reflection {
    float x, y;   /* centre of the reflected box */
    float sx, sy; /* -1: mirrored */
} pd_vortex_reflection;

typedef struct pd_vortex_field {
    int count, leaves, nodes, levels; /* count: vortices, padded to whole leaves by circulation 0 */
    int first[PD_VORTEX_DEPTH + 1];   /* first node of each level, from the leaves up; the root is the last node */
    float *x, *y, *g, *core, *k;      /* k = 1/(16 core^2); an extra element at the end has g = 0 */
    pd_vortex_node *node;
    int *child;        /* first child; for leaves the first vortex */
    uint8_t *children; /* number of children; 0: a leaf */
    int order;         /* terms of the multipoles, even */
    float *multipole;  /* 2 * order floats for each node: sums of g ((a - s) / radius)^k */
    bool direct;
    float separation; /* least distance / sum of radii for which expansions are used */
    float cutoff;     /* distance in cores beyond which the Gaussian is omitted */
    pd_walls_kind kind;
    float radius;                    /* radius of the circle or disc */
    float total;                     /* sum of g */
    float reach;                     /* greatest reach of all nodes */
    float far_radius;                /* unit of length of the expansions about the centre */
    float moment[2 * PD_VORTEX_FAR]; /* sums of g (a / far_radius)^k */
    float local[2 * PD_VORTEX_FAR];  /* expansion of the far reflections in a box */
    int reflections;                 /* number of near boxes, with the box itself */
    pd_vortex_reflection reflection[PD_VORTEX_VIEWS];
    float short_side, long_side; /* sides of a narrow box, which has no reflections; else 0 */
    bool upright;                /* the long side is the height */
    int sections;                /* sections along a narrow box; 0: all pairs are summed */
    int modes;                   /* modes of a section, a multiple of 16 */
    double first_edge, section;  /* begin of the first section, length of a section */
    float *mode[2];              /* (sections + 2) x modes of the vortices to the left and to the right */
} pd_vortex_field;

/* Position of a Hilbert curve of 2^21 x 2^21 cells. */
typedef struct pd_vortex_curve {
    float x, y, cells_per_unit;
} pd_vortex_curve;

/* Writes keys[i] = place of point i on the curve << 22 | i. */
typedef void pd_vortex_keys_range(const pd_vortex_curve *curve, const float *x, const float *y, int begin, int end,
                                  uint64_t *keys);
/* Sets discs and multipoles of the nodes [begin, end): leaves, or nodes whose children are set. */
typedef void pd_vortex_nodes_range(const pd_vortex_field *field, int begin, int end);
/* Sets `moment` of the field. */
typedef void pd_vortex_set_moments(pd_vortex_field *field);
/* Writes the field at `count` positions, a multiple of 16 and at most PD_VORTEX_CHUNK. */
typedef void pd_vortex_evaluate_chunk(const pd_vortex_field *field, int count, const float *x, const float *y,
                                      float *re, float *im);
/* Sets mode[begin .. end - 1]. */
typedef void pd_vortex_set_modes(const pd_vortex_field *field, int begin, int end);
/* Works like pd_vortex_evaluate_chunk, for boxes with a short_side. Returns the number of summed pairs of 16 positions
 * with a vortex or a reflection. */
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
