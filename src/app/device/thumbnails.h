/* Thumbnails of scenes for the browser. A thumbnailer simulates one scene after the other, with few particles, for some
 * milliseconds per frame. */
#ifndef PUDDLE_APP_DEVICE_THUMBNAILS_H
#define PUDDLE_APP_DEVICE_THUMBNAILS_H

#include "app/io/gallery.h"
#include "render/renderer.h"

/* Simulation of the scene whose thumbnail is drawn next. All zero: no simulation. */
typedef struct pd_thumbnailer {
    pd_gallery_scene *scene; /* Entry in the gallery that receives the thumbnail. */
    pd_world *world;         /* World of `scene` with few particles. NULL: no simulation. */
    int steps;               /* Number of steps until the thumbnail is drawn. */
    double spent;            /* Wall time spent on `scene`, s. */
} pd_thumbnailer;

/* Reads unread scenes of the gallery for at most 0.25 s, then draws missing thumbnails for at most 10 ms. Scenes with index
 * `first` to `last` come before the others. Returns whether a scene was read or drawn. The gallery must stay at its address
 * until pd_thumbnails_delete_textures. Needs a current OpenGL context. */
bool pd_thumbnails_update(pd_thumbnailer *thumbnailer, pd_gallery *gallery, int first, int last, pd_renderer *renderer);
/* Ends the simulation, and deletes the textures of all scenes of the gallery. */
void pd_thumbnails_delete_textures(pd_thumbnailer *thumbnailer, pd_gallery *gallery);

/* ---- The cache: PNG files in $XDG_CACHE_HOME/puddle/thumbnails, or in ~/.cache/puddle/thumbnails if the variable is unset ----
 *
 * Only the user may enter the folder. If the folder is not writable, each run draws the thumbnails again. */

enum {
    PD_THUMBNAIL_WIDTH = 480,                                          /* width of a thumbnail, pixels */
    PD_THUMBNAIL_HEIGHT = 300,                                         /* height of a thumbnail, pixels */
    PD_THUMBNAIL_BYTES = PD_THUMBNAIL_WIDTH * PD_THUMBNAIL_HEIGHT * 3, /* 8-bit RGB, rows from the top */
    PD_THUMBNAILS_KEPT = 200,                                          /* greatest number of files in the cache */
};

/* Returns a hash of a scene's content and of the program's version. The hash is the name of the thumbnail's file. Never 0. */
uint64_t pd_thumbnail_compute_key(const void *content, size_t size);
/* Reads a thumbnail from the cache, and sets the file's time of use. False: the file is missing or damaged. */
bool pd_thumbnail_read_cached(uint64_t key, uint8_t rgb[PD_THUMBNAIL_BYTES]);
/* Writes a thumbnail into the cache, if possible. Removes the least recently used files above PD_THUMBNAILS_KEPT. */
void pd_thumbnail_write_cached(uint64_t key, const uint8_t rgb[PD_THUMBNAIL_BYTES]);

#endif
