/* Settings saved for later runs: lines "key: value" in $XDG_CONFIG_HOME/puddle/settings, or ~/.config/puddle/settings without
 * that variable. */
#ifndef PUDDLE_APP_IO_SETTINGS_H
#define PUDDLE_APP_IO_SETTINGS_H

#include "record/sink.h"

typedef enum pd_saved_setting {
    PD_SETTING_RECORDING, /* format of recordings by F9 */
    PD_SETTING_HISTORY,   /* memory for the log's keyframes, MiB */
    PD_SETTING_BARS,      /* "off": the bars are put away */
    PD_SETTING_FOLDER,    /* folder in which a dialog saved last */
    PD_SETTINGS
} pd_saved_setting;

/* Reads the value of a setting. False: none is saved. */
bool pd_settings_read(pd_saved_setting setting, char *value, size_t size);
/* Saves the value of a setting. Errors: FILE_UNWRITABLE. */
pd_result pd_settings_save(pd_saved_setting setting, const char *value, pd_error *error);

/* Returns the saved format of recordings by F9. Without a valid one: MP4, or a folder of
 * frames if no encoder for MP4 is installed. */
pd_sink_kind pd_settings_recording(void);
/* Saves the format of recordings by F9. Errors: FILE_UNWRITABLE. */
pd_result pd_settings_save_recording(pd_sink_kind kind, pd_error *error);

/* Returns the word for a format: "folder", "mp4", "webm" or "gif". kind: less than PD_SINK_STREAM. */
const char *pd_settings_word(pd_sink_kind kind);

/* Writes the folder in which a dialog saved last. At first that is pd_app_find_documents, or the current folder. */
void pd_settings_folder(char *path, size_t size);

/* Returns the saved memory for the log's keyframes, 1 to PD_MAX_HISTORY MiB. 0: no valid setting is saved. */
enum { PD_MAX_HISTORY = 65536 };
int pd_settings_history(void);
/* Saves the memory for the log's keyframes. Errors: FILE_UNWRITABLE. */
pd_result pd_settings_save_history(int mib, pd_error *error);

#endif
