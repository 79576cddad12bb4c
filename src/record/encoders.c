/* Table of libavcodec's encoders. Opens the first one that is installed. */
#include "record/encoders.h"

#include "core/error.h"
#include <stdio.h>

typedef struct encoder {
    pd_sink_kind kind;
    const char *name, *format;
    enum AVPixelFormat pixels;
    const char *options; /* libavcodec options, "key=value:key=value" */
} encoder;

/* Encoders of each kind of recording, in order of preference. */
static const encoder encoders[] = {
    {PD_SINK_MP4, "libx264", "H.264", AV_PIX_FMT_YUV420P, "preset=veryfast:crf=18"},
    {PD_SINK_MP4, "libopenh264", "H.264", AV_PIX_FMT_YUV420P, "b=12M"},
    {PD_SINK_MP4, "mpeg4", "MPEG-4 Part 2", AV_PIX_FMT_YUV420P, "flags=+qscale:global_quality=236"},
    {PD_SINK_WEBM, "libvpx-vp9", "VP9", AV_PIX_FMT_YUV420P,
     "crf=24:b=0:deadline=realtime:cpu-used=6:row-mt=1:tile-columns=2"},
    {PD_SINK_WEBM, "libvpx", "VP8", AV_PIX_FMT_YUV420P, "crf=8:b=20M:deadline=realtime:cpu-used=6"},
    {PD_SINK_GIF, "gif", "GIF", AV_PIX_FMT_PAL8, ""},
};

const char *pd_encoder_container_name(pd_sink_kind kind) {
    if (kind == PD_SINK_MP4) return "mp4";
    return kind == PD_SINK_WEBM ? "webm" : "gif";
}

/* Opens an encoder, and sets *opened. Returns 0 or an AVERROR. */
static int open_encoder(AVCodecContext **opened, const encoder *encoder, const pd_pixels *pixels, int fps) {
    const AVCodec *codec = avcodec_find_encoder_by_name(encoder->name);
    if (!codec) return AVERROR_ENCODER_NOT_FOUND;
    AVCodecContext *context = avcodec_alloc_context3(codec);
    if (!context) return AVERROR(ENOMEM);
    context->width = pixels->width;
    context->height = pixels->height;
    context->pix_fmt = encoder->pixels;
    context->time_base = (AVRational){1, fps};
    context->framerate = (AVRational){fps, 1};
    context->gop_size = fps < 25 ? 50 : 2 * fps; /* a key frame every 2 s, at least every 50 frames, for seeking */
    context->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
    if (encoder->kind != PD_SINK_GIF) {
        context->color_range = AVCOL_RANGE_MPEG;
        context->colorspace = AVCOL_SPC_BT709;
        context->color_primaries = AVCOL_PRI_BT709;
        context->color_trc = AVCOL_TRC_BT709;
    }
    AVDictionary *options = NULL;
    int averror = av_dict_parse_string(&options, encoder->options, "=", ":", 0);
    if (averror >= 0) averror = avcodec_open2(context, codec, &options);
    av_dict_free(&options);
    if (averror < 0) avcodec_free_context(&context);
    *opened = context;
    return averror;
}

pd_result pd_encoder_open(AVCodecContext **codec, pd_sink_kind kind, const pd_pixels *pixels, int fps, char *note,
                          size_t note_size, pd_error *error) {
    const encoder *usual = NULL;
    char reason[128];
    int preferred_averror = 0; /* result of opening the first encoder of this kind */
    *note = '\0';
    for (size_t i = 0; i < sizeof encoders / sizeof *encoders; i++) {
        if (encoders[i].kind != kind) continue;
        if (!usual) usual = &encoders[i];
        int averror = open_encoder(codec, &encoders[i], pixels, fps);
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
                   "cannot encode %d x %d pixels at %d frames a second as %s: %s (use another format or size, or a "
                   "folder)",
                   pixels->width, pixels->height, fps, usual->format, reason);
}

bool pd_sink_has_encoder(pd_sink_kind kind) {
    for (size_t i = 0; i < sizeof encoders / sizeof *encoders; i++)
        if (encoders[i].kind == kind && avcodec_find_encoder_by_name(encoders[i].name)) return true;
    return false;
}
