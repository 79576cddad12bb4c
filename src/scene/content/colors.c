/* Chooses few colours for a picture, in OKLab (Ottosson 2020), a perceptually uniform space. The cluster of pixels with
 * the greatest error is split at its mean, across its principal axis (Wu 1991). Then k-means moves the means (Lloyd
 * 1982). A picture has the same colours on every machine: nothing is parallel or random. */
#include "core/memory.h"
#include "core/oklab.h"
#include "scene/content/image.h"

#include <math.h>
#include <string.h>

enum {
    ROUNDS = 6,        /* number of times that the means of the clusters are updated */
    AXIS_ROUNDS = 8,   /* number of iterations for the axis along which a cluster is split */
    MAX_CLUSTERS = 64, /* greatest number of clusters */
};
/* Clusters are split until the root mean square distance of the pixels from the mean of their cluster, in OKLab, is at
 * most this value. A distance of about 0.02 between two adjacent colours is just visible. */
static const double TOLERANCE = 0.005;

/* Colour in OKLab. */
typedef struct lab {
    float channel[3]; /* lightness, green to red, blue to yellow */
} lab;

typedef struct cluster {
    int begin, end;        /* range of the cluster's pixels in the array */
    double mean[3], error; /* mean colour; sum of the squared distances of the pixels from the mean colour */
} cluster;

/* Converts a pixel from sRGB to OKLab. linear_of_byte[byte]: linear light of an sRGB byte. */
static lab rgb_to_lab(const uint8_t *rgb, const double *linear_of_byte) {
    double channel[3];
    pd_linear_to_oklab((double[]){linear_of_byte[rgb[0]], linear_of_byte[rgb[1]], linear_of_byte[rgb[2]]}, channel);
    return (lab){{(float)channel[0], (float)channel[1], (float)channel[2]}};
}

static void lab_to_rgb(const double lab_color[3], uint8_t rgb[3]) {
    double linear[3];
    pd_oklab_to_linear(lab_color, linear);
    for (int k = 0; k < 3; k++) rgb[k] = (uint8_t)(255 * fmin(fmax(pd_linear_to_srgb(linear[k]), 0), 1) + 0.5);
}

static void compute_mean_and_error(cluster *c, const lab *pixels) {
    double sum[3] = {0}, square = 0;
    for (int i = c->begin; i < c->end; i++)
        for (int k = 0; k < 3; k++) {
            sum[k] += pixels[i].channel[k];
            square += (double)pixels[i].channel[k] * pixels[i].channel[k];
        }
    int count = c->end - c->begin;
    c->error = square;
    for (int k = 0; k < 3; k++) {
        c->mean[k] = sum[k] / count;
        c->error -= sum[k] * c->mean[k];
    }
}

/* Finds the principal axis of a cluster, along which its pixels vary most, by power iteration. */
static void find_principal_axis(const cluster *c, const lab *pixels, double axis[3]) {
    double spread[3][3] = {{0}};
    for (int i = c->begin; i < c->end; i++)
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++)
                spread[a][b] += (pixels[i].channel[a] - c->mean[a]) * (pixels[i].channel[b] - c->mean[b]);
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
static bool split_cluster(cluster *c, cluster *new_cluster, lab *pixels) {
    double axis[3];
    find_principal_axis(c, pixels, axis);
    int middle = c->begin;
    for (int i = c->begin; i < c->end; i++) {
        double along = 0;
        for (int k = 0; k < 3; k++) along += axis[k] * (pixels[i].channel[k] - c->mean[k]);
        if (along > 0) continue;
        lab swapped = pixels[i];
        pixels[i] = pixels[middle];
        pixels[middle++] = swapped;
    }
    if (middle == c->begin || middle == c->end) return false;
    *new_cluster = (cluster){.begin = middle, .end = c->end};
    c->end = middle;
    compute_mean_and_error(c, pixels);
    compute_mean_and_error(new_cluster, pixels);
    return true;
}

static int split_into_clusters(cluster *clusters, lab *pixels, int pixel_count, int max_colors) {
    int count = 1;
    clusters[0] = (cluster){.end = pixel_count};
    compute_mean_and_error(&clusters[0], pixels);
    while (count < max_colors) {
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

static int find_nearest_cluster(const cluster *clusters, int count, const lab *pixel) {
    int best = 0;
    double least = INFINITY;
    for (int i = 0; i < count; i++) {
        double x = pixel->channel[0] - clusters[i].mean[0], y = pixel->channel[1] - clusters[i].mean[1];
        double z = pixel->channel[2] - clusters[i].mean[2], distance = x * x + y * y + z * z;
        if (distance < least) {
            least = distance;
            best = i;
        }
    }
    return best;
}

/* Sets each cluster's mean to the mean of the pixels that are nearest to the old mean: a step of k-means. */
static void update_cluster_means(cluster *clusters, int count, const lab *pixels, int pixel_count) {
    double sum[MAX_CLUSTERS][4] = {{0}};
    for (int i = 0; i < pixel_count; i++) {
        double *of = sum[find_nearest_cluster(clusters, count, &pixels[i])];
        for (int k = 0; k < 3; k++) of[k] += pixels[i].channel[k];
        of[3]++;
    }
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 3 && sum[i][3] > 0; k++) clusters[i].mean[k] = sum[i][k] / sum[i][3];
}

int pd_colors_choose(const uint8_t *rgba, int count, int max_colors, uint8_t (*colors)[3], uint8_t *color_indices) {
    cluster clusters[MAX_CLUSTERS];
    double linear_of_byte[256];
    int opaque = 0;
    lab *pixels = pd_memory_new((size_t)count * sizeof *pixels);
    if (!pixels) return -1;
    for (int i = 0; i < 256; i++) linear_of_byte[i] = pd_srgb_to_linear(i / 255.0);
    for (int i = 0; i < count; i++)
        if (rgba[4 * i + 3] >= 128) pixels[opaque++] = rgb_to_lab(rgba + 4 * i, linear_of_byte);
    int found =
        opaque ? split_into_clusters(clusters, pixels, opaque, max_colors < MAX_CLUSTERS ? max_colors : MAX_CLUSTERS)
               : 0;
    for (int round = 0; round < ROUNDS && found > 1; round++) update_cluster_means(clusters, found, pixels, opaque);
    for (int i = 0; i < count; i++) {
        lab pixel = rgb_to_lab(rgba + 4 * i, linear_of_byte);
        color_indices[i] =
            rgba[4 * i + 3] >= 128 ? (uint8_t)find_nearest_cluster(clusters, found, &pixel) : PD_NO_FLUID;
    }
    for (int i = 0; i < found; i++) lab_to_rgb(clusters[i].mean, colors[i]);
    pd_memory_free(pixels);
    return found;
}
