/* The scenes of the browser: the bundled ones, then the user's. pd_gallery_find only lists folders; the files are read later, one
 * by one (thumbnails.c). */
#ifndef PUDDLE_APP_IO_GALLERY_H
#define PUDDLE_APP_IO_GALLERY_H

#include <puddle/puddle.h>

typedef enum pd_gallery_state {
    PD_GALLERY_UNREAD,
    PD_GALLERY_PENDING, /* read; the picture is not drawn yet */
    PD_GALLERY_DRAWN,
    PD_GALLERY_BROKEN, /* no picture: see pd_gallery_scene.error */
} pd_gallery_state;

enum { PD_GALLERY_LABEL = 96, PD_GALLERY_ABOUT = 400, PD_GALLERY_NOTES = 4, PD_GALLERY_NOTE = 400 };

typedef struct pd_gallery_scene {
    char *path;
    bool bundled;
    pd_gallery_state state;
    char label[PD_GALLERY_LABEL]; /* under the picture: name of a bundled scene, file name of a user's scene */
    char about[PD_GALLERY_ABOUT]; /* description in the scene; "": not read, or none */
    char error[sizeof((pd_error *)0)->message]; /* of PD_GALLERY_BROKEN */
    uint64_t key;                               /* of the picture in the cache of thumbnails; 0: none */
    unsigned texture;                           /* OpenGL name of the picture; 0: none */
} pd_gallery_scene;

typedef struct pd_gallery {
    pd_gallery_scene *scenes;
    int count, bundled;                            /* the bundled ones come first */
    char notes[PD_GALLERY_NOTES][PD_GALLERY_NOTE]; /* lines about folders that cannot be read and scenes left out */
    int note_count;
} pd_gallery;

/* Lists the bundled scenes and at most PD_GALLERY_OWN of the user: files *.yaml, *.yml and *.puddle in the folder of `opened`
 * ("": none), in the current folder and in pd_app_folder. */
enum { PD_GALLERY_OWN = 200 };
void pd_gallery_find(pd_gallery *gallery, const char *opened);
/* Frees the lists. Delete the textures before (pd_thumbnails_clear). */
void pd_gallery_free(pd_gallery *gallery);
/* Returns the scene to work on next: one that is not read, then one without a picture; first to last come before the others. -1: all
 * are complete. */
int pd_gallery_next(const pd_gallery *gallery, int first, int last);

/* Returns the number of scenes that are drawn or broken. */
int pd_gallery_done(const pd_gallery *gallery);

/* Returns the name of the file without folders. */
const char *pd_gallery_file(const pd_gallery_scene *scene);
bool pd_gallery_is_snapshot(const pd_gallery_scene *scene);

#endif
