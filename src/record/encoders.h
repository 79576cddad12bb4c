/* Opens libavcodec's encoder for each kind of video. */
#ifndef PUDDLE_RECORD_ENCODERS_H
#define PUDDLE_RECORD_ENCODERS_H

#include "record/sink.h"
#include <libavcodec/avcodec.h>

/* Returns libavformat's name of the container format for a kind of video: "mp4", "webm", "mov" or "gif". */
const char *pd_encoder_container_name(pd_sink_kind kind);
/* Opens the first installed encoder for a kind of video, in order of preference. note: receives a message if this is not
 * the most preferred one, else "". Errors: ENCODER_UNAVAILABLE, OUT_OF_MEMORY. */
pd_result pd_encoder_open(AVCodecContext **codec, pd_sink_kind kind, const pd_sink_info *info, char *note,
                          size_t note_size, pd_error *error);
/* Returns whether an encoder reads red, green and blue instead of luma and chroma. */
bool pd_encoder_is_rgb(const AVCodecContext *codec);

#endif
