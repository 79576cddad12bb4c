/* Writes items of a scene as YAML in one line: "{shape: circle, ...}". Scene files and edits contain such lines. */
#ifndef PUDDLE_SCENE_FILE_WRITER_H
#define PUDDLE_SCENE_FILE_WRITER_H

#include <puddle/scene.h>
#include <stdio.h>

typedef struct pd_writer {
    FILE *out;                    /* file or memory that receives the text */
    const pd_material *materials; /* materials of the scene, whose names items contain */
    int material_count;           /* number of materials */
    const char *stem;   /* path, without ending, of files of particles and cells; NULL: the text contains them */
    int particle_files; /* number of files of particles that the text has named */
    bool one_line;      /* whether an image is written in one line, instead of a line for each row of pixels */
} pd_writer;

/* Writes a text in quotes. */
void pd_write_quoted(FILE *out, const char *text);
/* Writes bytes as ", data: [...]", a list of words in base 64. */
void pd_write_data(FILE *out, const void *bytes, size_t size);
/* Writes an item of a list, or for a material its name and item: "water": {...}. */
void pd_write_item(pd_writer *writer, int list_id, const void *item);

#endif
