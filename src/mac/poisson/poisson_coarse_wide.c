/* Coefficients of the pressure equation on all levels, compiled once for each SIMD level (core/simd.h). */
#include "mac/poisson/poisson_rows.h"

static inline float clamp_coefficient(float a) {
    return a > POISSON_LEAST ? (a < POISSON_MOST ? a : POISSON_MOST) : 0.0f;
}

static void load_row_of_coefficients(const poisson_loop_data *p, float *to, const float *natural, int j) {
    const poisson_level *l = p->level;
    int width = l->width;
    float *restrict even = to + poisson_row_offset(l, j), *restrict odd = even + l->half;
    split_even_and_odd(width, even, odd, natural + pd_element_index(p->layout, 0, j));
    for (int i = l->nx; i < 2 * width; i++) even[(i & 1) * l->half + (i >> 1)] = 0.0f;
    EACH(k) even[k] = clamp_coefficient(even[k]);
    EACH(k) odd[k] = clamp_coefficient(odd[k]);
}

static void set_bits_of_nonzero_coefficients(const poisson_loop_data *p, uint64_t *bits, const float *natural, int j) {
    const float *from = natural + pd_element_index(p->layout, 0, j);
    uint64_t *to = bits + (size_t)j * (size_t)p->words;
    for (int i = 0; i < p->words; i++) to[i] = 0;
    for (int i = 0; i < p->level->nx; i += PD_LANES) {
        int rest = p->level->nx - i;
        pd_floatw a = pd_load_all(from + i);
        uint64_t word = pd_movemask(pd_less(pd_set(POISSON_LEAST), a));
        if (rest < PD_LANES) word &= (1u << rest) - 1;
        to[i / 64] |= word << (i % 64);
    }
}

static void load_coefficients(void *context, int begin, int end) {
    const poisson_loop_data *p = context;
    const poisson_level *l = p->level;
    for (int j = begin; j < end; j++) {
        load_row_of_coefficients(p, l->face_x, p->face_x, j);
        load_row_of_coefficients(p, l->open, p->open, j);
        set_bits_of_nonzero_coefficients(p, p->left, p->face_x, j);
        set_bits_of_nonzero_coefficients(p, p->open_bits, p->open, j);
        /* Faces on the border are closed. */
        l->face_x[poisson_row_offset(l, j)] = 0.0f;
        p->left[(size_t)j * (size_t)p->words] &= ~(uint64_t)1;
        if (j == 0) continue;
        load_row_of_coefficients(p, l->face_y, p->face_y, j);
        set_bits_of_nonzero_coefficients(p, p->lower, p->face_y, j);
    }
}

/* Returns the poisson_kind of the block that begins with element k of both halves of row j. */
static poisson_kind classify_cells(const poisson_level *l, int j, int k) {
    pd_floatw low = pd_set(FLT_MAX), high = pd_set(0), d = pd_set(0);
    const float *row = l->face_x + poisson_row_offset(l, j);
    for (int odd = 0; odd < 2; odd++) {
        stencil s = make_stencil(l, j, odd, row, row, row);
        const float *faces[] = {s.face_left, s.face_right, s.face_down, s.face_up};
        for (int face = 0; face < 4; face++) {
            pd_floatw a = pd_load_all(faces[face] + k);
            low = pd_min(low, a);
            high = pd_max(high, a);
        }
        d = pd_max(d, pd_load_all(l->open + poisson_row_offset(l, j) + (ptrdiff_t)odd * l->half + k));
    }
    if (pd_movemask(pd_less(pd_set(0), d))) return POISSON_OTHER_COEFFICIENTS;
    if (!pd_movemask(pd_less(pd_set(0), high))) return POISSON_ALL_ZERO;
    bool ones = !pd_movemask(pd_less(low, pd_set(1))) && !pd_movemask(pd_less(pd_set(1), high));
    return ones ? POISSON_ALL_ONE : POISSON_OTHER_COEFFICIENTS;
}

static void invert_diagonals(void *context, int begin, int end) {
    const poisson_loop_data *p = context;
    const poisson_level *l = p->level;
    int width = l->width;
    for (int j = begin; j < end; j++) {
        uint8_t *kinds = poisson_kinds_of_row(l, j);
        EACH_VECTOR(k) kinds[k / PD_LANES] = (uint8_t)classify_cells(l, j, k);
        const float *row = l->face_x + poisson_row_offset(l, j);
        for (int odd = 0; odd < 2; odd++) {
            stencil s = make_stencil(l, j, odd, row, row, row);
            ptrdiff_t at = poisson_row_offset(l, j) + (ptrdiff_t)odd * l->half;
            EACH_VECTOR(k) {
                pd_floatw across = load_sum(s.face_left, s.face_right, k), along = load_sum(s.face_down, s.face_up, k);
                pd_floatw diagonal = pd_add(pd_add(across, along), pd_load_all(l->open + at + k));
                pd_maskw active = pd_less(pd_set(0), diagonal);
                pd_store_all(l->inverse + at + k, pd_zero_unset_lanes(active, pd_div(pd_set(1), diagonal)));
            }
        }
    }
}

