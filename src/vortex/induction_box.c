/* Reflections of the vortices in a box, near and far.
 * Reflection (m, n) is the box moved by the complex number t = m width + i n height, and mirrored in x for odd m, in y
 * for odd n. Its circulations are those of the box times (-1)^(m + n). The fields of near reflections are evaluated one
 * by one. The field of all far reflections together is a power series in z about the box's centre. With the moments M_k
 * of the vortices it is the sum over k, l and over the t of the far reflections of
 *
 *     (-1)^(k+1) binomial(k + l, l) z^l t^(-k-l-1) C_k
 *
 *     C_k              m even               m odd
 *     n even           M_k                  -(-1)^k conj(M_k)
 *     n odd            -conj(M_k)           (-1)^k M_k
 * The lattices of t are symmetric about both axes, so that sums of odd powers of 1/t are 0, and sums of even powers
 * real. The sums of t^-p over a lattice converge slowly. Ewald's method gives each term a weight w that decreases as a
 * Gaussian:
 *
 *     w = exp(-s) (1 + s + ... + s^(p-1)/(p-1)!),   s = |t|^2/width^2   (width: gaussian_width x longer period)
 * The rest, the sum of t^-p (1 - w), is 0 up to a relative error of exp(-pi^2 width^2/period^2), because it samples a
 * smooth function with the mean 0. For p = 2 the sum depends on the order of summation: terms are added by increasing
 * |t|. Another order would add the same constant to all four lattices, and the constants cancel. */
#include "vortex/induction_box.h"

#include <math.h>
#include <string.h>

/* Least distance between the centres of a far reflection and the box, in units of far_radius (half of the box's
 * diagonal). The terms of its expansion decrease by the factor 1/(2.67 - 1) = 0.6. Vortices in far reflections count as
 * points: only cores above a third of the shorter side would matter. */
static const double far_distance = 2.67;
/* Width of Ewald's Gaussian, in units of the lattice's longer period (2 x longer side). Error: exp(-pi^2 1.6^2) =
 * 1e-11. */
static const double gaussian_width = 1.6;
/* Distance |t| at which the sums end, in widths of the Gaussian: exp(-6.3^2) = 6e-18. */
static const double gaussian_end = 6.3;

double pd_vortex_exp_of_minus(double s) {
    if (s > 700) return 0;
    double x = -s / 1024, sum = 1, term = 1;
    for (int k = 1; k <= 12; k++) {
        term *= x / k;
        sum += term;
    }
    for (int k = 0; k < 10; k++) sum *= sum;
    return sum;
}

static bool add_near_reflection(pd_vortex_field *f, int m, int n, double width, double height) {
    if (f->near_reflection_count == PD_VORTEX_NEAR_REFLECTIONS) return false;
    f->near_reflections[f->near_reflection_count++] =
        (pd_vortex_reflection){(float)(m * width), (float)(n * height), m % 2 == 0 ? 1 : -1, n % 2 == 0 ? 1 : -1};
    return true;
}

static bool is_farther_than(double x, double y, double distance) { return x * x + y * y > distance * distance; }

/* Sets near_reflections to the box and all reflections whose centres are within `distance` of its centre. Returns false
 * if there are more than PD_VORTEX_NEAR_REFLECTIONS. */
static bool list_near_reflections(pd_vortex_field *f, double width, double height, double distance) {
    if (distance > 100 * width || distance > 100 * height) return false;
    int columns = (int)(distance / width), rows = (int)(distance / height);
    f->near_reflection_count = 0;
    for (int n = -rows; n <= rows; n++)
        for (int m = -columns; m <= columns; m++)
            if (!is_farther_than(m * width, n * height, distance) && !add_near_reflection(f, m, n, width, height))
                return false;
    return true;
}

/* Sets weight[p], the factor on t^-p of one reflection in the sum over far reflections: w for a far reflection, w - 1
 * for a near one, whose own t^-p is not part of the sum. Both are computed without cancellation, from positive terms of
 * the series of exp(s). */
static void set_ewald_weights(double s, bool far, double weight[2 * PD_VORTEX_FAR + 1]) {
    enum { MOST = 2 * PD_VORTEX_FAR, TAIL = 32 }; /* greatest p; number of further terms, after which the rest is 0 */
    double term[MOST + TAIL + 1], sum = 0;
    term[0] = pd_vortex_exp_of_minus(s);
    for (int j = 1; j <= MOST + TAIL; j++) term[j] = term[j - 1] * s / j;
    for (int p = 1; far && p <= MOST; p++) weight[p] = sum += term[p - 1];
    for (int j = MOST + TAIL; !far && j > 0; j--) {
        sum += term[j];
        if (j <= MOST) weight[j] = -sum;
    }
}

/* Adds to sum[p/2] the weighted powers (radius/t)^p of the reflections at the centres t = +-x +- iy. multiplicity:
 * number of different centres (1, 2 or 4). */
static void add_lattice_terms(double x, double y, double s, double radius, bool far, double multiplicity, double *sum) {
    double r2 = x * x + y * y, tx = radius * x / r2, ty = -radius * y / r2; /* radius/t */
    double zx = tx * tx - ty * ty, zy = 2 * tx * ty, px = 1, py = 0, weight[2 * PD_VORTEX_FAR + 1];
    set_ewald_weights(s, far, weight);
    for (int p = 2; p <= 2 * PD_VORTEX_FAR; p += 2) {
        double next = px * zx - py * zy;
        py = px * zy + py * zx;
        px = next;
        sum[p / 2] += multiplicity * px * weight[p];
    }
}

