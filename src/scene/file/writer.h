/* Writes items of a scene as YAML in one line, for scene files and edits: "{shape: circle, ...}". */
#ifndef PUDDLE_SCENE_FILE_WRITER_H
#define PUDDLE_SCENE_FILE_WRITER_H

#include <puddle/scene.h>
#include <stdio.h>

typedef struct pd_writer {
    FILE *out;
    const pd_material *materials; /* materials of the scene, of which only the names are used */
    int material_count;
    const char *stem;   /* path without ending for files of particles and cells; NULL: the text contains them */
    int particle_files; /* number of files of particles that have been written */
    bool one_line;      /* whether images are written in one line too */
} pd_writer;

/* Writes a text in quotes. */
void pd_write_quoted(FILE *out, const char *text);
/* Writes an item of a list, or for a material its name and item: "water": {...}. */
void pd_write_item(pd_writer *writer, int list, const void *item);

#endif