/* Halves the coefficient d of a coarse cell if one of its fluid children has d = 0. The fluid then extends beyond the
 * other children, and the coarse cell's centre is farther from the surface or open side. sum: by coarse cell of the
 * row, the sum of the children's d. */
static void halve_surface_coefficients(const poisson_level *l, int j, float *restrict sum) {
    int width = l->width;
    ptrdiff_t at = poisson_row_offset(l, j), step = 2 * (ptrdiff_t)l->half;
    const float *restrict i00 = l->inverse + at, *restrict i10 = i00 + l->half;
    const float *restrict i01 = i00 + step, *restrict i11 = i10 + step;
    const float *restrict d00 = l->open + at, *restrict d10 = d00 + l->half;
    const float *restrict d01 = d00 + step, *restrict d11 = d10 + step;
    EACH(k) {
        bool behind = ((i00[k] > 0.0f) & (d00[k] == 0.0f)) | ((i10[k] > 0.0f) & (d10[k] == 0.0f)) |
                      ((i01[k] > 0.0f) & (d01[k] == 0.0f)) | ((i11[k] > 0.0f) & (d11[k] == 0.0f));
        sum[k] *= behind ? 0.5f : 1.0f;
    }
}

/* Coefficients of faces of a coarse cell's children (its four fine cells): of the faces between them, and of the outer
 * faces of the red children, lower left and upper right. */
typedef struct children {
    float bottom, top;        /* face between the two lower, between the two upper children */
    float left, right;        /* face between the two left, between the two right children */
    float to_left, to_below;  /* left and lower face of the lower left child */
    float to_right, to_above; /* right and upper face of the upper right child */
} children;

static children read_face_coefficients_of_children(const poisson_level *l, int i, int j) {
    ptrdiff_t step = 2 * (ptrdiff_t)l->half, even = poisson_row_offset(l, 2 * j) + i, odd = even + l->half;
    const float *fx = l->face_x, *fy = l->face_y;
    return (children){fx[odd],  fx[odd + step], fy[even + step],     fy[odd + step],
                      fx[even], fy[even],       fx[even + step + 1], fy[odd + 2 * step]};
}

/* Returns the bits of poisson_level.reassigned for a coarse cell. Faces with coefficients up to 0.05 count as closed.
 * If no two children are connected, none is reassigned: the medium is porous, and no wall crosses the cell. */
static uint8_t choose_reassigned_children(const children *c) {
    const float open = 0.05f;
    bool bottom = c->bottom > open, top = c->top > open, left = c->left > open, right = c->right > open;
    bool to_left = c->to_left > open, to_below = c->to_below > open;
    bool to_right = c->to_right > open, to_above = c->to_above > open;
    if ((bottom && right) || (left && top) || !(bottom || top || left || right)) return 0;
    if (!(bottom || left || to_left || to_below) || !(top || right || to_right || to_above)) return 0;
    if (bottom && left) {
        if (to_right && (c->to_right >= c->to_above || !to_above)) return POISSON_UPPER_RIGHT | POISSON_TO_RIGHT;
        return to_above ? POISSON_UPPER_RIGHT | POISSON_TO_ABOVE : 0;
    }
    if (left) return to_left ? POISSON_LOWER_LEFT | POISSON_UPPER_LEFT | POISSON_TO_LEFT : 0;
    if (bottom) return to_below ? POISSON_LOWER_LEFT | POISSON_LOWER_RIGHT | POISSON_TO_BELOW : 0;
    if (to_left && (c->to_left >= c->to_below || !to_below)) return POISSON_LOWER_LEFT | POISSON_TO_LEFT;
    return to_below ? POISSON_LOWER_LEFT | POISSON_TO_BELOW : 0;
}

static void find_reassigned_children(void *context, int begin, int end) {
    const poisson_loop_data *p = context;
    const poisson_level *l = p->level, *c = p->coarse;
    int width = l->width;
    for (int j = begin; j < end; j++) {
        uint8_t *row = poisson_reassigned_of_row(c, j), *lower = poisson_kinds_of_row(l, 2 * j),
                *upper = poisson_kinds_of_row(l, 2 * j + 1);
        uint8_t any = 0;
        EACH_VECTOR(k) {
            bool mixed =
                lower[k / PD_LANES] == POISSON_OTHER_COEFFICIENTS || upper[k / PD_LANES] == POISSON_OTHER_COEFFICIENTS;
            for (int i = k; i < k + PD_LANES && i < c->nx; i++) {
                children around = {0};
                if (mixed) around = read_face_coefficients_of_children(l, i, j);
                row[i] = mixed ? choose_reassigned_children(&around) : 0;
                any |= row[i];
            }
        }
        row[-POISSON_ROW_BYTES] = any;
    }
}

