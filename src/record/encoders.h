/* Encoders of libavcodec for each kind of video, and their settings. */
#ifndef PUDDLE_RECORD_ENCODERS_H
#define PUDDLE_RECORD_ENCODERS_H

#include "record/sink.h"
#include <libavcodec/avcodec.h>

/* Returns the name that libavformat has for the container of a kind. */
const char *pd_encoder_container(pd_sink_kind kind);
/* Opens the best encoder that the installed libavcodec has for a kind. note: receives a line if its format is not the
 * usual one, else "". Errors: ENCODER_UNAVAILABLE, OUT_OF_MEMORY. */
pd_result pd_encoder_open(AVCodecContext **codec, pd_sink_kind kind, const pd_sink_info *info, char *note, size_t size,
                          pd_error *error);
/* Returns whether an encoder reads red, green and blue instead of luma and chroma. */
bool pd_encoder_is_rgb(const AVCodecContext *codec);

#endif
