/* Backend of MP4, WebM, MOV and GIF files, by FFmpeg's libraries.
 *
 * The file is written under a temporary name and renamed when it is complete. If the disk becomes full, the frames so far
 * become a playable file: before each packet is written, disk space is reserved for the packet and for the end of the
 * file, such as an MP4's index. */
#include "core/error.h"
#include "core/file.h"
#include "core/text.h"
#include "core/timer.h"
#include "record/backend.h"
#include <errno.h>
#include <inttypes.h>
#include <libavcodec/avcodec.h>
#include <libavfilter/avfilter.h>
#include <libavfilter/buffersink.h>
#include <libavfilter/buffersrc.h>
#include <libavformat/avformat.h>
#include <libavutil/pixdesc.h>
#include <libswscale/swscale.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Encoders of libavcodec ---- */

typedef struct encoder {
    pd_sink_kind kind;         /* kind of recording that the encoder makes */
    const char *name, *format; /* names of the encoder and of the container format in FFmpeg */
    /* Pixel formats without and with alpha. alpha_pixels = AV_PIX_FMT_NONE: no alpha. */
    enum AVPixelFormat pixels, alpha_pixels;
    const char *options;                    /* libavcodec options, "key=value:key=value" */
    const char *low, *medium, *high, *best; /* additional libavcodec options for each pd_quality */
} encoder;

/* Encoders of each kind of recording, in order of preference. */
static const encoder encoders[] = {
    {PD_SINK_MP4, "libx264", "H.264", AV_PIX_FMT_YUV420P, AV_PIX_FMT_NONE, "preset=veryfast", "crf=32", "crf=24",
     "crf=18", "crf=10"},
    {PD_SINK_MP4, "libopenh264", "H.264", AV_PIX_FMT_YUV420P, AV_PIX_FMT_NONE, "", "b=2M", "b=5M", "b=12M", "b=30M"},
    {PD_SINK_MP4, "mpeg4", "MPEG-4 Part 2", AV_PIX_FMT_YUV420P, AV_PIX_FMT_NONE, "flags=+qscale", "global_quality=1180",
     "global_quality=590", "global_quality=236", "global_quality=118"},
    {PD_SINK_WEBM, "libvpx-vp9", "VP9", AV_PIX_FMT_YUV420P, AV_PIX_FMT_YUVA420P,
     "b=0:deadline=realtime:cpu-used=6:row-mt=1:tile-columns=2", "crf=44", "crf=34", "crf=24", "crf=10"},
    {PD_SINK_WEBM, "libvpx", "VP8", AV_PIX_FMT_YUV420P, AV_PIX_FMT_YUVA420P,
     "b=20M:deadline=realtime:cpu-used=6:auto-alt-ref=0", "crf=30", "crf=16", "crf=8", "crf=4"},
    {PD_SINK_MOV, "prores_ks", "ProRes 4444", AV_PIX_FMT_YUV444P10LE, AV_PIX_FMT_YUVA444P10LE,
     "profile=4444:vendor=apl0", "global_quality=2360", "global_quality=1180", "global_quality=590",
     "global_quality=236"},
    {PD_SINK_MOV, "png", "PNG", AV_PIX_FMT_RGB24, AV_PIX_FMT_RGBA, "", "", "", "", ""},
    {PD_SINK_GIF, "gif", "GIF", AV_PIX_FMT_PAL8, AV_PIX_FMT_NONE, "", "", "", "", ""},
};

/* Returns libavformat's name of the container format for a kind of video. */
static const char *container_name(pd_sink_kind kind) {
    if (kind == PD_SINK_MP4) return "mp4";
    if (kind == PD_SINK_MOV) return "mov";
    return kind == PD_SINK_WEBM ? "webm" : "gif";
}

/* Returns whether an encoder reads red, green and blue instead of luma and chroma. */
static bool encoder_is_rgb(const AVCodecContext *codec) {
    return av_pix_fmt_desc_get(codec->pix_fmt)->flags & AV_PIX_FMT_FLAG_RGB;
}

