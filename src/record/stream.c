/* Backend of standard output: raw pixels, frame after frame, for another program that encodes them. */
#include "core/file/standard_output.h"
#include "core/timer.h"
#include "record/backend.h"
#include <stdlib.h>
#include <unistd.h>

typedef struct stream {
    pd_backend backend;
    size_t size; /* size of a frame, bytes */
} stream;

static pd_result stream_backend_write_frame(pd_backend *backend, long long index, const uint8_t *data,
                                            pd_error *error) {
    stream *stream = (struct stream *)backend;
    double start_time = pd_now();
    (void)index;
    int error_number = pd_write_whole(STDOUT_FILENO, data, stream->size);
    backend->report.encoding += pd_now() - start_time;
    return error_number ? pd_fail_standard_output(error_number, error) : PD_OK;
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
