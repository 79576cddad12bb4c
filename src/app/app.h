/* The window that shows a world. Its owner makes one frame after the other:
 *
 *     pd_result result = pd_app_open(&app, &world, &options, &error);
 *     if (!result) {
 *         while (pd_app_frame(app)) continue;
 *         result = pd_app_close(app, &world, &error);
 *     }
 */
#ifndef PUDDLE_APP_APP_H
#define PUDDLE_APP_APP_H

#include "app/io/app_options.h"

typedef struct pd_app pd_app;

/* Opens the window on *world, which belongs to the app until pd_app_close. After an error *app is NULL and *world is unchanged. Errors:
 * DISPLAY_UNAVAILABLE, GRAPHICS_UNAVAILABLE, SHADER_BROKEN, DATA_MISSING, FILE_UNWRITABLE, OUT_OF_MEMORY, RECORDING_EXISTS, and
 * the errors of options->opened. */
pd_result pd_app_open(pd_app **app, pd_world **world, const pd_app_options *options, pd_error *error);
/* Makes a frame: handles the events, makes the steps that are due, draws. An idle window first waits for an event. Returns false when the
 * user has quit or an error has ended the run: close the window. */
bool pd_app_frame(pd_app *app);
/* Closes the window and frees the app. *world receives the world of the last opened scene, which the caller destroys. If
 * options->saves and options->log are unset, the world may be within a step. Errors: the first error of the run: FILE_UNWRITABLE,
 * OUT_OF_MEMORY, and the errors of options->stepped. */
pd_result pd_app_close(pd_app *app, pd_world **world, pd_error *error);

#endif
