/* Table of libavcodec's encoders. Opens the first one that is installed. */
#include "record/encoders.h"

#include "core/error.h"
#include <libavutil/pixdesc.h>
#include <stdio.h>

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

const char *pd_encoder_container_name(pd_sink_kind kind) {
    if (kind == PD_SINK_MP4) return "mp4";
    if (kind == PD_SINK_MOV) return "mov";
    return kind == PD_SINK_WEBM ? "webm" : "gif";
}

bool pd_encoder_is_rgb(const AVCodecContext *codec) {
    return av_pix_fmt_desc_get(codec->pix_fmt)->flags & AV_PIX_FMT_FLAG_RGB;
}

/* Returns the additional libavcodec options of an encoder for this quality. */
static const char *get_quality_options(const encoder *encoder, pd_quality quality) {
    if (quality == PD_QUALITY_LOW) return encoder->low;
    if (quality == PD_QUALITY_MEDIUM) return encoder->medium;
    return quality == PD_QUALITY_BEST ? encoder->best : encoder->high;
}

static void set_colors(AVCodecContext *context) {
    context->color_range = pd_encoder_is_rgb(context) ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG;
    context->colorspace = pd_encoder_is_rgb(context) ? AVCOL_SPC_RGB : AVCOL_SPC_BT709;
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

pd_result pd_encoder_open(AVCodecContext **codec, pd_sink_kind kind, const pd_sink_info *info, char *note,
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
