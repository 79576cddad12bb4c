/* Computes and applies the palette of a GIF by FFmpeg's filters palettegen and paletteuse. */
#include "record/palette.h"

#include <libavfilter/avfilter.h>
#include <libavfilter/buffersink.h>
#include <libavfilter/buffersrc.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* Limit of the size of all frames from which the palette is computed, bytes. */
static const size_t max_waiting_bytes = (size_t)256 << 20;
enum { MAX_INPUTS = 2 };

typedef struct filter_graph {
    AVFilterGraph *filters;
    AVFilterContext *inputs[MAX_INPUTS], *output;
} filter_graph;

struct pd_gif_palette {
    int width, height;          /* size of the frames, pixels */
    AVRational fps;             /* frames per second */
    filter_graph palette_graph; /* palettegen: frames to palette */
    filter_graph dither_graph;  /* paletteuse: frames and palette to frames of AV_PIX_FMT_PAL8 */
    AVFrame **waiting_frames;   /* frames from which the palette is computed */
    size_t waiting_count;       /* number of waiting_frames */
    size_t passed_frame_count;  /* number of waiting_frames passed to dither_graph */
    bool computed;              /* the palette is computed, and dither_graph exists */
    bool ended;                 /* pd_gif_palette_end_frames was called */
    bool finished;              /* dither_graph was told that no frame follows */
};

/* Creates input "in<index>" of a filter graph. arguments: format of its frames, for FFmpeg's filter "buffer". */
static int add_filter_graph_input(filter_graph *filter_graph, int index, const char *arguments) {
    char name[8];
    snprintf(name, sizeof name, "in%d", index);
    return avfilter_graph_create_filter(&filter_graph->inputs[index], avfilter_get_by_name("buffer"), name, arguments,
                                        NULL, filter_graph->filters);
}

/* Creates a filter graph. description: filters in FFmpeg's syntax between the inputs [in0] and, if input_count = 2,
 * [in1], and the output [out]. */
static int create_filter_graph(filter_graph *filter_graph, const char *const arguments[], int input_count,
                               const char *description) {
    filter_graph->filters = avfilter_graph_alloc();
    if (!filter_graph->filters) return AVERROR(ENOMEM);
    filter_graph->filters->nb_threads = 1;
    AVFilterInOut *sources = NULL, *sinks = avfilter_inout_alloc();
    int averror = sinks ? 0 : AVERROR(ENOMEM);
    for (int i = 0; i < input_count && averror >= 0; i++)
        averror = add_filter_graph_input(filter_graph, i, arguments[i]);
    if (averror >= 0)
        averror = avfilter_graph_create_filter(&filter_graph->output, avfilter_get_by_name("buffersink"), "out", NULL,
                                               NULL, filter_graph->filters);
    for (int i = input_count - 1; i >= 0 && averror >= 0; i--) {
        AVFilterInOut *source = avfilter_inout_alloc();
        if (!source) {
            averror = AVERROR(ENOMEM);
            break;
        }
        *source = (AVFilterInOut){av_strdup(filter_graph->inputs[i]->name), filter_graph->inputs[i], 0, sources};
        sources = source;
    }
    if (averror >= 0) {
        *sinks = (AVFilterInOut){av_strdup("out"), filter_graph->output, 0, NULL};
        averror = avfilter_graph_parse_ptr(filter_graph->filters, description, &sinks, &sources, NULL);
    }
    if (averror >= 0) averror = avfilter_graph_config(filter_graph->filters, NULL);
    avfilter_inout_free(&sources);
    avfilter_inout_free(&sinks);
    return averror;
}

static void write_input_arguments(const pd_gif_palette *palette, char *text, size_t size) {
    snprintf(text, size, "width=%d:height=%d:pix_fmt=rgb24:time_base=%d/%d:frame_rate=%d/%d:pixel_aspect=1/1",
             palette->width, palette->height, palette->fps.den, palette->fps.num, palette->fps.num, palette->fps.den);
}

int pd_gif_palette_create(pd_gif_palette **created, int width, int height, AVRational fps) {
    pd_gif_palette *palette = calloc(1, sizeof *palette);
    *created = palette;
    if (!palette) return AVERROR(ENOMEM);
    *palette = (pd_gif_palette){.width = width, .height = height, .fps = fps};
    char format[128];
    write_input_arguments(palette, format, sizeof format);
    const char *arguments[] = {format};
    /* Frames have no transparent pixels, so no colour is reserved for transparency. */
    return create_filter_graph(&palette->palette_graph, arguments, 1,
                               "[in0]palettegen=reserve_transparent=0:stats_mode=full[out]");
}

