/* Paths of the files that the window writes. */
#ifndef PUDDLE_APP_IO_PATHS_H
#define PUDDLE_APP_IO_PATHS_H

#include <stdbool.h>
#include <stddef.h>

/* Writes the first path FOLDER/STEM-NUMBERSUFFIX that does not exist: "/home/ada/puddle-0001.png". digits: least number of
 * digits of NUMBER. */
void pd_app_make_free_path(char *path, size_t size, const char *folder, const char *stem, int digits,
                           const char *suffix);
/* Writes a scene's name in a form for file names: "dam-break" for "Dam break". A name without letters and digits: "scene". */
void pd_app_make_slug(const char *name, char *slug, size_t size);

#endif