/* Returns the additional libavcodec options of an encoder for this quality. */
static const char *get_quality_options(const encoder *encoder, pd_quality quality) {
    if (quality == PD_QUALITY_LOW) return encoder->low;
    if (quality == PD_QUALITY_MEDIUM) return encoder->medium;
    return quality == PD_QUALITY_BEST ? encoder->best : encoder->high;
}

static void set_colors(AVCodecContext *context) {
    context->color_range = encoder_is_rgb(context) ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG;
    context->colorspace = encoder_is_rgb(context) ? AVCOL_SPC_RGB : AVCOL_SPC_BT709;
    context->color_primaries = AVCOL_PRI_BT709;
    context->color_trc = AVCOL_TRC_BT709;
}

/* Opens an encoder, and sets *opened. Returns 0 or an AVERROR. */
static int open_encoder(AVCodecContext **opened, const encoder *encoder, const pd_sink_info *info) {
    const AVCodec *codec = avcodec_find_encoder_by_name(encoder->name);
    if (!codec) return AVERROR_ENCODER_NOT_FOUND;
    AVCodecContext *context = avcodec_alloc_context3(codec);
    if (!context) return AVERROR(ENOMEM);
    context->width = info->pixels.width;
    context->height = info->pixels.height;
    context->pix_fmt = info->pixels.alpha ? encoder->alpha_pixels : encoder->pixels;
    context->framerate = av_d2q(info->fps, 100000);
    context->time_base = av_inv_q(context->framerate);
    /* for seeking, a key frame every 2 s, but at most one in 50 frames */
    context->gop_size = info->fps < 25 ? 50 : (int)(2 * info->fps);
    context->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
    if (encoder->kind != PD_SINK_GIF) set_colors(context);
    AVDictionary *options = NULL;
    int averror = av_dict_parse_string(&options, encoder->options, "=", ":", 0);
    if (averror >= 0)
        averror = av_dict_parse_string(&options, get_quality_options(encoder, info->quality), "=", ":", 0);
    if (averror >= 0) averror = avcodec_open2(context, codec, &options);
    av_dict_free(&options);
    if (averror < 0) avcodec_free_context(&context);
    *opened = context;
    return averror;
}

/* Opens the first installed encoder for a kind of video, in order of preference. note: receives a message if this is not the most
 * preferred one, else "". Errors: ENCODER_UNAVAILABLE, OUT_OF_MEMORY. */
static pd_result open_first_encoder(AVCodecContext **codec, pd_sink_kind kind, const pd_sink_info *info, char *note,
                                    size_t note_size, pd_error *error) {
    const encoder *usual = NULL;
    char reason[128];
    int preferred_averror = 0; /* AVERROR of opening the first encoder of this kind, the preferred one */
    *note = '\0';
    for (size_t i = 0; i < sizeof encoders / sizeof *encoders; i++) {
        if (encoders[i].kind != kind || (info->pixels.alpha && encoders[i].alpha_pixels == AV_PIX_FMT_NONE)) continue;
        if (!usual) usual = &encoders[i];
        int averror = open_encoder(codec, &encoders[i], info);
        if (averror == AVERROR(ENOMEM))
            return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "cannot record: out of memory (use a smaller size)");
        if (usual == &encoders[i]) preferred_averror = averror;
        if (averror < 0) continue;
        if (usual != &encoders[i])
            snprintf(note, note_size, "the video is %s by %s, since libavcodec has no %s", encoders[i].format,
                     encoders[i].name, usual->name);
        return PD_OK;
    }
    av_strerror(preferred_averror, reason, sizeof reason);
    return pd_fail(error, PD_ERROR_ENCODER_UNAVAILABLE,
                   "cannot encode %d x %d pixels at %g frames a second as %s: %s (use another format or size, or a "
                   "folder)",
                   info->pixels.width, info->pixels.height, info->fps, usual->format, reason);
}

bool pd_sink_has_encoder(pd_sink_kind kind) {
    for (size_t i = 0; i < sizeof encoders / sizeof *encoders; i++)
        if (encoders[i].kind == kind && avcodec_find_encoder_by_name(encoders[i].name)) return true;
    return false;
}

