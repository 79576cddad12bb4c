/* The pictures of scenes that are kept from one run to the next: PNG files in $XDG_CACHE_HOME/puddle/thumbnails, else
 * ~/.cache/puddle/thumbnails, which only the user may enter. Without such a folder, or where it cannot be written, nothing is
 * kept, and the pictures are drawn anew. */
#ifndef PUDDLE_APP_DEVICE_THUMBNAIL_CACHE_H
#define PUDDLE_APP_DEVICE_THUMBNAIL_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    PD_THUMBNAIL_WIDTH = 384, /* pixels */
    PD_THUMBNAIL_HEIGHT = 240,
    PD_THUMBNAIL_BYTES = PD_THUMBNAIL_WIDTH * PD_THUMBNAIL_HEIGHT * 3, /* 8-bit RGB, rows from the top */
    PD_THUMBNAILS_KEPT = 200,
};

/* Names the picture of a scene of this content, as this version of the program draws it; never 0. */
uint64_t pd_thumbnail_key(const void *content, size_t size);
/* False: there is none, or it is damaged. One that is read counts as used now. */
bool pd_thumbnail_load(uint64_t key, uint8_t rgb[PD_THUMBNAIL_BYTES]);
/* Writes a picture if that is possible, and removes those that were not used for the longest time, above PD_THUMBNAILS_KEPT. */
void pd_thumbnail_store(uint64_t key, const uint8_t rgb[PD_THUMBNAIL_BYTES]);

#endif
