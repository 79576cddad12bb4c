/* The gallery: a list of scene files for the browser, first the user's, then the bundled scenes. pd_gallery_list lists folders
 * only. thumbnails.c reads the files later, one by one. */
#ifndef PUDDLE_APP_IO_GALLERY_H
#define PUDDLE_APP_IO_GALLERY_H

#include <puddle/puddle.h>

typedef enum pd_gallery_state {
    PD_GALLERY_UNREAD,  /* neither the file nor a ready picture was looked for since the list was made */
    PD_GALLERY_PENDING, /* the file was read, and its picture is not drawn yet */
    PD_GALLERY_DRAWN,   /* pd_gallery_scene.texture is the picture, or 0: the scene is too large for a picture */
    PD_GALLERY_BROKEN,  /* the file is no scene because of pd_gallery_scene.error */
} pd_gallery_state;

/* Sizes of texts, bytes. PD_GALLERY_NOTES: greatest number of notes. */
enum { PD_GALLERY_TITLE = 256, PD_GALLERY_ABOUT = 1200, PD_GALLERY_NOTES = 4, PD_GALLERY_NOTE = 400 };

typedef struct pd_gallery_scene {
    char *path;        /* path of the scene file or snapshot */
    int64_t bytes;     /* size of the file when it was listed; -1: unknown */
    int64_t changed;   /* time of the file's last change when it was listed, ns since 1970 */
    const char *group; /* group in the browser: "Your own", "Water" */
    int place;      /* position of a bundled scene in the list (pd_bundled_find_list_position); -1: scene of the user */
    bool described; /* `title`, `method`, `about` and `key` were read from the file */
    pd_gallery_state state;       /* progress of reading the file and drawing its thumbnail */
    char title[PD_GALLERY_TITLE]; /* name of a scene; file name of a snapshot, and of a scene without a name */
    const pd_method_info *method; /* method of the scene; NULL: the file was not read yet */
    /* Comment at the beginning of the file, a line for each paragraph; "": not read, or none. */
    char about[PD_GALLERY_ABOUT];
    char error[sizeof((pd_error *)0)->message]; /* message if state is PD_GALLERY_BROKEN */
    uint64_t key;                               /* key of the picture in thumbnails.h; 0: none */
    unsigned texture;                           /* OpenGL name of the picture's texture; 0: none */
    int row, column;                            /* row and column of the tile in the browser; row -1: no tile */
} pd_gallery_scene;

typedef struct pd_gallery {
    pd_gallery_scene *scenes; /* scenes of the user, then bundled scenes */
    int count, capacity;      /* number of scenes, and number for which memory is allocated */
    int own;                  /* number of scenes of the user, which are the first elements */
    /* Lines for the user: unreadable folders, number of scenes left out. */
    char notes[PD_GALLERY_NOTES][PD_GALLERY_NOTE];
    int note_count; /* number of `notes` */
} pd_gallery;

/* Lists at most PD_GALLERY_OWN scenes of the user, then the bundled scenes by group. The user's are files *.yaml, *.yml
 * and *.puddle in the folder of `opened_path` ("": none), in the current folder and in pd_settings_find_output_folder. */
enum { PD_GALLERY_OWN = 200 };
void pd_gallery_list(pd_gallery *gallery, const char *opened_path);
/* Copies what was read from files that are unchanged since an earlier list: same path, size and time of change. Their
 * pictures are not copied. */
void pd_gallery_copy_descriptions(pd_gallery *gallery, const pd_gallery *earlier);
/* Frees the gallery. Delete its textures before (pd_thumbnails_delete_textures). */
void pd_gallery_free(pd_gallery *gallery);
/* Returns the index of the scene to read or to draw next. UNREAD scenes come before PENDING scenes. Among scenes in the same
 * state, scenes with index `first` to `last` come before the others. -1: all scenes are DRAWN or BROKEN. */
int pd_gallery_find_unfinished(const pd_gallery *gallery, int first, int last);
/* Returns whether the scene is to have a tile. A file of the user has none before it was read, because it may be no scene. */
bool pd_gallery_has_tile(const pd_gallery_scene *scene);
/* Returns the number of scenes in state DRAWN or BROKEN. */
int pd_gallery_finished_count(const pd_gallery *gallery);
/* Writes a line about the BROKEN files in the folder of scene `index`: "2 files of 'scenes' are not scenes (first: a.yaml:
 * ...)". "": the folder has no such files. Returns the index of the first scene after this folder. */
int pd_gallery_describe_broken_files(const pd_gallery *gallery, int index, char *text, size_t size);
/* Returns whether every word of `search` begins a word of the title, file name, group, method or comment. Case and a plural s
 * do not matter. by_name: only title and file name count. */
bool pd_gallery_scene_matches_search(const pd_gallery_scene *scene, const char *search, bool by_name);

/* Returns the scene's file name without folders. */
const char *pd_gallery_file_name(const pd_gallery_scene *scene);
bool pd_gallery_is_snapshot(const pd_gallery_scene *scene);

#endif
