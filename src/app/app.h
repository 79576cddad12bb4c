/* The sandbox: a window on a world. */
#ifndef PUDDLE_APP_APP_H
#define PUDDLE_APP_APP_H

#include "app/io/app_options.h"

/* Runs until the user quits, which unless `saves` may be in the middle of a step. *world may be replaced by that of
 * another scene; the last one is returned there for the caller to destroy. Errors: DISPLAY_UNAVAILABLE,
 * GRAPHICS_UNAVAILABLE, SHADER_BROKEN, DATA_MISSING, FILE_UNWRITABLE, OUT_OF_MEMORY, RECORDING_EXISTS, and those of
 * `opened` and `stepped`. */
pd_result pd_app_run(pd_world **world, const pd_app_options *options, pd_error *error);

#endif