/* ---- Palette of a GIF, at most 256 colours ---- */

/* The palette is computed from the first frames and applied to all frames, by FFmpeg's filters palettegen and paletteuse. Functions
 * return 0 or a negative AVERROR. */

/* Limit of the size of all frames from which the palette is computed, bytes. */
static const size_t max_waiting_bytes = (size_t)256 << 20;
enum { MAX_INPUTS = 2 };

typedef struct filter_graph {
    AVFilterGraph *filters;
    AVFilterContext *inputs[MAX_INPUTS], *output;
} filter_graph;

typedef struct gif_palette {
    int width, height;          /* size of the frames, pixels */
    AVRational fps;             /* frames per second */
    filter_graph palette_graph; /* palettegen: frames to palette */
    filter_graph dither_graph;  /* paletteuse: frames and palette to frames of AV_PIX_FMT_PAL8 */
    AVFrame **waiting_frames;   /* frames from which the palette is computed */
    size_t waiting_count;       /* number of waiting_frames */
    size_t passed_frame_count;  /* number of waiting_frames passed to dither_graph */
    bool computed;              /* the palette is computed, and dither_graph exists */
    bool ended;                 /* palette_end_frames was called */
    bool finished;              /* dither_graph was told that no frame follows */
} gif_palette;

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

static void write_input_arguments(const gif_palette *palette, char *text, size_t size) {
    snprintf(text, size, "width=%d:height=%d:pix_fmt=rgb24:time_base=%d/%d:frame_rate=%d/%d:pixel_aspect=1/1",
             palette->width, palette->height, palette->fps.den, palette->fps.num, palette->fps.num, palette->fps.den);
}

/* Creates a palette for frames of width x height pixels in AV_PIX_FMT_RGB24. fps: frames per second. */
static int palette_create(gif_palette **created, int width, int height, AVRational fps) {
    gif_palette *palette = calloc(1, sizeof *palette);
    *created = palette;
    if (!palette) return AVERROR(ENOMEM);
    *palette = (gif_palette){.width = width, .height = height, .fps = fps};
    char format[128];
    write_input_arguments(palette, format, sizeof format);
    const char *arguments[] = {format};
    /* Frames have no transparent pixels, so no colour is reserved for transparency. */
    return create_filter_graph(&palette->palette_graph, arguments, 1,
                               "[in0]palettegen=reserve_transparent=0:stats_mode=full[out]");
}

