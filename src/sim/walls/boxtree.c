/* A bounding volume hierarchy of boxes. */
#include "sim/walls/boxtree.h"

#include "core/memory.h"

#include <stdlib.h>

typedef struct sort_entry {
    float key; /* coordinate of the middle of the item's box */
    int item;  /* index of the item */
} sort_entry;

/* Orders equal keys by index, so that the tree does not depend on the C library's qsort. */
static int compare_keys(const void *a, const void *b) {
    const sort_entry *p = a, *q = b;
    if (p->key != q->key) return p->key < q->key ? -1 : 1;
    return p->item < q->item ? -1 : p->item > q->item;
}

static pd_box unite_boxes(pd_box a, pd_box b) {
    return (pd_box){a.low_x < b.low_x ? a.low_x : b.low_x, a.low_y < b.low_y ? a.low_y : b.low_y,
                    a.high_x > b.high_x ? a.high_x : b.high_x, a.high_y > b.high_y ? a.high_y : b.high_y};
}

static void sort_along_longer_side(sort_entry *entries, int count, const pd_box *boxes) {
    pd_box all = boxes[entries[0].item];
    for (int i = 1; i < count; i++) all = unite_boxes(all, boxes[entries[i].item]);
    bool by_x = all.high_x - all.low_x >= all.high_y - all.low_y;
    for (int i = 0; i < count; i++) {
        const pd_box *box = &boxes[entries[i].item];
        entries[i].key = by_x ? 0.5f * box->low_x + 0.5f * box->high_x : 0.5f * box->low_y + 0.5f * box->high_y;
    }
    qsort(entries, (size_t)count, sizeof *entries, compare_keys);
}

static void build_subtree(pd_boxtree *tree, sort_entry *entries, int count, const pd_box *boxes, bool already_sorted) {
    pd_boxnode *node = &tree->nodes[tree->node_count++];
    node->item = count == 1 ? entries[0].item : -1;
    if (count > 1) {
        if (!already_sorted) sort_along_longer_side(entries, count, boxes);
        build_subtree(tree, entries, count / 2, boxes, already_sorted);
        build_subtree(tree, entries + count / 2, count - count / 2, boxes, already_sorted);
    }
    node->skip = tree->node_count;
}

void pd_boxtree_build(pd_boxtree *tree, const pd_box *boxes, int count, bool already_sorted) {
    *tree = (pd_boxtree){0};
    if (count <= 0) return;
    sort_entry *entries = pd_memory_require((size_t)count, sizeof *entries);
    tree->nodes = pd_memory_require(2 * (size_t)count - 1, sizeof *tree->nodes);
    for (int i = 0; i < count; i++) entries[i] = (sort_entry){0.0f, i};
    build_subtree(tree, entries, count, boxes, already_sorted);
    pd_memory_free(entries);
    pd_boxtree_refit(tree, boxes);
}

void pd_boxtree_refit(pd_boxtree *tree, const pd_box *boxes) {
    for (int i = tree->node_count - 1; i >= 0; i--) { /* children have greater indices than their parent */
        pd_boxnode *node = &tree->nodes[i];
        node->box = node->item >= 0 ? boxes[node->item] : unite_boxes(node[1].box, tree->nodes[node[1].skip].box);
    }
}

void pd_boxtree_free(pd_boxtree *tree) {
    pd_memory_free(tree->nodes);
    *tree = (pd_boxtree){0};
}

int pd_boxtree_next_overlap(const pd_boxtree *tree, const pd_box *box, int node) {
    for (node++; node < tree->node_count;) {
        if (!pd_boxes_overlap(&tree->nodes[node].box, box))
            node = tree->nodes[node].skip;
        else if (tree->nodes[node].item >= 0)
            return node;
        else
            node++;
    }
    return -1;
}
