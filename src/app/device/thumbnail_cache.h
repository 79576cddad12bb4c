/* Cache of the thumbnails of scenes: PNG files in $XDG_CACHE_HOME/puddle/thumbnails, or in ~/.cache/puddle/thumbnails if the
 * variable is unset. Only the user may enter the folder. If the folder is not writable, each run draws the thumbnails again. */
#ifndef PUDDLE_APP_DEVICE_THUMBNAIL_CACHE_H
#define PUDDLE_APP_DEVICE_THUMBNAIL_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
