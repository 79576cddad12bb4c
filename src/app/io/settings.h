/* Settings that last from one run to the next: lines "key: value" in $XDG_CONFIG_HOME/puddle/settings, or else
 * ~/.config/puddle/settings. */
#ifndef PUDDLE_APP_IO_SETTINGS_H
#define PUDDLE_APP_IO_SETTINGS_H

#include "record/sink.h"

/* Returns what F9 records. PD_SINK_FOLDER: no valid setting is saved. */
pd_sink_kind pd_settings_recording(void);
/* Errors: FILE_UNWRITABLE. */
pd_result pd_settings_save_recording(pd_sink_kind kind, pd_error *error);

/* Returns "folder", "mp4", "webm" or "gif". kind: one before PD_SINK_STREAM. */
const char *pd_settings_word(pd_sink_kind kind);

/* Returns the memory for keyframes, 1 to PD_MAX_HISTORY MiB. 0: no valid setting is saved. */
enum { PD_MAX_HISTORY = 65536 };
int pd_settings_history(void);
/* Errors: FILE_UNWRITABLE. */
pd_result pd_settings_save_history(int mib, pd_error *error);

#endif