/* Computes the palette from all frames added so far, and creates the graph that applies it. */
static int compute_palette(gif_palette *palette) {
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

/* Adds a reference to the pixels of a frame. */
static int palette_add_frame(gif_palette *palette, AVFrame *frame) {
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

/* Call after the last frame. Computes the palette if it is not computed yet. */
static int palette_end_frames(gif_palette *palette) {
    palette->ended = true;
    return palette->computed || palette->waiting_count == 0 ? 0 : compute_palette(palette);
}

/* Sets *frame to the next frame in the palette's colours (AV_PIX_FMT_PAL8). Returns AVERROR(EAGAIN) if more frames must be added first,
 * AVERROR_EOF after the last frame. */
static int palette_get_next_frame(gif_palette *palette, AVFrame *frame) {
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

static void palette_free(gif_palette *palette) {
    if (!palette) return;
    for (size_t i = palette->passed_frame_count; i < palette->waiting_count; i++)
        av_frame_free(&palette->waiting_frames[i]);
    free(palette->waiting_frames);
    avfilter_graph_free(&palette->palette_graph.filters);
    avfilter_graph_free(&palette->dither_graph.filters);
    free(palette);
}

/* ---- Files ---- */

enum {
    IO_BUFFER_SIZE = 1 << 16,
    RESERVE_STEP = 4 << 20,   /* disk space that is reserved at once, bytes; less if the disk is nearly full */
    MAX_INDEX_ENTRY = 64,     /* greatest size of a frame's entry in the index of the container, bytes */
    MAX_INDEX_BASE = 64 << 10 /* greatest size of the end of the file without the index entries, bytes */
};

typedef struct video {
    pd_backend backend;
    char path[PD_MAX_PATH]; /* path of the video */
    pd_output output;       /* the file until it is complete */
    pd_pixels pixels;       /* size and format of the frames that are added */
    AVFormatContext *format;
    AVCodecContext *codec;
    AVStream *stream;
    struct SwsContext *colour_converter; /* converts RGB or RGBA to the encoder's pixel format; NULL for a GIF */
    gif_palette *palette;                /* palette of a GIF; NULL for other kinds */
    AVFrame *frame, *paletted;           /* converted frame; frame of a GIF in the colours of its palette */
    AVPacket *packet;                    /* compressed frame */
    int write_errno;                     /* errno of the first failed write; 0: none failed */
    int frames;                          /* number of written frames */
    int64_t packet_bytes;                /* sum of the sizes of written packets, bytes */
    int64_t reserved_bytes;              /* disk space reserved for the file from its beginning, bytes */
    double converting;                   /* time of colour conversion, s */
} video;

pd_result pd_recorded_file_check_path(const char *path, bool overwrite, pd_error *error) {
    pd_result result = pd_file_check_writable(path, error);
    if (result || overwrite || !pd_os_exists(path)) return result;
    return pd_fail(error, PD_ERROR_RECORDING_EXISTS,
                   "cannot record to '%.300s': it exists (name another file, or --force to replace it)", path);
}

static int write_output_bytes(void *context, uint8_t *bytes, int size) {
    video *video = context;
    int error_number = pd_os_write(fileno(video->output.stream), bytes, (size_t)size);
    if (!video->write_errno) video->write_errno = error_number;
    return error_number ? AVERROR(error_number) : size;
}

static int64_t seek_output(void *context, int64_t offset, int whence) {
    video *video = context;
    if (whence == AVSEEK_SIZE) return pd_os_status(video->output.temporary, false).size;
    int64_t position = pd_os_seek(fileno(video->output.stream), offset, whence & ~AVSEEK_FORCE);
    return position >= 0 ? position : AVERROR(errno);
}

static pd_result fail_with_encoder_error(const video *video, int averror, pd_error *error) {
    char reason[128] = "";
    if (video->write_errno) return pd_fail_unwritable(video->path, video->write_errno, error);
    if (averror == AVERROR(ENOMEM))
        return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "cannot write '%.300s': out of memory (use a smaller size)",
                       video->path);
    av_strerror(averror, reason, sizeof reason);
    return pd_fail(error, PD_ERROR_ENCODER_UNAVAILABLE,
                   "cannot write '%.200s': the encoder %s failed: %s (use another format, or a folder)", video->path,
                   video->codec ? video->codec->codec->name : "", reason);
}

/* Reserves disk space up to the end of the next packet (packet_size bytes), and for the end of the file behind it. */
static int reserve_packet_space(video *video, int packet_size) {
    int64_t needed =
        video->packet_bytes + packet_size + MAX_INDEX_BASE + (int64_t)MAX_INDEX_ENTRY * (video->frames + 1);
    int file = fileno(video->output.stream);
    if (needed <= video->reserved_bytes) return 0;
    int64_t ahead = needed + RESERVE_STEP;
    if (pd_os_reserve(file, ahead) != 0) {
        ahead = needed;
        video->write_errno = pd_os_reserve(file, ahead);
    }
    if (video->write_errno) return AVERROR(video->write_errno);
    video->reserved_bytes = ahead;
    return 0;
}

/* Writes the packets that the encoder has completed. Returns 0 or an AVERROR. */
static int write_encoded_packets(video *video) {
    for (;;) {
        int averror = avcodec_receive_packet(video->codec, video->packet);
        if (averror == AVERROR(EAGAIN) || averror == AVERROR_EOF) return 0;
        if (averror < 0) return averror;
        video->packet->duration = 1;
        av_packet_rescale_ts(video->packet, video->codec->time_base, video->stream->time_base);
        video->packet->stream_index = video->stream->index;
        int size = video->packet->size;
        averror = reserve_packet_space(video, size);
        if (averror >= 0) averror = av_write_frame(video->format, video->packet);
        av_packet_unref(video->packet);
        if (averror < 0) return averror;
        video->packet_bytes += size;
        video->frames++;
    }
}

static int encode_frame(video *video, AVFrame *frame) {
    int averror = avcodec_send_frame(video->codec, frame);
    return averror < 0 ? averror : write_encoded_packets(video);
}

/* Encodes the frames that palette_get_next_frame returns. */
static int encode_paletted_frames(video *video) {
    for (;;) {
        double start_time = pd_now();
        int averror = palette_get_next_frame(video->palette, video->paletted);
        video->converting += pd_now() - start_time;
        if (averror == AVERROR(EAGAIN) || averror == AVERROR_EOF) return 0;
        if (averror < 0) return averror;
        averror = encode_frame(video, video->paletted);
        av_frame_unref(video->paletted);
        if (averror < 0) return averror;
    }
}

static int add_gif_frame(video *video, const uint8_t *data) {
    AVFrame *frame = video->frame;
    int averror = av_frame_get_buffer(frame, 0);
    if (averror < 0) return averror;
    size_t row = pd_pixels_row_bytes(&video->pixels);
    for (int y = 0; y < video->pixels.height; y++)
        memcpy(frame->data[0] + (ptrdiff_t)y * frame->linesize[0], data + (size_t)y * row, row);
    double start_time = pd_now();
    averror = palette_add_frame(video->palette, frame);
    video->converting += pd_now() - start_time;
    av_frame_unref(frame);
    frame->format = AV_PIX_FMT_RGB24;
    frame->width = video->pixels.width;
    frame->height = video->pixels.height;
    return averror < 0 ? averror : encode_paletted_frames(video);
}

static int encode_video_frame(video *video, const uint8_t *data) {
    double start_time = pd_now();
    int stride = (int)pd_pixels_row_bytes(&video->pixels), averror = av_frame_make_writable(video->frame);
    if (averror < 0) return averror;
    sws_scale(video->colour_converter, &data, &stride, 0, video->pixels.height, video->frame->data,
              video->frame->linesize);
    video->converting += pd_now() - start_time;
    return encode_frame(video, video->frame);
}

static pd_result video_backend_write_frame(pd_backend *backend, long long index, const uint8_t *data, pd_error *error) {
    video *video = (struct video *)backend;
    video->frame->pts = index;
    int averror = video->palette ? add_gif_frame(video, data) : encode_video_frame(video, data);
    return averror < 0 ? fail_with_encoder_error(video, averror, error) : PD_OK;
}

static void video_backend_free(video *video) {
    if (video->format && video->format->pb) {
        av_freep(&video->format->pb->buffer);
        avio_context_free(&video->format->pb);
    }
    pd_output_cancel(&video->output); /* no effect after pd_output_commit */
    avformat_free_context(video->format);
    avcodec_free_context(&video->codec);
    sws_freeContext(video->colour_converter);
    palette_free(video->palette);
    av_frame_free(&video->frame);
    av_frame_free(&video->paletted);
    av_packet_free(&video->packet);
    free(video);
}

static void video_backend_discard(pd_backend *backend) { video_backend_free((video *)backend); }

/* After the last frame: encodes and writes the frames that are still in the palette's and the encoder's buffers. */
static int write_remaining_packets(video *video) {
    int averror = video->palette ? palette_end_frames(video->palette) : 0;
    if (averror >= 0 && video->palette) averror = encode_paletted_frames(video);
    return averror >= 0 ? encode_frame(video, NULL) : averror;
}

/* Sets the container's comment: "puddle VERSION; frame 0: method ddr, seed 1; frame 60: method sph, seed 1". An MP4 stores
 * the comment at the end of the recording, with all parts. A WebM stores it at the beginning, with the first part only. */
static void set_metadata_comment(video *video, const pd_recorded_part *parts, int count) {
    char comment[1024];
    snprintf(comment, sizeof comment, "puddle %s", PD_VERSION);
    for (int i = 0; i < count; i++)
        pd_text_append(comment, sizeof comment, "; frame %lld: method %s, seed %" PRIu64, parts[i].first_frame,
                       parts[i].method, parts[i].seed);
    av_dict_set(&video->format->metadata, "comment", comment, 0);
}

/* Writes the end of the file and renames it to its final name. */
static pd_result complete_file(video *video, pd_error *error) {
    int write_errno = video->write_errno;
    video->write_errno = 0;
    /* An earlier failed write is still in pb->error and would make av_write_trailer() fail. */
    video->format->pb->error = 0;
    int averror = av_write_trailer(video->format);
    if (averror >= 0) avio_flush(video->format->pb);
    if (averror >= 0 && video->write_errno) averror = AVERROR(video->write_errno);
    if (averror < 0) return fail_with_encoder_error(video, averror, error);
    int64_t size = pd_os_seek(fileno(video->output.stream), 0, SEEK_END);
    if (size >= 0) pd_os_truncate(fileno(video->output.stream), size); /* frees reserved disk space that was not used */
    errno = 0;
    pd_result result = pd_output_commit(&video->output, error);
    video->write_errno = write_errno;
    return result;
}

static pd_result video_backend_finish(pd_backend *backend, const pd_sink_outcome *outcome, pd_sink_report *report,
                                      pd_error *error) {
    video *video = (struct video *)backend;
    pd_result result = outcome->result;
    if (result) *error = outcome->error;
    if (!result && outcome->added_frames) {
        int averror = write_remaining_packets(video);
        if (averror < 0) result = fail_with_encoder_error(video, averror, error);
    }
    report->converting = video->converting; /* after the remaining frames are encoded, to include their time */
    if (video->frames == 0 || (result && !video->write_errno)) {
        video_backend_discard(backend);
        return result;
    }
    int shown = 1;
    while (shown < outcome->part_count && outcome->parts[shown].first_frame < video->frames) shown++;
    set_metadata_comment(video, outcome->parts, shown);
    pd_error incomplete;
    pd_result completed = complete_file(video, &incomplete);
    if (!completed) report->frames = video->frames;
    if (completed && !result) {
        result = completed;
        *error = incomplete;
    } else if (result && !completed) {
        char kept[64];
        snprintf(kept, sizeof kept, "it holds %d frame%s", video->frames, video->frames == 1 ? "" : "s");
        pd_fail_partly_written(video->path, video->write_errno, kept, error);
    }
    video_backend_free(video);
    return result;
}

/* Creates the conversion from full-range RGB to limited-range BT.709 (Rec. ITU-R BT.709-6, 3.2 to 3.5). set_colors marks
 * the video as BT.709. */
static bool create_colour_converter(video *video) {
    const AVCodecContext *codec = video->codec;
    const int *matrix = sws_getCoefficients(SWS_CS_ITU709);
    enum AVPixelFormat drawn = video->pixels.alpha ? AV_PIX_FMT_RGBA : AV_PIX_FMT_RGB24;
    video->colour_converter =
        sws_getContext(video->pixels.width, video->pixels.height, drawn, codec->width, codec->height, codec->pix_fmt,
                       SWS_BICUBIC | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INP, NULL, NULL, NULL);
    if (video->colour_converter && encoder_is_rgb(codec)) return true;
    return video->colour_converter &&
           sws_setColorspaceDetails(video->colour_converter, matrix, 1, matrix, 0, 0, 1 << 16, 1 << 16) >= 0;
}

/* Creates the frame buffers, the packet, and the colour converter or, for a GIF, the palette. */
static int create_frame_buffers(video *video, pd_sink_kind kind) {
    bool gif = kind == PD_SINK_GIF;
    AVFrame *frame = video->frame = av_frame_alloc();
    video->paletted = av_frame_alloc();
    video->packet = av_packet_alloc();
    if (!frame || !video->paletted || !video->packet) return AVERROR(ENOMEM);
    frame->format = gif ? AV_PIX_FMT_RGB24 : (int)video->codec->pix_fmt;
    frame->width = video->pixels.width;
    frame->height = video->pixels.height;
    if (gif) return palette_create(&video->palette, video->pixels.width, video->pixels.height, video->codec->framerate);
    frame->color_range = video->codec->color_range;
    frame->colorspace = video->codec->colorspace;
    frame->color_primaries = video->codec->color_primaries;
    frame->color_trc = video->codec->color_trc;
    if (!create_colour_converter(video)) return AVERROR(ENOMEM);
    return av_frame_get_buffer(frame, 0);
}

/* Opens the container file and writes its header. */
static int open_container(video *video, const char *container, const pd_sink_part *part) {
    char url[PD_MAX_PATH + 8];
    int averror = avformat_alloc_output_context2(&video->format, NULL, container, NULL);
    if (averror < 0) return averror;
    uint8_t *buffer = av_malloc(IO_BUFFER_SIZE);
    AVIOContext *io =
        buffer ? avio_alloc_context(buffer, IO_BUFFER_SIZE, 1, video, NULL, write_output_bytes, seek_output) : NULL;
    if (!io) av_free(buffer);
    video->format->pb = io;
    video->format->flags |= AVFMT_FLAG_CUSTOM_IO;
    /* The MP4 muxer reads the file again by this URL, to move its index before the packets. */
    snprintf(url, sizeof url, "file:%s", video->output.temporary);
    video->format->url = av_strdup(url);
    video->stream = avformat_new_stream(video->format, NULL);
    if (!io || !video->format->url || !video->stream) return AVERROR(ENOMEM);
    av_dict_set(&video->format->metadata, "title", part->scene ? part->scene : "", 0);
    pd_recorded_part first = {.seed = part->seed};
    snprintf(first.method, sizeof first.method, "%s", part->method ? part->method : "");
    set_metadata_comment(video, &first, 1);
    video->stream->time_base = video->codec->time_base;
    video->stream->avg_frame_rate = video->stream->r_frame_rate = video->codec->framerate;
    averror = avcodec_parameters_from_context(video->stream->codecpar, video->codec);
    if (averror < 0) return averror;
    AVDictionary *options = NULL;
    if (strcmp(container, "mp4") == 0 || strcmp(container, "mov") == 0)
        av_dict_set(&options, "movflags", "+faststart", 0);
    averror = avformat_write_header(video->format, &options);
    av_dict_free(&options);
    if (averror >= 0) avio_flush(video->format->pb);
    return averror < 0 ? averror : video->format->pb->error;
}

pd_result pd_video_backend_create(pd_backend **created, const char *path, pd_sink_kind kind, const pd_sink_info *info,
                                  bool overwrite, pd_error *error) {
    pd_result result = pd_recorded_file_check_path(path, overwrite, error);
    if (result) return result;
    video *video = calloc(1, sizeof *video);
    if (!video) return pd_fail_recording_out_of_memory(error);
    video->backend = (pd_backend){
        .write = video_backend_write_frame, .finish = video_backend_finish, .discard = video_backend_discard};
    video->pixels = info->pixels;
    snprintf(video->path, sizeof video->path, "%s", path);
    av_log_set_level(AV_LOG_QUIET); /* errors are reported by messages of puddle */
    result = pd_output_open_locked(&video->output, path, error);
    /* Checks the path again, since another process may have created the file before the lock. */
    if (!result) result = pd_recorded_file_check_path(path, overwrite, error);
    if (!result)
        result = open_first_encoder(&video->codec, kind, info, video->backend.note, sizeof video->backend.note, error);
    if (!result) {
        int averror = create_frame_buffers(video, kind);
        if (averror >= 0) averror = open_container(video, container_name(kind), &info->part);
        if (averror < 0) result = fail_with_encoder_error(video, averror, error);
    }
    if (result) {
        video_backend_discard(&video->backend);
        return result;
    }
    *created = &video->backend;
    return PD_OK;
}
