/* A bounding volume hierarchy of axis-aligned boxes: finds the items whose boxes overlap a box. The structure is fixed
 * when it is built; the boxes may move (refit). */
#ifndef PUDDLE_SIM_WALLS_BOXTREE_H
#define PUDDLE_SIM_WALLS_BOXTREE_H

#include <stdbool.h>

typedef struct pd_box {
    float low_x, low_y, high_x, high_y;
} pd_box;

/* Nodes are stored depth first: a node's first child follows it; `skip` is the index of the first node behind its
 * subtree. */
typedef struct pd_boxnode {
    pd_box box;
    int skip;
    int item; /* -1: an inner node */
} pd_boxnode;

typedef struct pd_boxtree {
    pd_boxnode *nodes;
    int node_count;
} pd_boxtree;

/* Negated comparisons, so that NaN counts as overlap and the exact test of the item decides. */
static inline bool pd_box_touches(const pd_box *a, const pd_box *b) {
    return !(a->low_x > b->high_x || a->high_x < b->low_x || a->low_y > b->high_y || a->high_y < b->low_y);
}

/* Builds over count boxes. ordered: the boxes are already sorted along a curve in space, which makes the build O(count)
 * instead of O(count log^2 count). False when there is no memory. */
bool pd_boxtree_build(pd_boxtree *tree, const pd_box *boxes, int count, bool ordered);
/* New boxes for the same items. O(count), no allocation. */
void pd_boxtree_refit(pd_boxtree *tree, const pd_box *boxes);
void pd_boxtree_free(pd_boxtree *tree);

/* Visits the items whose boxes overlap *box: for (int n = pd_boxtree_first(...); n >= 0; n = pd_boxtree_next(...)); the
 * item is nodes[n].item. */
int pd_boxtree_next(const pd_boxtree *tree, const pd_box *box, int node);
static inline int pd_boxtree_first(const pd_boxtree *tree, const pd_box *box) { return pd_boxtree_next(tree, box, -1); }

#endif
