/* MP4, WebM, MOV and GIF by FFmpeg's libraries.
 *
 * The file is written beside its final name and renamed when complete. On a full disk the frames so far become a
 * playable file: before each packet, space for the file's end (the index of an MP4) is reserved. */
#include "core/error.h"
#include "core/file/file.h"
#include "core/timer.h"
#include "record/backend.h"
#include "record/encoders.h"
#include "record/palette.h"
#include "record/reserve.h"
#include <errno.h>
#include <inttypes.h>
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libswscale/swscale.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    BUFFER = 1 << 16,
    STEP = 4 << 20,       /* bytes reserved at once, if the disk has room */
    INDEX_ENTRY = 64,     /* most bytes of a frame's entry in a container's index */
    INDEX_BASE = 64 << 10 /* most other bytes behind the last packet */
};

typedef struct video {
    pd_backend backend;
    char path[PD_MAX_PATH];
    pd_output output;
    pd_pixels pixels;
    AVFormatContext *format;
    AVCodecContext *codec;
    AVStream *stream;
    struct SwsContext *scaler; /* converts RGB or RGBA to the encoder's format; NULL for a GIF, whose filters convert */
    pd_gif_palette *palette;   /* palette of a GIF; NULL for other kinds */
    AVFrame *frame, *paletted;
    AVPacket *packet;
    int write_errno;                    /* errno of the first failed write, or 0 */
    int frames;                         /* number of written frames */
    off_t packet_bytes, reserved_bytes; /* bytes of written packets; bytes reserved on the disk */
} video;

pd_result pd_recorded_file_check(const char *path, bool force, pd_error *error) {
    struct stat status;
    pd_result result = pd_file_check_writable(path, error);
    /* a symbolic link is replaced, even a broken one */
    if (result || force || lstat(path, &status) != 0) return result;
    return pd_fail(error, PD_ERROR_RECORDING_EXISTS,
                   "cannot record to '%.300s': it exists (name another file, or --force to replace it)", path);
}

static int write_bytes(void *context, uint8_t *bytes, int size) {
    video *video = context;
    for (int done = 0; done < size;) {
        ssize_t wrote = write(fileno(video->output.stream), bytes + done, (size_t)(size - done));
        if (wrote >= 0) {
            done += (int)wrote;
        } else if (errno != EINTR) {
            if (!video->write_errno) video->write_errno = errno;
            return AVERROR(errno);
        }
    }
    return size;
}

static int64_t seek_file(void *context, int64_t offset, int whence) {
    video *video = context;
    int file = fileno(video->output.stream);
    struct stat status;
    if (whence == AVSEEK_SIZE) return fstat(file, &status) == 0 ? status.st_size : AVERROR(errno);
    off_t position = lseek(file, offset, whence & ~AVSEEK_FORCE);
    return position >= 0 ? position : AVERROR(errno);
}

static pd_result fail_encoding(const video *video, int code, pd_error *error) {
    char reason[128] = "";
    if (video->write_errno) return pd_fail_unwritable(video->path, video->write_errno, error);
    if (code == AVERROR(ENOMEM))
        return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "cannot write '%.300s': out of memory (use a smaller size)",
                       video->path);
    av_strerror(code, reason, sizeof reason);
    return pd_fail(error, PD_ERROR_ENCODER_UNAVAILABLE,
                   "cannot write '%.200s': the encoder %s failed: %s (use another format, or a folder)", video->path,
                   video->codec ? video->codec->codec->name : "", reason);
}

/* Reserves disk space for a packet, for one that the muxer may still buffer, and for the file's end. */
static int reserve_space(video *video, int size) {
    off_t needed = video->packet_bytes + size + INDEX_BASE + (off_t)INDEX_ENTRY * (video->frames + 1);
    int file = fileno(video->output.stream);
    if (needed <= video->reserved_bytes) return 0;
    off_t ahead = needed + STEP;
    if (pd_reserve_disk_space(file, ahead) != 0) {
        ahead = needed;
        video->write_errno = pd_reserve_disk_space(file, ahead);
    }
    if (video->write_errno) return AVERROR(video->write_errno);
    video->reserved_bytes = ahead;
    return 0;
}

