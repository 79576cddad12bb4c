/* Sorting and merging of intervals. */
#include "sim/raster/cuts.h"

#include <stdlib.h>

enum { INSERTION_SORT_LIMIT = 16 };

static int compare_cuts(const void *a, const void *b) {
    const cut *p = a, *q = b;
    if (p->solid != q->solid) return p->solid < q->solid ? -1 : 1;
    if (p->low != q->low) return p->low < q->low ? -1 : 1;
    return 0;
}

static void sort_cuts(cut *cuts, int count) {
    if (count > INSERTION_SORT_LIMIT) {
        qsort(cuts, (size_t)count, sizeof *cuts, compare_cuts);
        return;
    }
    for (int i = 1; i < count; i++) {
        cut inserted = cuts[i];
        int k = i;
        for (; k > 0 && compare_cuts(&inserted, &cuts[k - 1]) < 0; k--) cuts[k] = cuts[k - 1];
        cuts[k] = inserted;
    }
}

int pd_cuts_merge_per_solid(cut *cuts, int count) {
    if (count < 2) return count;
    sort_cuts(cuts, count);
    int last = 0;
    for (int i = 1; i < count; i++) {
        if (cuts[i].solid != cuts[last].solid || cuts[i].low > cuts[last].high) {
            last++;
            cuts[last] = cuts[i];
        } else if (cuts[i].high > cuts[last].high) {
            cuts[last].high = cuts[i].high;
        }
    }
    return last + 1;
}

int pd_cuts_merge_all_solids(cut *cuts, int count) {
    for (int i = 0; i < count; i++) cuts[i].solid = 0;
    return pd_cuts_merge_per_solid(cuts, count);
}
