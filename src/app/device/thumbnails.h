/* The pictures of the browser. A thumbnailer computes each scene in a small world of its own, a little in each frame. */
#ifndef PUDDLE_APP_DEVICE_THUMBNAILS_H
#define PUDDLE_APP_DEVICE_THUMBNAILS_H

#include "app/io/gallery.h"
#include "render/renderer.h"

/* All zero: no scene is in work. */
typedef struct pd_thumbnailer {
    pd_gallery_scene *scene; /* Scene in work. */
    pd_world *world;         /* World of the scene. NULL: no scene is in work. */
    int steps;               /* Remaining steps. */
    double spent;            /* Work on the scene, s of wall time. */
} pd_thumbnailer;

/* Reads the name of a scene, its description and its cached picture. The scene is DRAWN, PENDING or BROKEN afterwards.
 * Takes about 2 ms, longer for large files. */
void pd_thumbnail_read(pd_gallery_scene *scene);
/* Works until a time (s of pd_now()) on the scene in work, or begins a PENDING one, whose address stays valid until it is
 * DRAWN or BROKEN. Needs a current OpenGL context. */
void pd_thumbnail_work(pd_thumbnailer *thumbnailer, pd_gallery_scene *scene, pd_renderer *renderer, double until);
/* Ends the work, and deletes the textures of all scenes. */
void pd_thumbnails_clear(pd_thumbnailer *thumbnailer, pd_gallery *gallery);

#endif
