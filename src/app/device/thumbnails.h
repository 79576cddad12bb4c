/* The pictures of the browser: of each scene in worlds of their own, small and with few particles, a little in each frame of the
 * window. The session's world is not touched. */
#ifndef PUDDLE_APP_DEVICE_THUMBNAILS_H
#define PUDDLE_APP_DEVICE_THUMBNAILS_H

#include "app/io/gallery.h"
#include "render/renderer.h"

/* All zero: nothing is in work. */
typedef struct pd_thumbnailer {
    pd_gallery_scene *scene; /* that is in work */
    pd_world *world;         /* of it; NULL: nothing is in work */
    int steps;               /* that are still to be made */
    double spent;            /* s of work on it */
} pd_thumbnailer;

/* Reads a scene: its name, what it is about and its picture, if that is kept. Then it is DRAWN, PENDING or BROKEN. Takes
 * about 2 ms, longer for large files. */
void pd_thumbnail_read(pd_gallery_scene *scene);
/* Works until this time (s of pd_now()), at least a little, on the scene that is in work, else on a PENDING one that then is.
 * Needs a current OpenGL context. scene: stays where it is until it is DRAWN or BROKEN. */
void pd_thumbnail_work(pd_thumbnailer *thumbnailer, pd_gallery_scene *scene, pd_renderer *renderer, double until);
/* Ends the work, and deletes the textures of all scenes. */
void pd_thumbnails_clear(pd_thumbnailer *thumbnailer, pd_gallery *gallery);

#endif
