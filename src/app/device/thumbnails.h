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

/* Reads name and description of a scene in state UNREAD, and its thumbnail from the cache. Sets scene->state to DRAWN if the
 * cache has the thumbnail, otherwise to PENDING, or to BROKEN after an error. Cost: about 2 ms, more for large files. */
void pd_thumbnail_read_scene(pd_gallery_scene *scene);
/* Simulates thumbnailer->scene until pd_now() reaches `deadline` (s), and draws the thumbnail after the last step. If no
 * simulation runs, begins one of `scene`, which must be in state PENDING. The address of `scene` must stay valid until the
 * state is DRAWN or BROKEN. Needs a current OpenGL context. */
void pd_thumbnail_simulate(pd_thumbnailer *thumbnailer, pd_gallery_scene *scene, pd_renderer *renderer,
                           double deadline);
/* Ends the simulation, and deletes the textures of all scenes of the gallery. */
void pd_thumbnails_delete_textures(pd_thumbnailer *thumbnailer, pd_gallery *gallery);

#endif
