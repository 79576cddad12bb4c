/* Backend of standard output: raw pixels, frame after frame, for another program that encodes them. */
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
    size_t size; /* size of a frame, bytes */
} stream;

static pd_result fail_with_write_error(int error_number, pd_error *error) {
    char reason[80] = "";
    if (strerror_r(error_number, reason, sizeof reason) != 0) snprintf(reason, sizeof reason, "error %d", error_number);
    return pd_fail(error, PD_ERROR_FILE_UNWRITABLE,
                   "cannot write frames to standard output: %s (check the program that reads them)", reason);
}

static pd_result stream_backend_write_frame(pd_backend *backend, long long index, const uint8_t *data,
                                            pd_error *error) {
    stream *stream = (struct stream *)backend;
    double start_time = pd_now();
    (void)index;
    for (size_t done = 0; done < stream->size;) {
        ssize_t wrote = write(STDOUT_FILENO, data + done, stream->size - done);
        if (wrote >= 0) {
            done += (size_t)wrote;
            /* standard output was opened with O_NONBLOCK: waits until it accepts bytes */
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            struct pollfd wait = {.fd = STDOUT_FILENO, .events = POLLOUT};
            poll(&wait, 1, -1);
        } else if (errno != EINTR) {
            return fail_with_write_error(errno, error);
        }
    }
    backend->report.encoding += pd_now() - start_time;
    return PD_OK;
}

static pd_result stream_backend_finish(pd_backend *backend, const pd_sink_outcome *outcome, pd_sink_report *report,
                                       pd_error *error) {
    *report = backend->report;
    report->frames =
        (int)(outcome->first_failed < outcome->added_frames ? outcome->first_failed : outcome->added_frames);
    if (outcome->result) *error = outcome->error;
    free(backend);
    return outcome->result;
}

static void stream_backend_discard(pd_backend *backend) { free(backend); }

pd_result pd_stream_backend_create(pd_backend **created, const pd_sink_info *info, pd_error *error) {
    stream *stream = calloc(1, sizeof *stream);
    if (!stream) return pd_fail_recording_out_of_memory(error);
    stream->size = pd_pixels_bytes(&info->pixels);
    stream->backend = (pd_backend){
        .write = stream_backend_write_frame, .finish = stream_backend_finish, .discard = stream_backend_discard};
    *created = &stream->backend;
    return PD_OK;
}
