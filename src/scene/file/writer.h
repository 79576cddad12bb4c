/* Records of a scene as YAML in one line, as scene files and edits have them: "{shape: circle, ...}". */
#ifndef PUDDLE_SCENE_FILE_WRITER_H
#define PUDDLE_SCENE_FILE_WRITER_H

#include <puddle/scene.h>
#include <stdio.h>

typedef struct pd_writer {
    FILE *out;
    const pd_material *materials; /* by their indices in the items; only the names count */
    int material_count;
    const char *stem; /* of the names of the files of particles and cells; NULL: the text holds these */
    int placed;       /* files of particles so far */
    bool one_line;    /* also images */
} pd_writer;

/* Text in quotes. */
void pd_write_word(FILE *out, const char *text);
/* An item of a list, a material with its name: "water: {...}", in quotes. */
void pd_write_item(pd_writer *writer, int list, const void *item);

#endif
