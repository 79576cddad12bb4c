/* The scenes that the browser offers: the bundled ones, then those of the user. Finding them only lists folders; what is in the
 * files is read later, one by one (thumbnails.c). */
#ifndef PUDDLE_APP_IO_GALLERY_H
#define PUDDLE_APP_IO_GALLERY_H

#include <puddle/puddle.h>

typedef enum pd_gallery_state {
    PD_GALLERY_UNREAD,
    PD_GALLERY_PENDING, /* read; its picture is still to be drawn */
    PD_GALLERY_DRAWN,
    PD_GALLERY_BROKEN, /* there is no picture: see error */
} pd_gallery_state;

enum { PD_GALLERY_LABEL = 96, PD_GALLERY_ABOUT = 400, PD_GALLERY_NOTES = 4, PD_GALLERY_NOTE = 400 };

typedef struct pd_gallery_scene {
    char *path;
    bool bundled;
    pd_gallery_state state;
    char label[PD_GALLERY_LABEL];               /* under its picture: the scene's name, of the user's own the file's */
    char about[PD_GALLERY_ABOUT];               /* what it says of itself; "": not read, or nothing */
    char error[sizeof((pd_error *)0)->message]; /* while it is broken */
    uint64_t key;                               /* of its picture among those that are kept; 0: it has none */
    unsigned texture;                           /* OpenGL's name of the picture; 0: there is none */
} pd_gallery_scene;

typedef struct pd_gallery {
    pd_gallery_scene *scenes;
    int count, bundled;                            /* the bundled ones come first */
    char notes[PD_GALLERY_NOTES][PD_GALLERY_NOTE]; /* folders that cannot be read, scenes left out: a line each */
    int note_count;
} pd_gallery;

/* Lists the bundled scenes, and of the user's own (PD_GALLERY_OWN at most) the files *.yaml, *.yml and *.puddle in the folder of
 * the file that was opened last ("": there is none), in the current folder and where the window saves scenes. */
enum { PD_GALLERY_OWN = 200 };
void pd_gallery_find(pd_gallery *gallery, const char *opened);
/* Its textures have been deleted before (pd_thumbnails_clear). */
void pd_gallery_free(pd_gallery *gallery);
/* The scene to work on next: one that has not been read, then one without its picture, those from first to last before the
 * others; -1: all are complete. */
int pd_gallery_next(const pd_gallery *gallery, int first, int last);

/* How many need no further work. */
int pd_gallery_done(const pd_gallery *gallery);

/* The file's name without folders. */
const char *pd_gallery_file(const pd_gallery_scene *scene);
bool pd_gallery_is_snapshot(const pd_gallery_scene *scene);

#endif