/* Writes the packets that the encoder has completed. Returns 0 or an AVERROR. */
static int write_packets(video *video) {
    for (;;) {
        int code = avcodec_receive_packet(video->codec, video->packet);
        if (code == AVERROR(EAGAIN) || code == AVERROR_EOF) return 0;
        if (code < 0) return code;
        video->packet->duration = 1;
        av_packet_rescale_ts(video->packet, video->codec->time_base, video->stream->time_base);
        video->packet->stream_index = video->stream->index;
        int size = video->packet->size;
        code = reserve_space(video, size);
        if (code >= 0) code = av_write_frame(video->format, video->packet);
        av_packet_unref(video->packet);
        if (code < 0) return code;
        video->packet_bytes += size;
        video->frames++;
    }
}

static int encode_frame(video *video, AVFrame *frame) {
    int code = avcodec_send_frame(video->codec, frame);
    return code < 0 ? code : write_packets(video);
}

/* Encodes the frames to which the palette was applied. */
static int encode_paletted(video *video) {
    for (;;) {
        double begun = pd_now();
        int code = pd_gif_palette_next(video->palette, video->paletted);
        video->backend.done.converting += pd_now() - begun;
        if (code == AVERROR(EAGAIN) || code == AVERROR_EOF) return 0;
        if (code < 0) return code;
        begun = pd_now();
        code = encode_frame(video, video->paletted);
        av_frame_unref(video->paletted);
        video->backend.done.encoding += pd_now() - begun;
        if (code < 0) return code;
    }
}

static int add_to_gif(video *video, const uint8_t *data) {
    AVFrame *frame = video->frame;
    int code = av_frame_get_buffer(frame, 0);
    if (code < 0) return code;
    size_t row = pd_pixels_row_bytes(&video->pixels);
    for (int y = 0; y < video->pixels.height; y++)
        memcpy(frame->data[0] + (ptrdiff_t)y * frame->linesize[0], data + (size_t)y * row, row);
    double begun = pd_now();
    code = pd_gif_palette_add(video->palette, frame);
    video->backend.done.converting += pd_now() - begun;
    av_frame_unref(frame);
    frame->format = AV_PIX_FMT_RGB24;
    frame->width = video->pixels.width;
    frame->height = video->pixels.height;
    return code < 0 ? code : encode_paletted(video);
}

static int add_to_video(video *video, const uint8_t *data) {
    double begun = pd_now();
    int stride = (int)pd_pixels_row_bytes(&video->pixels), code = av_frame_make_writable(video->frame);
    if (code < 0) return code;
    sws_scale(video->scaler, &data, &stride, 0, video->pixels.height, video->frame->data, video->frame->linesize);
    double converted = pd_now();
    video->backend.done.converting += converted - begun;
    code = encode_frame(video, video->frame);
    video->backend.done.encoding += pd_now() - converted;
    return code;
}

static pd_result write_frame(pd_backend *backend, long long index, const uint8_t *data, pd_error *error) {
    video *video = (struct video *)backend;
    video->frame->pts = index;
    int code = video->palette ? add_to_gif(video, data) : add_to_video(video, data);
    return code < 0 ? fail_encoding(video, code, error) : PD_OK;
}

static void free_video(video *video) {
    if (video->format && video->format->pb) {
        av_freep(&video->format->pb->buffer);
        avio_context_free(&video->format->pb);
    }
    pd_output_cancel(&video->output); /* does nothing after pd_output_commit */
    avformat_free_context(video->format);
    avcodec_free_context(&video->codec);
    sws_freeContext(video->scaler);
    pd_gif_palette_free(video->palette);
    av_frame_free(&video->frame);
    av_frame_free(&video->paletted);
    av_packet_free(&video->packet);
    free(video);
}

static void discard_video(pd_backend *backend) { free_video((video *)backend); }

/* Writes the packets that remain in the encoder. None are written after a failure, as they would follow a gap. */
static int write_remaining_packets(video *video) {
    int code = video->palette ? pd_gif_palette_end(video->palette) : 0;
    if (code >= 0 && video->palette) code = encode_paletted(video);
    double begun = pd_now();
    if (code >= 0) code = encode_frame(video, NULL);
    video->backend.done.encoding += pd_now() - begun;
    return code;
}

