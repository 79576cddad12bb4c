/* Encoders of libavcodec for each kind of video, and their settings. */
#ifndef PUDDLE_RECORD_ENCODERS_H
#define PUDDLE_RECORD_ENCODERS_H

#include "record/sink.h"
#include <libavcodec/avcodec.h>

/* Returns the name that libavformat has for the container of a kind. */
const char *pd_encoder_container_name(pd_sink_kind kind);
/* Opens the best encoder that the installed libavcodec has for a kind. note: receives a line if its format is not the
 * usual one, else "". Errors: ENCODER_UNAVAILABLE, OUT_OF_MEMORY. */
pd_result pd_encoder_open(AVCodecContext **codec, pd_sink_kind kind, const pd_pixels *pixels, int fps, char *note,
                          size_t note_size, pd_error *error);

#endif