/* Computes the palette from all frames added so far, and creates the graph that applies it. */
static int compute_palette(pd_gif_palette *palette) {
    char format[128];
    AVFrame *colours = av_frame_alloc();
    int averror = colours ? av_buffersrc_add_frame(palette->palette_graph.inputs[0], NULL) : AVERROR(ENOMEM);
    if (averror >= 0) averror = av_buffersink_get_frame(palette->palette_graph.output, colours);
    if (averror >= 0) {
        char of_palette[128];
        write_input_arguments(palette, format, sizeof format);
        snprintf(of_palette, sizeof of_palette, "width=16:height=16:pix_fmt=%d:time_base=%d/%d:pixel_aspect=1/1",
                 AV_PIX_FMT_RGB32, palette->fps.den, palette->fps.num);
        const char *arguments[] = {format, of_palette};
        /* The pattern of ordered dither is constant where the picture is constant. It flickers less than error
         * diffusion and compresses far better. */
        averror = create_filter_graph(&palette->dither_graph, arguments, 2,
                                      "[in0][in1]paletteuse=dither=bayer:bayer_scale=4[out]");
    }
    if (averror >= 0) colours->pts = 0;
    if (averror >= 0) averror = av_buffersrc_add_frame(palette->dither_graph.inputs[1], colours);
    if (averror >= 0) averror = av_buffersrc_add_frame(palette->dither_graph.inputs[1], NULL);
    av_frame_free(&colours);
    palette->computed = averror >= 0;
    return averror;
}

int pd_gif_palette_add_frame(pd_gif_palette *palette, AVFrame *frame) {
    if (palette->computed)
        return av_buffersrc_add_frame_flags(palette->dither_graph.inputs[0], frame, AV_BUFFERSRC_FLAG_KEEP_REF);
    AVFrame *copy = av_frame_clone(frame);
    AVFrame **grown = copy ? realloc(palette->waiting_frames, sizeof *grown * (palette->waiting_count + 1)) : NULL;
    if (!grown) {
        av_frame_free(&copy);
        return AVERROR(ENOMEM);
    }
    palette->waiting_frames = grown;
    grown[palette->waiting_count++] = copy;
    int averror = av_buffersrc_add_frame_flags(palette->palette_graph.inputs[0], frame, AV_BUFFERSRC_FLAG_KEEP_REF);
    size_t bytes = (size_t)palette->width * (size_t)palette->height * 3 * palette->waiting_count;
    return averror >= 0 && bytes > max_waiting_bytes ? compute_palette(palette) : averror;
}

int pd_gif_palette_end_frames(pd_gif_palette *palette) {
    palette->ended = true;
    return palette->computed || palette->waiting_count == 0 ? 0 : compute_palette(palette);
}

int pd_gif_palette_get_next_frame(pd_gif_palette *palette, AVFrame *frame) {
    if (!palette->computed) return palette->ended ? AVERROR_EOF : AVERROR(EAGAIN);
    for (;;) {
        int averror = av_buffersink_get_frame(palette->dither_graph.output, frame);
        if (averror != AVERROR(EAGAIN)) return averror;
        if (palette->passed_frame_count < palette->waiting_count) {
            AVFrame **next = &palette->waiting_frames[palette->passed_frame_count++];
            averror = av_buffersrc_add_frame(palette->dither_graph.inputs[0], *next);
            av_frame_free(next);
        } else if (palette->ended && !palette->finished) {
            palette->finished = true;
            averror = av_buffersrc_add_frame(palette->dither_graph.inputs[0], NULL);
        } else {
            return AVERROR(EAGAIN);
        }
        if (averror < 0) return averror;
    }
}

void pd_gif_palette_free(pd_gif_palette *palette) {
    if (!palette) return;
    for (size_t i = palette->passed_frame_count; i < palette->waiting_count; i++)
        av_frame_free(&palette->waiting_frames[i]);
    free(palette->waiting_frames);
    avfilter_graph_free(&palette->palette_graph.filters);
    avfilter_graph_free(&palette->dither_graph.filters);
    free(palette);
}
