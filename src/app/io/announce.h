/* Messages to the user: shown over the picture for a few seconds, and printed as lines on standard output. */
#ifndef PUDDLE_APP_IO_ANNOUNCE_H
#define PUDDLE_APP_IO_ANNOUNCE_H

#include <puddle/puddle.h>

/* Destination of the messages, with the last message. All zero: no message yet; messages are printed as text. */
typedef struct pd_announcer {
    bool quiet;                           /* prints nothing on standard output */
    bool json;                            /* prints one JSON object per line instead of text */
    int (*report)(const pd_error *error); /* prints an error on standard error; may be NULL */
    char text[640];                       /* the last message */
    double since, until;                  /* times when the window begins and ends to show `text`, s of pd_now() */
    bool is_error;                        /* `text` is an error */
} pd_announcer;

/* Announces that the quantity `name` has a new value. unit: "" for none. */
void pd_announce_value(pd_announcer *announcer, const char *name, double value, const char *unit);
/* Announces a simulated time of the scene: "Rewound to 0:04.5". */
void pd_announce_time(pd_announcer *announcer, const char *name, double seconds);
/* Announces that the quantity `name` is now `count`, which restarted the simulation. */
void pd_announce_restarted_count(pd_announcer *announcer, const char *name, int count);
/* Announces a change with this text. name, word: members "name" and "value" of the JSON line: "Removed", "drain". */
void pd_announce_change(pd_announcer *announcer, const char *text, const char *name, const char *word);
/* Announces that the setting `name` has the value `word`, as "View: surface". */
void pd_announce_word(pd_announcer *announcer, const char *name, const char *word);
/* Announces the value of a parameter: "Yield 0.05". material: name of the material that has the value, as in "Yield (jelly)
 * 0.05", or "". */
void pd_announce_parameter(pd_announcer *announcer, const pd_parameter *parameter, const char *material, float value);
/* Announces a message about no file, formatted as by printf. */
void pd_announce(pd_announcer *announcer, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Announces a message that is shorter over the picture than on standard output. */
void pd_announce_brief(pd_announcer *announcer, const char *picture_text, const char *printed_text);
/* Announces a message about a file: `message`, then `path` in quotes. */
void pd_announce_path(pd_announcer *announcer, const char *message, const char *path);
/* Announces an error that does not end the run. Calls announcer->report. */
void pd_announce_error(pd_announcer *announcer, const pd_error *error);
/* Announces an error that makes the run fail. Does not call announcer->report: pd_app_close returns the error to its caller,
 * which prints it. */
void pd_announce_run_failure(pd_announcer *announcer, const pd_error *error);

/* ---- JSON lines without a message on the screen ---- */

/* Prints that the window is open. */
void pd_announce_ready(const pd_announcer *announcer);
/* Prints the rectangles x, y, width, height of the window on the screen, and of the widgets in the window, pixels. */
void pd_announce_widget_rectangles(const pd_announcer *announcer, const float window_rectangle[4], int count,
                                   const char *const *names, const float (*rectangles)[4]);
/* Prints a hint that the window begins to show. */
void pd_announce_hint(const pd_announcer *announcer, const char *text);
/* Prints the new size of the window, pixels. */
void pd_announce_window_size(const pd_announcer *announcer, int width, int height);
/* Prints the field values that the window shows beside the pointer. position: of the pointer, m; count 0: no values are
 * shown. */
void pd_announce_probe(const pd_announcer *announcer, pd_vec2 position, int count, const char *const *names,
                       const float *values);

/* ---- Numbers as text ---- Each function writes into `text` and returns `text`. */

/* Writes a number with three significant digits. Magnitudes below 1e-4 or from 1e7 on have an exponent. */
char *pd_app_format_number(double value, char *text, size_t size);
/* Writes a simulated time as minutes and seconds: "1:05.3". */
char *pd_app_format_time(double seconds, char *text, size_t size);
/* Writes a whole number with thousands separators: "12,500". */
char *pd_app_format_count(long long count, char *text, size_t size);
/* Writes a parameter's value with its unit: "1.73 m/s²", "on", or the word of a choice. */
char *pd_app_format_parameter(const pd_parameter *parameter, float value, char *text, size_t size);

#endif
