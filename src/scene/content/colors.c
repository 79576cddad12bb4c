/* Chooses few colours for a picture, in OKLab (Ottosson 2020), a perceptually uniform space. The cluster of pixels with
 * the greatest error is split at its mean, across its principal axis (Wu 1991). Then k-means moves the means (Lloyd
 * 1982). A picture has the same colours on every machine: nothing is parallel or random. */
#include "core/memory.h"
#include "core/oklab.h"
#include "scene/content/image.h"

#include <math.h>
#include <string.h>

enum { ROUNDS = 6, AXIS_ROUNDS = 8, MOST = 64 };
/* Groups of colours are split until the root mean square difference to the mean of their group, in OKLab, is below this. About 0.02 is just visible side by side. */
static const double TOLERANCE = 0.005;

typedef struct lab {
    float at[3];
} lab;

typedef struct cluster {
    int begin, end;        /* range of the cluster's pixels in the array */
    double mean[3], error; /* mean colour; sum of squared distances from it */
} cluster;

/* Converts a pixel to OKLab. linear[byte]: table from sRGB to linear light. */
static lab to_lab(const uint8_t *rgb, const double *linear) {
    double at[3];
    pd_linear_to_oklab((double[]){linear[rgb[0]], linear[rgb[1]], linear[rgb[2]]}, at);
    return (lab){{(float)at[0], (float)at[1], (float)at[2]}};
}

static void rgb_of(const double *at, uint8_t rgb[3]) {
    double linear[3];
    pd_oklab_to_linear(at, linear);
    for (int k = 0; k < 3; k++) rgb[k] = (uint8_t)(255 * fmin(fmax(pd_linear_to_srgb(linear[k]), 0), 1) + 0.5);
}

static void measure_cluster(cluster *c, const lab *pixels) {
    double sum[3] = {0}, square = 0;
    for (int i = c->begin; i < c->end; i++)
        for (int k = 0; k < 3; k++) {
            sum[k] += pixels[i].at[k];
            square += (double)pixels[i].at[k] * pixels[i].at[k];
        }
    int count = c->end - c->begin;
    c->error = square;
    for (int k = 0; k < 3; k++) {
        c->mean[k] = sum[k] / count;
        c->error -= sum[k] * c->mean[k];
    }
}

/* Finds the direction in which the pixels of a cluster spread most, by power iteration. */
static void find_axis(const cluster *c, const lab *pixels, double axis[3]) {
    double spread[3][3] = {{0}};
    for (int i = c->begin; i < c->end; i++)
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++) spread[a][b] += (pixels[i].at[a] - c->mean[a]) * (pixels[i].at[b] - c->mean[b]);
    int widest = spread[1][1] > spread[0][0] ? 1 : 0;
    if (spread[2][2] > spread[widest][widest]) widest = 2;
    memcpy(axis, spread[widest], 3 * sizeof *axis);
    for (int round = 0; round < AXIS_ROUNDS; round++) {
        double next[3], length = 0;
        for (int a = 0; a < 3; a++) {
            next[a] = spread[a][0] * axis[0] + spread[a][1] * axis[1] + spread[a][2] * axis[2];
            length += next[a] * next[a];
        }
        for (int a = 0; a < 3 && length > 0; a++) axis[a] = next[a] / sqrt(length);
    }
}

/* Splits a cluster at the plane through its mean, across its principal axis. Returns false if all its pixels are
 * equal. */
static bool split_cluster(cluster *c, cluster *other, lab *pixels) {
    double axis[3];
    find_axis(c, pixels, axis);
    int middle = c->begin;
    for (int i = c->begin; i < c->end; i++) {
        double along = 0;
        for (int k = 0; k < 3; k++) along += axis[k] * (pixels[i].at[k] - c->mean[k]);
        if (along > 0) continue;
        lab swapped = pixels[i];
        pixels[i] = pixels[middle];
        pixels[middle++] = swapped;
    }
    if (middle == c->begin || middle == c->end) return false;
    *other = (cluster){.begin = middle, .end = c->end};
    c->end = middle;
    measure_cluster(c, pixels);
    measure_cluster(other, pixels);
    return true;
}

static int make_clusters(cluster *clusters, lab *pixels, int pixel_count, int most) {
    int count = 1;
    clusters[0] = (cluster){.end = pixel_count};
    measure_cluster(&clusters[0], pixels);
    while (count < most) {
        int worst = 0;
        double error = 0;
        for (int i = 0; i < count; i++) {
            error += fmax(clusters[i].error, 0);
            if (clusters[i].error > clusters[worst].error) worst = i;
        }
        if (error <= TOLERANCE * TOLERANCE * pixel_count || !split_cluster(&clusters[worst], &clusters[count], pixels))
            break;
        count++;
    }
    return count;
}

static int nearest_cluster(const cluster *clusters, int count, const lab *pixel) {
    int best = 0;
    double least = INFINITY;
    for (int i = 0; i < count; i++) {
        double x = pixel->at[0] - clusters[i].mean[0], y = pixel->at[1] - clusters[i].mean[1];
        double z = pixel->at[2] - clusters[i].mean[2], distance = x * x + y * y + z * z;
        if (distance < least) {
            least = distance;
            best = i;
        }
    }
    return best;
}

/* Moves each cluster's mean to the mean of the pixels nearest to it: a step of k-means. */
static void move_means(cluster *clusters, int count, const lab *pixels, int pixel_count) {
    double sum[MOST][4] = {{0}};
    for (int i = 0; i < pixel_count; i++) {
        double *of = sum[nearest_cluster(clusters, count, &pixels[i])];
        for (int k = 0; k < 3; k++) of[k] += pixels[i].at[k];
        of[3]++;
    }
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 3 && sum[i][3] > 0; k++) clusters[i].mean[k] = sum[i][k] / sum[i][3];
}

int pd_colors_choose(const uint8_t *rgba, int count, int most, uint8_t (*colors)[3], uint8_t *index) {
    cluster clusters[MOST];
    double linear[256];
    int opaque = 0;
    lab *pixels = pd_memory_new((size_t)count * sizeof *pixels);
    if (!pixels) return -1;
    for (int i = 0; i < 256; i++) linear[i] = pd_srgb_to_linear(i / 255.0);
    for (int i = 0; i < count; i++)
        if (rgba[4 * i + 3] >= 128) pixels[opaque++] = to_lab(rgba + 4 * i, linear);
    int found = opaque ? make_clusters(clusters, pixels, opaque, most < MOST ? most : MOST) : 0;
    for (int round = 0; round < ROUNDS && found > 1; round++) move_means(clusters, found, pixels, opaque);
    for (int i = 0; i < count; i++) {
        lab pixel = to_lab(rgba + 4 * i, linear);
        index[i] = rgba[4 * i + 3] >= 128 ? (uint8_t)nearest_cluster(clusters, found, &pixel) : PD_NO_FLUID;
    }
    for (int i = 0; i < found; i++) rgb_of(clusters[i].mean, colors[i]);
    pd_memory_free(pixels);
    return found;
}
