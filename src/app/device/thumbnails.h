/* Pictures of scenes in the browser. A thumbnailer simulates each scene in a small world, for a part of each frame's time. */
#ifndef PUDDLE_APP_DEVICE_THUMBNAILS_H
#define PUDDLE_APP_DEVICE_THUMBNAILS_H

#include "app/io/gallery.h"
#include "render/renderer.h"

/* Simulation of the scene whose picture comes next. All zero: none. */
typedef struct pd_thumbnailer {
    pd_gallery_scene *scene; /* Entry in the gallery that receives the picture. */
    pd_world *world;         /* Small world of that scene. NULL: no simulation runs. */
    int steps;               /* Steps until the picture is drawn. */
    double spent;            /* Wall time spent on that scene, s. */
} pd_thumbnailer;

/* Reads name and description of an UNREAD scene and looks for its picture in the cache. Sets scene->state to DRAWN, PENDING or
 * BROKEN. Cost: about 2 ms, more for large files. */
void pd_thumbnail_read_scene(pd_gallery_scene *scene);
/* Simulates thumbnailer->scene until the time `until` (s of pd_now()), and draws its picture after the last step. Begins with
 * `scene`, in state PENDING, if no simulation runs. The address of `scene` must stay valid until its state is DRAWN or BROKEN.
 * Needs a current OpenGL context. */
void pd_thumbnail_simulate(pd_thumbnailer *thumbnailer, pd_gallery_scene *scene, pd_renderer *renderer,
                           double deadline);
/* Ends the simulation and deletes the textures of all scenes of the gallery. */
void pd_thumbnails_delete_textures(pd_thumbnailer *thumbnailer, pd_gallery *gallery);

#endif
