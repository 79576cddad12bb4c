/* Colour palette of a GIF, with at most 256 colours. The palette is computed from the first frames, up to 256 MiB, and
 * applied to all frames. Functions return 0 or a negative AVERROR. */
#ifndef PUDDLE_RECORD_PALETTE_H
#define PUDDLE_RECORD_PALETTE_H

#include <libavutil/frame.h>

typedef struct pd_gif_palette pd_gif_palette;

/* fps: frames per second. Creates a palette for frames of width x height pixels in AV_PIX_FMT_RGB24. */
int pd_gif_palette_create(pd_gif_palette **palette, int width, int height, AVRational fps);
/* Adds a frame. Refers to its pixels without copying them. */
int pd_gif_palette_add_frame(pd_gif_palette *palette, AVFrame *frame);
/* Call after the last frame. Computes the palette if it is not computed yet. */
int pd_gif_palette_end_frames(pd_gif_palette *palette);
/* Gets the next frame with the palette applied, in AV_PIX_FMT_PAL8. AVERROR(EAGAIN): more frames must be added first.
 * AVERROR_EOF: all frames have been returned. */
int pd_gif_palette_get_next_frame(pd_gif_palette *palette, AVFrame *frame);
void pd_gif_palette_free(pd_gif_palette *palette);

#endif
