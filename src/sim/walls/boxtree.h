/* A bounding volume hierarchy of axis-aligned boxes, which finds the items whose boxes overlap a given box. Boxes may move
 * (pd_boxtree_refit); the structure of the tree is fixed at creation. */
#ifndef PUDDLE_SIM_WALLS_BOXTREE_H
#define PUDDLE_SIM_WALLS_BOXTREE_H

#include <stdbool.h>

/* Rectangle with sides along the axes. */
typedef struct pd_box {
    float low_x, low_y, high_x, high_y;
} pd_box;

/* Node of the tree. Nodes are in depth-first order: the first child is the next node. */
typedef struct pd_boxnode {
    pd_box box; /* bounding box of the items below the node */
    int skip;   /* index of the first node after the subtree of this node */
    int item;   /* leaf: index of its item; inner node: -1 */
} pd_boxnode;

typedef struct pd_boxtree {
    pd_boxnode *nodes; /* all nodes of the tree in depth-first order */
    int node_count;    /* 2 x number of items - 1; 0: no items */
} pd_boxtree;

/* Returns whether two boxes overlap. Returns true for boxes with NAN, whose items are then tested exactly (therefore the
 * negation). */
static inline bool pd_boxes_overlap(const pd_box *a, const pd_box *b) {
    return !(a->low_x > b->high_x || a->high_x < b->low_x || a->low_y > b->high_y || a->high_y < b->low_y);
}

/* Builds a tree over `count` boxes. already_sorted: the boxes are already sorted along a curve in space, so the cost is
 * O(count) instead of O(count log^2 count). */
void pd_boxtree_build(pd_boxtree *tree, const pd_box *boxes, int count, bool already_sorted);
/* Replaces the boxes of all items; the structure of the tree remains. Cost: O(count), no allocation. */
void pd_boxtree_refit(pd_boxtree *tree, const pd_box *boxes);
void pd_boxtree_free(pd_boxtree *tree);

/* Visit the items nodes[n].item whose boxes overlap *box: for (int n = pd_boxtree_first_overlap(...); n >= 0; n =
 * pd_boxtree_next_overlap(...)). */
int pd_boxtree_next_overlap(const pd_boxtree *tree, const pd_box *box, int node);
static inline int pd_boxtree_first_overlap(const pd_boxtree *tree, const pd_box *box) {
    return pd_boxtree_next_overlap(tree, box, -1);
}

#endif
