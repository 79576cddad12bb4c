/* Colour palettes of GIFs, by FFmpeg's filters palettegen and paletteuse. */
#include "record/palette.h"

#include <libavfilter/avfilter.h>
#include <libavfilter/buffersink.h>
#include <libavfilter/buffersrc.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* Most bytes of the frames that wait for the palette. */
static const size_t max_bytes = (size_t)256 << 20;
enum { MAX_INPUTS = 2 };

typedef struct graph {
    AVFilterGraph *filters;
    AVFilterContext *inputs[MAX_INPUTS], *output;
} graph;

struct pd_gif_palette {
    int width, height, fps;
    graph find, use; /* filters that compute the palette; filters that apply it */
    AVFrame **waiting;
    size_t count, passed_count;  /* number of waiting frames; number of these that `use` has received */
    bool found, ended, finished; /* palette is known; pd_gif_palette_end was called; `use` has received the end */
};

/* Adds an input of a filter graph, in the filters' default format. */
static int add_input(graph *graph, int index, const char *arguments) {
    char name[8];
    snprintf(name, sizeof name, "in%d", index);
    return avfilter_graph_create_filter(&graph->inputs[index], avfilter_get_by_name("buffer"), name, arguments, NULL,
                                        graph->filters);
}

/* Opens a filter graph. chain: its description, with the inputs [in0] and, if count = 2, [in1], and the output
 * [out]. */
static int open_graph(graph *graph, const char *const arguments[], int count, const char *chain) {
    graph->filters = avfilter_graph_alloc();
    if (!graph->filters) return AVERROR(ENOMEM);
    graph->filters->nb_threads = 1;
    AVFilterInOut *sources = NULL, *sinks = avfilter_inout_alloc();
    int code = sinks ? 0 : AVERROR(ENOMEM);
    for (int i = 0; i < count && code >= 0; i++) code = add_input(graph, i, arguments[i]);
    if (code >= 0)
        code = avfilter_graph_create_filter(&graph->output, avfilter_get_by_name("buffersink"), "out", NULL, NULL,
                                            graph->filters);
    for (int i = count - 1; i >= 0 && code >= 0; i--) {
        AVFilterInOut *source = avfilter_inout_alloc();
        if (!source) {
            code = AVERROR(ENOMEM);
            break;
        }
        *source = (AVFilterInOut){av_strdup(graph->inputs[i]->name), graph->inputs[i], 0, sources};
        sources = source;
    }
    if (code >= 0) {
        *sinks = (AVFilterInOut){av_strdup("out"), graph->output, 0, NULL};
        code = avfilter_graph_parse_ptr(graph->filters, chain, &sinks, &sources, NULL);
    }
    if (code >= 0) code = avfilter_graph_config(graph->filters, NULL);
    avfilter_inout_free(&sources);
    avfilter_inout_free(&sinks);
    return code;
}

static void input_format(const pd_gif_palette *palette, char *text, size_t size) {
    snprintf(text, size, "width=%d:height=%d:pix_fmt=rgb24:time_base=1/%d:frame_rate=%d:pixel_aspect=1/1",
             palette->width, palette->height, palette->fps, palette->fps);
}

int pd_gif_palette_create(pd_gif_palette **created, int width, int height, int fps) {
    pd_gif_palette *palette = calloc(1, sizeof *palette);
    *created = palette;
    if (!palette) return AVERROR(ENOMEM);
    *palette = (pd_gif_palette){.width = width, .height = height, .fps = fps};
    char format[128];
    input_format(palette, format, sizeof format);
    const char *arguments[] = {format};
    /* No colour is reserved for transparency: frames cover the whole picture. */
    return open_graph(&palette->find, arguments, 1, "[in0]palettegen=reserve_transparent=0:stats_mode=full[out]");
}

/* Computes the palette from all frames so far, which continue to wait. */
static int find_palette(pd_gif_palette *palette) {
    char format[128];
    AVFrame *colours = av_frame_alloc();
    int code = colours ? av_buffersrc_add_frame(palette->find.inputs[0], NULL) : AVERROR(ENOMEM);
    if (code >= 0) code = av_buffersink_get_frame(palette->find.output, colours);
    if (code >= 0) {
        char of_palette[128];
        input_format(palette, format, sizeof format);
        snprintf(of_palette, sizeof of_palette, "width=16:height=16:pix_fmt=%d:time_base=1/%d:pixel_aspect=1/1",
                 AV_PIX_FMT_RGB32, palette->fps);
        const char *arguments[] = {format, of_palette};
        /* Ordered dither is constant where the picture is constant: it flickers less than error diffusion and
         * compresses far better. */
        code = open_graph(&palette->use, arguments, 2, "[in0][in1]paletteuse=dither=bayer:bayer_scale=4[out]");
    }
    if (code >= 0) colours->pts = 0;
    if (code >= 0) code = av_buffersrc_add_frame(palette->use.inputs[1], colours);
    if (code >= 0) code = av_buffersrc_add_frame(palette->use.inputs[1], NULL);
    av_frame_free(&colours);
    palette->found = code >= 0;
    return code;
}

int pd_gif_palette_add(pd_gif_palette *palette, AVFrame *frame) {
    if (palette->found) return av_buffersrc_add_frame_flags(palette->use.inputs[0], frame, AV_BUFFERSRC_FLAG_KEEP_REF);
    AVFrame *copy = av_frame_clone(frame);
    AVFrame **grown = copy ? realloc(palette->waiting, sizeof *grown * (palette->count + 1)) : NULL;
    if (!grown) {
        av_frame_free(&copy);
        return AVERROR(ENOMEM);
    }
    palette->waiting = grown;
    grown[palette->count++] = copy;
    int code = av_buffersrc_add_frame_flags(palette->find.inputs[0], frame, AV_BUFFERSRC_FLAG_KEEP_REF);
    size_t bytes = (size_t)palette->width * (size_t)palette->height * 3 * palette->count;
    return code >= 0 && bytes > max_bytes ? find_palette(palette) : code;
}

int pd_gif_palette_end(pd_gif_palette *palette) {
    palette->ended = true;
    return palette->found || palette->count == 0 ? 0 : find_palette(palette);
}

int pd_gif_palette_next(pd_gif_palette *palette, AVFrame *frame) {
    if (!palette->found) return palette->ended ? AVERROR_EOF : AVERROR(EAGAIN);
    for (;;) {
        int code = av_buffersink_get_frame(palette->use.output, frame);
        if (code != AVERROR(EAGAIN)) return code;
        if (palette->passed_count < palette->count) {
            AVFrame **next = &palette->waiting[palette->passed_count++];
            code = av_buffersrc_add_frame(palette->use.inputs[0], *next);
            av_frame_free(next);
        } else if (palette->ended && !palette->finished) {
            palette->finished = true;
            code = av_buffersrc_add_frame(palette->use.inputs[0], NULL);
        } else {
            return AVERROR(EAGAIN);
        }
        if (code < 0) return code;
    }
}

void pd_gif_palette_free(pd_gif_palette *palette) {
    if (!palette) return;
    for (size_t i = palette->passed_count; i < palette->count; i++) av_frame_free(&palette->waiting[i]);
    free(palette->waiting);
    avfilter_graph_free(&palette->find.filters);
    avfilter_graph_free(&palette->use.filters);
    free(palette);
}