/* Sets the comment in the container: "; frame 0: method ddr, seed 1; frame 60: method sph, seed 1". The parts are
 * complete at the end of the recording, where an MP4 stores its comment. A WebM stores it at the beginning. */
static void set_parts_comment(video *video, const pd_recorded_part *parts, int count) {
    char comment[1024];
    snprintf(comment, sizeof comment, "puddle %s", PD_VERSION);
    for (int i = 0; i < count; i++) {
        size_t used = strlen(comment);
        snprintf(comment + used, sizeof comment - used, "; frame %lld: method %s, seed %" PRIu64, parts[i].first,
                 parts[i].method, parts[i].seed);
    }
    av_dict_set(&video->format->metadata, "comment", comment, 0);
}

/* Writes the end of the file, whose last packet may be missing after a failure. */
static pd_result complete_file(video *video, pd_error *error) {
    off_t size;
    int write_errno = video->write_errno;
    video->write_errno = 0;
    /* A failed write remains in pb->error and would make the trailer fail. */
    video->format->pb->error = 0;
    int code = av_write_trailer(video->format);
    if (code >= 0) avio_flush(video->format->pb);
    if (code >= 0 && video->write_errno) code = AVERROR(video->write_errno);
    if (code < 0) return fail_encoding(video, code, error);
    size = lseek(fileno(video->output.stream), 0, SEEK_END);
    /* Unused reserved space is returned to the file system. */
    if (size >= 0 && ftruncate(fileno(video->output.stream), size) != 0) errno = 0;
    errno = 0;
    pd_result result = pd_output_commit(&video->output, error);
    video->write_errno = write_errno;
    return result;
}

static pd_result finish_video(pd_backend *backend, const pd_sink_end *end, pd_sink_report *done, pd_error *error) {
    video *video = (struct video *)backend;
    pd_result result = end->result;
    if (result) *error = end->error;
    if (!result && end->added) {
        int code = write_remaining_packets(video);
        if (code < 0) result = fail_encoding(video, code, error);
    }
    *done = backend->done; /* the seconds include the frames that were encoded just now */
    if (video->frames == 0 || (result && !video->write_errno)) {
        discard_video(backend);
        return result;
    }
    int shown = 1;
    while (shown < end->part_count && end->parts[shown].first < video->frames) shown++;
    set_parts_comment(video, end->parts, shown);
    pd_error incomplete;
    pd_result completed = complete_file(video, &incomplete);
    if (!completed) done->frames = video->frames;
    if (completed && !result) {
        result = completed;
        *error = incomplete;
    } else if (result && !completed) {
        char kept[64];
        snprintf(kept, sizeof kept, "it holds %d frame%s", video->frames, video->frames == 1 ? "" : "s");
        pd_fail_cut_short(video->path, video->write_errno, kept, error);
    }
    free_video(video);
    return result;
}

/* Opens the conversion of full-range RGB to limited BT.709 (Rec. ITU-R BT.709-6, 3.2 to 3.5), which players assume for
 * these sizes. */
static bool open_scaler(video *video) {
    const AVCodecContext *codec = video->codec;
    const int *matrix = sws_getCoefficients(SWS_CS_ITU709);
    enum AVPixelFormat drawn = video->pixels.alpha ? AV_PIX_FMT_RGBA : AV_PIX_FMT_RGB24;
    video->scaler =
        sws_getContext(video->pixels.width, video->pixels.height, drawn, codec->width, codec->height, codec->pix_fmt,
                       SWS_BICUBIC | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INP, NULL, NULL, NULL);
    if (video->scaler && pd_encoder_is_rgb(codec)) return true;
    return video->scaler && sws_setColorspaceDetails(video->scaler, matrix, 1, matrix, 0, 0, 1 << 16, 1 << 16) >= 0;
}

