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

#endif
