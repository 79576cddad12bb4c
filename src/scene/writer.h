/* Items of a scene as YAML in one line, as scene files and edits have them: "{shape: circle, ...}". */
#ifndef PUDDLE_SCENE_WRITER_H
#define PUDDLE_SCENE_WRITER_H

#include <puddle/scene.h>
#include <stdio.h>

/* Text in quotes. */
void pd_write_word(FILE *out, const char *text);
/* With its name: "water: {...}", in quotes. */
void pd_write_material(FILE *out, const pd_material *material);
void pd_write_obstacle(FILE *out, const pd_obstacle *obstacle);
void pd_write_emitter(FILE *out, const pd_scene *scene, const pd_emitter *emitter);
void pd_write_drain(FILE *out, const pd_drain *drain);

#endif