/* Compute the coefficient of a coarse face, vertical (x) or horizontal (y): half of the sum over the two fine faces
 * that it covers. Fine faces of reassigned children are left out. */
static void compute_coarse_coefficient_x(const poisson_level *l, const poisson_level *c, int i, int j) {
    const uint8_t *row = poisson_reassigned_of_row(c, j);
    if (i <= 0 || i >= c->nx) return;
    bool lower = !(row[i - 1] & POISSON_LOWER_RIGHT) && !(row[i] & POISSON_LOWER_LEFT);
    bool upper = !(row[i - 1] & POISSON_UPPER_RIGHT) && !(row[i] & POISSON_UPPER_LEFT);
    float a = l->face_x[cell_index(l, 2 * i, 2 * j)], b = l->face_x[cell_index(l, 2 * i, 2 * j + 1)];
    c->face_x[cell_index(c, i, j)] = 0.5f * ((lower ? a : 0.0f) + (upper ? b : 0.0f));
}
static void compute_coarse_coefficient_y(const poisson_level *l, const poisson_level *c, int i, int j) {
    uint8_t own = poisson_reassigned_of_row(c, j)[i], below = poisson_reassigned_of_row(c, j - 1)[i];
    bool left = !(below & POISSON_UPPER_LEFT) && !(own & POISSON_LOWER_LEFT);
    bool right = !(below & POISSON_UPPER_RIGHT) && !(own & POISSON_LOWER_RIGHT);
    float a = l->face_y[cell_index(l, 2 * i, 2 * j)], b = l->face_y[cell_index(l, 2 * i + 1, 2 * j)];
    c->face_y[cell_index(c, i, j)] = 0.5f * ((left ? a : 0.0f) + (right ? b : 0.0f));
}

static void correct_coefficients_of_reassigned_children(const poisson_level *l, const poisson_level *c, int j) {
    const uint8_t *row = poisson_reassigned_of_row(c, j), *below = poisson_reassigned_of_row(c, j - 1);
    EACH_CELL_WITH_REASSIGNED_CHILDREN(c, row, i) {
        compute_coarse_coefficient_x(l, c, i, j);
        compute_coarse_coefficient_x(l, c, i + 1, j);
        compute_coarse_coefficient_y(l, c, i, j);
    }
    EACH_CELL_WITH_REASSIGNED_CHILDREN(c, below, i) compute_coarse_coefficient_y(l, c, i, j);
}

/* Computes coarse coefficients: half of the Galerkin operator for constants on 2 x 2 cells. In a uniform region this is
 * the same equation on cells of twice the size. The factor 1/2 corrects piecewise constant aggregates (Braess 1995). */
static void compute_coarse_coefficients(void *context, int begin, int end) {
    const poisson_loop_data *p = context;
    const poisson_level *l = p->level, *c = p->coarse;
    int width = l->width, half = l->half;
    float *natural = prepare_natural_scratch_row(p, begin);
    for (int j = begin; j < end; j++) {
        ptrdiff_t at = poisson_row_offset(l, 2 * j), above = poisson_row_offset(l, 2 * j + 1),
                  to = poisson_row_offset(c, j);
        float *restrict sum = natural;
        const float *restrict a = l->face_x + at, *restrict b = l->face_x + above;
        EACH(k) sum[k] = 0.5f * (a[k] + b[k]);
        split_even_and_odd(c->width, c->face_x + to, c->face_x + to + c->half, natural);
        a = l->face_y + at;
        b = a + half;
        EACH(k) sum[k] = 0.5f * (a[k] + b[k]);
        split_even_and_odd(c->width, c->face_y + to, c->face_y + to + c->half, natural);
        a = l->open + at;
        b = l->open + above;
        const float *restrict a1 = a + half, *restrict b1 = b + half;
        correct_coefficients_of_reassigned_children(l, c, j);
        EACH(k) sum[k] = (a[k] + a1[k]) + (b[k] + b1[k]);
        halve_surface_coefficients(l, 2 * j, sum);
        split_even_and_odd(c->width, c->open + to, c->open + to + c->half, natural);
    }
}

const pd_poisson_setup_kernels PD_LEVEL_NAME(pd_poisson_setup_kernels) = {
    .load_coefficients = load_coefficients,
    .invert_diagonals = invert_diagonals,
    .find_reassigned_children = find_reassigned_children,
    .compute_coarse_coefficients = compute_coarse_coefficients,
};
