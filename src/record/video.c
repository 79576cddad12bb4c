/* Backend of MP4, WebM, MOV and GIF files, by FFmpeg's libraries.
 *
 * The file is written under a temporary name and renamed when it is complete. If the disk becomes full, the frames so far
 * become a playable file: before each packet is written, disk space is reserved for the packet and for the end of the
 * file, such as an MP4's index. */
#include "core/error.h"
#include "core/file/file.h"
#include "core/text.h"
#include "core/timer.h"
#include "record/backend.h"
#include "record/encoders.h"
#include "record/palette.h"
#include <errno.h>
#include <inttypes.h>
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libswscale/swscale.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    pd_gif_palette *palette;             /* palette of a GIF; NULL for other kinds */
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

/* Encodes the frames that pd_gif_palette_get_next_frame returns. */
static int encode_paletted_frames(video *video) {
    for (;;) {
        double start_time = pd_now();
        int averror = pd_gif_palette_get_next_frame(video->palette, video->paletted);
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
    averror = pd_gif_palette_add_frame(video->palette, frame);
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
    pd_gif_palette_free(video->palette);
    av_frame_free(&video->frame);
    av_frame_free(&video->paletted);
    av_packet_free(&video->packet);
    free(video);
}

static void video_backend_discard(pd_backend *backend) { video_backend_free((video *)backend); }

/* After the last frame: encodes and writes the frames that are still in the palette's and the encoder's buffers. */
static int write_remaining_packets(video *video) {
    int averror = video->palette ? pd_gif_palette_end_frames(video->palette) : 0;
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

/* Creates the conversion from full-range RGB to limited-range BT.709 (Rec. ITU-R BT.709-6, 3.2 to 3.5). encoders.c marks
 * the video as BT.709. */
static bool create_colour_converter(video *video) {
    const AVCodecContext *codec = video->codec;
    const int *matrix = sws_getCoefficients(SWS_CS_ITU709);
    enum AVPixelFormat drawn = video->pixels.alpha ? AV_PIX_FMT_RGBA : AV_PIX_FMT_RGB24;
    video->colour_converter =
        sws_getContext(video->pixels.width, video->pixels.height, drawn, codec->width, codec->height, codec->pix_fmt,
                       SWS_BICUBIC | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INP, NULL, NULL, NULL);
    if (video->colour_converter && pd_encoder_is_rgb(codec)) return true;
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
    if (gif)
        return pd_gif_palette_create(&video->palette, video->pixels.width, video->pixels.height,
                                     video->codec->framerate);
    frame->color_range = video->codec->color_range;
    frame->colorspace = video->codec->colorspace;
    frame->color_primaries = video->codec->color_primaries;
    frame->color_trc = video->codec->color_trc;
    if (!create_colour_converter(video)) return AVERROR(ENOMEM);
    return av_frame_get_buffer(frame, 0);
}

/* Opens the container file and writes its header. */
static int open_container(video *video, const char *container_name, const pd_sink_part *part) {
    char url[PD_MAX_PATH + 8];
    int averror = avformat_alloc_output_context2(&video->format, NULL, container_name, NULL);
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
    if (strcmp(container_name, "mp4") == 0 || strcmp(container_name, "mov") == 0)
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
        result = pd_encoder_open(&video->codec, kind, info, video->backend.note, sizeof video->backend.note, error);
    if (!result) {
        int averror = create_frame_buffers(video, kind);
        if (averror >= 0) averror = open_container(video, pd_encoder_container_name(kind), &info->part);
        if (averror < 0) result = fail_with_encoder_error(video, averror, error);
    }
    if (result) {
        video_backend_discard(&video->backend);
        return result;
    }
    *created = &video->backend;
    return PD_OK;
}
