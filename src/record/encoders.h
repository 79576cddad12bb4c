/* Which encoder of libavcodec writes a video, with which settings. */
#ifndef PUDDLE_RECORD_ENCODERS_H
#define PUDDLE_RECORD_ENCODERS_H

#include "record/sink.h"
#include <libavcodec/avcodec.h>

/* libavformat's name of the container. */
const char *pd_encoder_container(pd_sink_kind kind);
/* Opens the best encoder that the installed libavcodec has. note: receives a line when it is not that of the usual
 * format, else "". Errors: ENCODER_UNAVAILABLE, OUT_OF_MEMORY. */
pd_result pd_encoder_open(AVCodecContext **codec, pd_sink_kind kind, const pd_pixels *pixels, int fps, char *note,
                          size_t size, pd_error *error);

#endif
