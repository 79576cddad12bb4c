/* What the window remembers from one run to the next: lines "key: value" in $XDG_CONFIG_HOME/puddle/settings, or else
 * ~/.config/puddle/settings. */
#ifndef PUDDLE_APP_IO_SETTINGS_H
#define PUDDLE_APP_IO_SETTINGS_H

#include "record/sink.h"

/* What F9 records: a folder where nothing (or nothing that is known) has been saved. */
pd_sink_kind pd_settings_recording(void);
/* Errors: FILE_UNWRITABLE. */
pd_result pd_settings_save_recording(pd_sink_kind kind, pd_error *error);

/* "folder", "mp4", "webm", "gif": of the kinds before PD_SINK_STREAM. */
const char *pd_settings_word(pd_sink_kind kind);

/* MiB for the states to go back in time with, 1 to PD_MAX_HISTORY; 0: nothing has been saved. */
enum { PD_MAX_HISTORY = 65536 };
int pd_settings_history(void);
/* Errors: FILE_UNWRITABLE. */
pd_result pd_settings_save_history(int mib, pd_error *error);

#endif
