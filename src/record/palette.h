/* Colour palettes of GIFs. A palette is computed from the first frames that fit into limited memory (all of a short
 * GIF), and then used for all frames. Functions return 0 or a negative AVERROR. */
#ifndef PUDDLE_RECORD_PALETTE_H
#define PUDDLE_RECORD_PALETTE_H

#include <libavutil/frame.h>

typedef struct pd_gif_palette pd_gif_palette;

/* Creates a palette for frames of width x height in AV_PIX_FMT_RGB24. */
int pd_gif_palette_create(pd_gif_palette **palette, int width, int height, int fps);
/* Adds a frame, by a reference to its pixels. */
int pd_gif_palette_add_frame(pd_gif_palette *palette, AVFrame *frame);
/* Ends the sequence of frames: the palette can be computed. */
int pd_gif_palette_end_frames(pd_gif_palette *palette);
/* Gets the next frame, in AV_PIX_FMT_PAL8. AVERROR(EAGAIN): more frames must be added first. AVERROR_EOF: no frame is
 * left. */
int pd_gif_palette_next_frame(pd_gif_palette *palette, AVFrame *frame);
void pd_gif_palette_free(pd_gif_palette *palette);

#endif