/* Creates the frame buffers, their colour converter and a packet. */
static int open_frames(video *video, pd_sink_kind kind, int fps) {
    bool gif = kind == PD_SINK_GIF;
    AVFrame *frame = video->frame = av_frame_alloc();
    video->paletted = av_frame_alloc();
    video->packet = av_packet_alloc();
    if (!frame || !video->paletted || !video->packet) return AVERROR(ENOMEM);
    frame->format = gif ? AV_PIX_FMT_RGB24 : (int)video->codec->pix_fmt;
    frame->width = video->pixels.width;
    frame->height = video->pixels.height;
    if (gif) return pd_gif_palette_create(&video->palette, video->pixels.width, video->pixels.height, fps);
    frame->color_range = video->codec->color_range;
    frame->colorspace = video->codec->colorspace;
    frame->color_primaries = video->codec->color_primaries;
    frame->color_trc = video->codec->color_trc;
    if (!open_scaler(video)) return AVERROR(ENOMEM);
    return av_frame_get_buffer(frame, 0);
}

/* Opens the container file and writes its header. */
static int open_format(video *video, const char *name, int fps, const pd_sink_part *part) {
    char url[PD_MAX_PATH + 8];
    int code = avformat_alloc_output_context2(&video->format, NULL, name, NULL);
    if (code < 0) return code;
    uint8_t *buffer = av_malloc(BUFFER);
    AVIOContext *io = buffer ? avio_alloc_context(buffer, BUFFER, 1, video, NULL, write_bytes, seek_file) : NULL;
    if (!io) av_free(buffer);
    video->format->pb = io;
    video->format->flags |= AVFMT_FLAG_CUSTOM_IO;
    /* The MP4 muxer reads the file again by this URL, to move the index before the pictures. */
    snprintf(url, sizeof url, "file:%s", video->output.temporary);
    video->format->url = av_strdup(url);
    video->stream = avformat_new_stream(video->format, NULL);
    if (!io || !video->format->url || !video->stream) return AVERROR(ENOMEM);
    av_dict_set(&video->format->metadata, "title", part->scene ? part->scene : "", 0);
    pd_recorded_part first = {.seed = part->seed};
    snprintf(first.method, sizeof first.method, "%s", part->method ? part->method : "");
    set_parts_comment(video, &first, 1);
    video->stream->time_base = video->codec->time_base;
    video->stream->avg_frame_rate = video->stream->r_frame_rate = (AVRational){fps, 1};
    code = avcodec_parameters_from_context(video->stream->codecpar, video->codec);
    if (code < 0) return code;
    AVDictionary *options = NULL;
    if (strcmp(name, "mp4") == 0 || strcmp(name, "mov") == 0) av_dict_set(&options, "movflags", "+faststart", 0);
    code = avformat_write_header(video->format, &options);
    av_dict_free(&options);
    if (code >= 0) avio_flush(video->format->pb);
    return code < 0 ? code : video->format->pb->error;
}

pd_result pd_video_backend(pd_backend **created, const char *path, pd_sink_kind kind, const pd_sink_info *info,
                           bool force, pd_error *error) {
    pd_result result = pd_recorded_file_check(path, force, error);
    if (result) return result;
    video *video = calloc(1, sizeof *video);
    if (!video) return pd_fail_recording_memory(error);
    video->backend = (pd_backend){.write = write_frame, .finish = finish_video, .discard = discard_video};
    video->pixels = info->pixels;
    snprintf(video->path, sizeof video->path, "%s", path);
    av_log_set_level(AV_LOG_QUIET); /* puddle's own messages name the error */
    result = pd_output_open_locked(&video->output, path, error);
    if (!result) result = pd_recorded_file_check(path, force, error); /* repeats the check under the lock */
    if (!result)
        result = pd_encoder_open(&video->codec, kind, info, video->backend.note, sizeof video->backend.note, error);
    if (!result) {
        int code = open_frames(video, kind, info->fps);
        if (code >= 0) code = open_format(video, pd_encoder_container(kind), info->fps, &info->part);
        if (code < 0) result = fail_encoding(video, code, error);
    }
    if (result) {
        discard_video(&video->backend);
        return result;
    }
    *created = &video->backend;
    return PD_OK;
}
