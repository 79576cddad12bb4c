/* Recordings as raw pixels on standard output, frame after frame, for another program that encodes them. */
#include "core/error.h"
#include "core/timer.h"
#include "record/backend.h"
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct stream {
    pd_backend backend;
    size_t size;
} stream;

static pd_result fail_writing_stream(int number, pd_error *error) {
    char reason[80] = "";
    if (strerror_r(number, reason, sizeof reason) != 0) snprintf(reason, sizeof reason, "error %d", number);
    return pd_fail(error, PD_ERROR_FILE_UNWRITABLE,
                   "cannot write frames to standard output: %s (check the program that reads them)", reason);
}

static pd_result write_frame(pd_backend *backend, long long index, const uint8_t *data, pd_error *error) {
    stream *stream = (struct stream *)backend;
    double begun = pd_now();
    (void)index;
    for (size_t done = 0; done < stream->size;) {
        ssize_t wrote = write(STDOUT_FILENO, data + done, stream->size - done);
        if (wrote >= 0) {
            done += (size_t)wrote;
            /* the caller of puddle has set O_NONBLOCK on standard output */
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            struct pollfd wait = {.fd = STDOUT_FILENO, .events = POLLOUT};
            poll(&wait, 1, -1);
        } else if (errno != EINTR) {
            return fail_writing_stream(errno, error);
        }
    }
    backend->done.encoding += pd_now() - begun;
    return PD_OK;
}

static pd_result finish_stream(pd_backend *backend, const pd_sink_end *end, pd_sink_report *done, pd_error *error) {
    *done = backend->done;
    done->frames = (int)(end->end < end->added ? end->end : end->added);
    if (end->result) *error = end->error;
    free(backend);
    return end->result;
}

static void discard_stream(pd_backend *backend) { free(backend); }

pd_result pd_stream_backend(pd_backend **created, const pd_sink_info *info, pd_error *error) {
    stream *stream = calloc(1, sizeof *stream);
    if (!stream) return pd_fail_recording_memory(error);
    stream->size = pd_pixels_bytes(&info->pixels);
    stream->backend = (pd_backend){.write = write_frame, .finish = finish_stream, .discard = discard_stream};
    *created = &stream->backend;
    return PD_OK;
}
