/* Backend of stills: one frame as a PNG file, which is written under a temporary name and renamed when it is complete. */
#include "core/error.h"
#include "core/file/file.h"
#include "core/timer.h"
#include "record/backend.h"
#include "record/png.h"
#include <errno.h>
#include <stdlib.h>

typedef struct still {
    pd_backend backend;
    pd_output output; /* the PNG file */
    pd_pixels pixels; /* size and format of the picture */
    int frames;       /* number of written frames, 0 or 1 */
} still;

static pd_result write_frame(pd_backend *backend, long long index, const uint8_t *data, pd_error *error) {
    still *still = (struct still *)backend;
    double begun = pd_now();
    if (index > 0) return PD_OK;
    if (!pd_png_write_to_stream(still->output.stream, &still->pixels, data))
        return pd_fail(error, PD_ERROR_OUT_OF_MEMORY, "cannot write '%.300s': out of memory (use a smaller size)",
                       still->output.target);
    still->frames = 1;
    backend->report.encoding += pd_now() - begun;
    return PD_OK;
}

static void discard_still(pd_backend *backend) {
    still *still = (struct still *)backend;
    pd_output_cancel(&still->output);
    free(still);
}

static pd_result finish_still(pd_backend *backend, const pd_sink_outcome *outcome, pd_sink_report *report,
                              pd_error *error) {
    still *still = (struct still *)backend;
    pd_result result = outcome->result;
    *report = backend->report;
    if (result) *error = outcome->error;
    if (!result && still->frames) {
        result = pd_output_commit(&still->output, error);
        report->frames = !result;
    }
    discard_still(backend);
    return result;
}

pd_result pd_still_backend_create(pd_backend **created, const char *path, const pd_sink_info *info, bool overwrite,
                                  pd_error *error) {
    pd_result result = pd_recorded_file_check_path(path, overwrite, error);
    if (result) return result;
    still *still = calloc(1, sizeof *still);
    if (!still) return pd_fail_recording_out_of_memory(error);
    still->backend = (pd_backend){.write = write_frame, .finish = finish_still, .discard = discard_still};
    still->pixels = info->pixels;
    result = pd_output_open_locked(&still->output, path, error);
    /* Checks the path again, since another process may have created the file before the lock. */
    if (!result) result = pd_recorded_file_check_path(path, overwrite, error);
    if (result) {
        discard_still(&still->backend);
        return result;
    }
    *created = &still->backend;
    return PD_OK;
}
