/* Items of a scene as YAML in one line, for scene files and edits: "{shape: circle, ...}". */
#ifndef PUDDLE_SCENE_FILE_WRITER_H
#define PUDDLE_SCENE_FILE_WRITER_H

#include <puddle/scene.h>
#include <stdio.h>

typedef struct pd_writer {
    FILE *out;
    const pd_material *materials; /* materials by index; only their names matter */
    int material_count;
    const char *stem; /* path without ending of the files of particles and cells; NULL: the text contains both */
    int placed;       /* number of files of particles so far */
    bool one_line;    /* images in one line too */
} pd_writer;

/* Writes a text in quotes. */
void pd_write_word(FILE *out, const char *text);
/* Writes an item of a list. A material begins with its name: "water": {...}. */
void pd_write_item(pd_writer *writer, int list, const void *item);

#endif