/* Computes l->sum: the sums of (radius / t)^p over the reflections' lattice points t, by the parity of column and row. */
static void compute_lattice_sums(pd_vortex_lattice *l, double radius) {
    double longer = l->width > l->height ? l->width : l->height;
    double gaussian_radius = gaussian_width * 2 * longer, end = gaussian_end * gaussian_radius;
    for (int n = 0; n * l->height < end; n++)
        for (int m = 0; m * l->width < end; m++) {
            double x = m * l->width, y = n * l->height, r = sqrt(x * x + y * y) / gaussian_radius;
            if ((m == 0 && n == 0) || r > gaussian_end) continue;
            double multiplicity = (m > 0 ? 2 : 1) * (n > 0 ? 2 : 1);
            add_lattice_terms(x, y, r * r, radius, is_farther_than(x, y, far_distance * radius), multiplicity,
                              l->sum[m % 2][n % 2]);
        }
}

void pd_vortex_list_box_reflections(pd_vortex_field *f, pd_vortex_lattice *lattice, double width, double height) {
    double radius = 0.5 * sqrt(width * width + height * height);
    bool same = lattice->width == width && lattice->height == height;
    f->far_radius = (float)radius;
    if (list_near_reflections(f, width, height, far_distance * radius)) {
        *lattice = same ? *lattice : (pd_vortex_lattice){width, height, {{{0}}}};
        if (!same) compute_lattice_sums(lattice, radius);
        return;
    }
    memset(lattice, 0, sizeof *lattice);
    f->near_reflection_count = 0; /* induction_narrow_wide.c sums the reflections */
    f->upright = height > width;
    f->short_side = (float)(f->upright ? width : height);
    f->long_side = (float)(f->upright ? height : width);
}

void pd_vortex_compute_local_expansion(pd_vortex_field *f, const pd_vortex_lattice *lattice) {
    double radius = (double)f->far_radius;
    for (int l = 0; l < PD_VORTEX_FAR; l++) {
        double re = 0, im = 0, binomial = 1; /* binomial(k + l, l) */
        for (int k = 0; k < PD_VORTEX_FAR; binomial *= (double)(k + 1 + l) / (k + 1), k++) {
            if ((k + l) % 2 == 0) continue;
            int p = (k + l + 1) / 2;
            double sign = k % 2 == 0 ? 1 : -1, factor = -sign * binomial;
            double same = lattice->sum[0][0][p] + sign * lattice->sum[1][1][p];
            double mirrored = lattice->sum[0][1][p] + sign * lattice->sum[1][0][p];
            re += factor * (same - mirrored) * (double)f->moment[2 * k];
            im += factor * (same + mirrored) * (double)f->moment[2 * k + 1];
        }
        f->local[2 * l] = (float)(re / radius);
        f->local[2 * l + 1] = (float)(im / radius);
    }
}

/* ---- Narrow boxes ---- */

/* Finds the range along the long side of a narrow box that the slabs will cover: from the first to the last vortex. If
 * a vortex is within PD_VORTEX_REACH x short_side of a wall at an end of the box, the range extends to this wall. */
static void find_range_of_slabs(const pd_vortex_field *f, double *low, double *high) {
    const float *x = f->upright ? f->y : f->x;
    double wall = 0.5 * (double)f->long_side, reach = PD_VORTEX_REACH * (double)f->short_side;
    *low = wall;
    *high = -wall;
    for (int i = 0; i < f->count; i++) {
        *low = (double)x[i] < *low ? (double)x[i] : *low;
        *high = (double)x[i] > *high ? (double)x[i] : *high;
    }
    if (*low + wall < reach) *low = -wall;
    if (wall - *high < reach) *high = wall;
}

/* Uses the shortest slabs that the memory allows, since shorter slabs leave fewer pairs to sum. H: short_side. Slabs of
 * length PD_VORTEX_REACH/16 H have 16 Fourier modes, slabs of half this length 32 modes, and so on. Higher modes are
 * below 1e-7 at the distance of a slab's length. */
void pd_vortex_divide_narrow_box_into_slabs(pd_vortex_field *f) {
    enum { MOST_BLOCKS = 16, LEAST_SLABS = 4 }; /* greatest number of blocks of 16 modes; least number of slabs */
    double low, high, height = (double)f->short_side;
    find_range_of_slabs(f, &low, &high);
    double lengths = (high - low) / (PD_VORTEX_REACH * height),
           most = (double)PD_VORTEX_MOST_MODES_PER_LEAF * f->leaf_count;
    f->slab_count = 0;
    for (int blocks = 1; blocks <= MOST_BLOCKS; blocks++) {
        int modes = blocks * PD_VORTEX_LEAF;
        double slabs = floor(modes * lengths);
        if ((slabs + 2) * modes > most) break;
        if (slabs < LEAST_SLABS) continue;
        f->fourier_mode_count = modes;
        f->slab_count = (int)slabs;
    }
    f->first_slab_edge = low;
    f->slab_length = f->slab_count > 0 ? (high - low) / f->slab_count : 0;
}
