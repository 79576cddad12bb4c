/* The window that shows a world, with its main loop. */
#ifndef PUDDLE_APP_APP_H
#define PUDDLE_APP_APP_H

#include "app/io/app_options.h"

/* Shows *world in a window until the user quits. *world receives the world of the last opened scene, which the caller
 * destroys. If options->saves and options->log are unset, the received world may be within a step. Errors:
 * DISPLAY_UNAVAILABLE, GRAPHICS_UNAVAILABLE, SHADER_BROKEN, DATA_MISSING, FILE_UNWRITABLE, OUT_OF_MEMORY, RECORDING_EXISTS, and
 * the errors of options->opened and options->stepped. */
pd_result pd_app_run(pd_world **world, const pd_app_options *options, pd_error *error);

#endif
