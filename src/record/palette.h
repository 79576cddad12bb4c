/* Colour palette of a GIF, with at most 256 colours. The palette is computed from the first frames, up to 256 MiB, and
 * applied to all frames. Functions return 0 or a negative AVERROR. */
#ifndef PUDDLE_RECORD_PALETTE_H
#define PUDDLE_RECORD_PALETTE_H

#include <libavutil/frame.h>

typedef struct pd_gif_palette pd_gif_palette;

/* Creates a palette for frames of width x height pixels in AV_PIX_FMT_RGB24. fps: frames per second. */
int pd_gif_palette_create(pd_gif_palette **palette, int width, int height, AVRational fps);
/* Adds a frame of the recording. Adds a reference to the frame's pixels instead of copying them. */
int pd_gif_palette_add_frame(pd_gif_palette *palette, AVFrame *frame);
/* Call after the last frame. Computes the palette if it is not computed yet. */
int pd_gif_palette_end_frames(pd_gif_palette *palette);
/* Sets *frame to the next frame in the palette's colours (AV_PIX_FMT_PAL8). Returns AVERROR(EAGAIN) if more frames must be
 * added first, AVERROR_EOF after the last frame. */
int pd_gif_palette_get_next_frame(pd_gif_palette *palette, AVFrame *frame);
void pd_gif_palette_free(pd_gif_palette *palette);

#endif
