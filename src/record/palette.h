/* Frames with a palette, for GIFs. The palette is computed from the first frames and then used for all: those that fit into
 * a limited memory, which is all of a short GIF. Functions return 0 or a negative AVERROR. */
#ifndef PUDDLE_RECORD_PALETTE_H
#define PUDDLE_RECORD_PALETTE_H

#include <libavutil/frame.h>

typedef struct pd_gif_palette pd_gif_palette;

/* Frames are width x height in AV_PIX_FMT_RGB24. */
int pd_gif_palette_create(pd_gif_palette **palette, int width, int height, int fps);
/* Keeps a reference to the frame's data. */
int pd_gif_palette_add(pd_gif_palette *palette, AVFrame *frame);
/* No more frames are added. */
int pd_gif_palette_end(pd_gif_palette *palette);
/* The next frame, in AV_PIX_FMT_PAL8. AVERROR(EAGAIN): more frames must be added; AVERROR_EOF: there are no more. */
int pd_gif_palette_take(pd_gif_palette *palette, AVFrame *frame);
void pd_gif_palette_free(pd_gif_palette *palette);

#endif
