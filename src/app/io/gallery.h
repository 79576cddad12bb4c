/* The gallery: the list of scene files that the browser shows, first the bundled scenes, then the user's. pd_gallery_list finds
 * the paths of the files. thumbnails.c reads the files later, one by one. */
#ifndef PUDDLE_APP_IO_GALLERY_H
#define PUDDLE_APP_IO_GALLERY_H

#include <puddle/puddle.h>

typedef enum pd_gallery_state {
    PD_GALLERY_UNREAD,  /* the file is not read yet */
    PD_GALLERY_PENDING, /* the file is read, and its thumbnail is not drawn yet */
    PD_GALLERY_DRAWN,   /* pd_gallery_scene.texture is the thumbnail */
    PD_GALLERY_BROKEN,  /* the file has no thumbnail because of an error: pd_gallery_scene.error */
} pd_gallery_state;

enum { PD_GALLERY_LABEL = 96, PD_GALLERY_ABOUT = 400, PD_GALLERY_NOTES = 4, PD_GALLERY_NOTE = 400 };

typedef struct pd_gallery_scene {
    char *path;                   /* path of the scene file or snapshot */
    bool bundled;                 /* the scene is one of the program's bundled scenes */
    pd_gallery_state state;       /* progress of reading and drawing */
    char label[PD_GALLERY_LABEL]; /* text under the thumbnail: name of a bundled scene, or file name */
    char about[PD_GALLERY_ABOUT]; /* comment at the beginning of the file, or the scene's name; "": not read yet */
    char error[sizeof((pd_error *)0)->message]; /* message of the error if state is PD_GALLERY_BROKEN */
    uint64_t key;                               /* key of the thumbnail in the cache (thumbnail_cache.h); 0: unknown */
    unsigned texture;                           /* OpenGL name of the thumbnail's texture; 0: none */
} pd_gallery_scene;

typedef struct pd_gallery {
    pd_gallery_scene *scenes; /* the scenes, bundled ones first */
    int count;                /* number of scenes */
    int bundled_count;        /* number of bundled scenes, which come first in `scenes` */
    char notes[PD_GALLERY_NOTES]
              [PD_GALLERY_NOTE]; /* lines shown to the user: unreadable folders, number of files left out */
    int note_count;              /* number of `notes` */
} pd_gallery;

enum { PD_GALLERY_OWN = 200 }; /* largest number of the user's files in the gallery */
/* Lists the bundled scenes, then the user's files *.yaml, *.yml and *.puddle: in the folder of opened_path ("": none), in the
 * current folder, in pd_app_output_folder and in pd_settings_output_folder. */
void pd_gallery_list(pd_gallery *gallery, const char *opened_path);
/* Frees the gallery. Call pd_thumbnails_delete_textures before. */
void pd_gallery_free(pd_gallery *gallery);
/* Returns the index of the next scene whose file is not read or whose thumbnail is not drawn. Scenes in state UNREAD come
 * before scenes in state PENDING, and the visible scenes before the others. -1: all scenes are DRAWN or BROKEN. */
int pd_gallery_find_unfinished(const pd_gallery *gallery, int first_visible, int last_visible);

/* Returns the number of scenes in state DRAWN or BROKEN. */
int pd_gallery_finished_count(const pd_gallery *gallery);

/* Returns the scene's file name without folders. */
const char *pd_gallery_file_name(const pd_gallery_scene *scene);
bool pd_gallery_is_snapshot(const pd_gallery_scene *scene);

#endif
