/* Settings saved for later runs: lines "key: value" in $XDG_CONFIG_HOME/puddle/settings, or in ~/.config/puddle/settings if
 * the variable is unset. */
#ifndef PUDDLE_APP_IO_SETTINGS_H
#define PUDDLE_APP_IO_SETTINGS_H

#include "record/sink.h"
#include <stdbool.h>
#include <stddef.h>

typedef enum pd_saved_setting {
    PD_SETTING_RECORDING, /* format of recordings that F9 begins */
    PD_SETTING_HISTORY,   /* memory for the log's keyframes, MiB */
    PD_SETTING_BARS,      /* "off": the bars (overlay/bar.c) are hidden */
    PD_SETTING_ADVANCED,  /* "on": the panel shows the rows under "Advanced" */
    PD_SETTING_OPENED,    /* "yes": the opening card was shown */
    PD_SETTING_HINTS,     /* numbers of the first steps that the user has done: "134" */
    PD_SETTING_FOLDER,    /* folder in which a dialog saved last */
    PD_SETTING_PICTURE,   /* parts of the picture that are switched off or on (overlay/switches.c) */
    PD_SETTING_SCALE,     /* pixels per interface unit that the user chose in the panel: "1.5"; "0": the screen's */
    PD_SETTING_WINDOW,    /* rectangle of the window: "X Y WIDTH HEIGHT", and "maximized" */
    PD_SETTING_PANEL,     /* "on": the panel is open */
    PD_SETTINGS
} pd_saved_setting;

/* Reads the saved value of a setting. False: no value is saved. */
bool pd_settings_read(pd_saved_setting setting, char *value, size_t size);
/* Saves the value of a setting, one line. The lines of other settings stay. On an error the file is unchanged. Errors:
 * FILE_UNWRITABLE, FILE_UNREADABLE, OUT_OF_MEMORY. */
pd_result pd_settings_save(pd_saved_setting setting, const char *value, pd_error *error);

/* Returns whether the saved value of a setting is "on". fallback: result if it is neither "on" nor "off". */
bool pd_settings_read_switch(pd_saved_setting setting, bool fallback);
/* Saves "on" or "off", if this differs from the saved value. A failure only loses the choice. */
void pd_settings_save_switch(pd_saved_setting setting, bool on);

/* Returns the saved format of recordings that F9 begins. If no valid format is saved: MP4, or a folder of PNG frames if no
 * encoder for MP4 is installed. */
pd_sink_kind pd_settings_recording_format(void);
/* Saves the format of recordings that F9 begins. Errors: FILE_UNWRITABLE. */
pd_result pd_settings_save_recording_format(pd_sink_kind kind, pd_error *error);

/* Returns the word for a format of recordings: "folder", "mp4", "webm" or "gif". kind: not PD_SINK_STREAM. */
const char *pd_settings_word_of_format(pd_sink_kind kind);

/* Writes the path of the folder for saved files, recordings and screenshots: the one in which a dialog saved last. Before the
 * first time: "puddle" in the user's documents, or the current folder. */
void pd_settings_find_output_folder(char *path, size_t size);

enum { PD_MAX_HISTORY = 65536 }; /* largest memory for the log's keyframes, MiB */
/* Returns the saved memory for the log's keyframes, 1 to PD_MAX_HISTORY MiB. 0: no valid number is saved. */
int pd_settings_history_mib(void);
/* Saves the memory for the log's keyframes, MiB. Errors: FILE_UNWRITABLE. */
pd_result pd_settings_save_history_mib(int mib, pd_error *error);

/* Paths of the files that the window writes. */
/* Writes the first path FOLDER/STEM-NUMBERSUFFIX that does not exist: "/home/ada/puddle-0001.png". digits: least number of
 * digits of NUMBER. */
void pd_app_make_free_path(char *path, size_t size, const char *folder, const char *stem, int digits,
                           const char *suffix);
/* Writes a scene's name in a form for file names: "dam-break" for "Dam break". A name without letters and digits: "scene". */
void pd_app_make_slug(const char *name, char *slug, size_t size);

#endif
