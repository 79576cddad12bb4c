/* Reads PNG, JPEG and SVG files. */
#ifndef PUDDLE_CLI_OUTPUT_PICTURE_H
#define PUDDLE_CLI_OUTPUT_PICTURE_H

#include <puddle/scene.h>

/* Reads a picture file; for pd_scene_set_picture_reader. */
pd_picture_reader picture_read;

#endif
