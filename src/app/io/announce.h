/* Messages to the user: shown over the picture for a few seconds, and printed as lines on standard output. */
#ifndef PUDDLE_APP_IO_ANNOUNCE_H
#define PUDDLE_APP_IO_ANNOUNCE_H

#include <puddle/puddle.h>

/* Shows and prints messages. All zero: no message yet; lines are printed as text. */
typedef struct pd_announcer {
    bool quiet;                           /* prints nothing on standard output */
    bool json;                            /* prints one JSON object per line instead of text */
    int (*report)(const pd_error *error); /* prints an error on standard error; NULL: errors are only shown */
    char text[640];                       /* last message */
    double since, until;                  /* begin and end of showing the message, s of pd_now() */
    bool is_error;                        /* the last message is an error */
} pd_announcer;

/* Announces that the quantity `name` has a new value. unit: "" for none. */
void pd_announce_value(pd_announcer *announcer, const char *name, double value, const char *unit);
/* Announces that the quantity `name` is now `count` and the simulation was restarted. */
void pd_announce_restarted_count(pd_announcer *announcer, const char *name, int count);
/* Announces that the setting `name` is now `word`: "Method", "grid". */
void pd_announce_word(pd_announcer *announcer, const char *name, const char *word);
/* Announces a parameter's value, "Yield 0.05", or a material's own value, "Yield (jelly) 0.05". material: "" for none. */
void pd_announce_parameter(pd_announcer *announcer, const pd_parameter *parameter, const char *material, float value);
void pd_announce(pd_announcer *announcer, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Shows the text `shown` over the picture and prints the longer text `printed`. */
void pd_announce_brief(pd_announcer *announcer, const char *picture_text, const char *printed_text);
/* Announces "`what` 'PATH'", a message about a file. */
void pd_announce_path(pd_announcer *announcer, const char *message, const char *path);
/* Shows an error that does not end the run, and passes it to `report`. */
void pd_announce_error(pd_announcer *announcer, const pd_error *error);
/* Shows an error that makes the run fail. The caller prints the error on standard error at the end of the run. */
void pd_announce_failure(pd_announcer *announcer, const pd_error *error);

/* ---- JSON lines without a message on the screen ---- */

/* Prints that the window is open. */
void pd_announce_ready(const pd_announcer *announcer);
/* Prints the window's rectangle on the screen and the widgets' rectangles in the window: x, y, width, height in pixels. */
void pd_announce_layout(const pd_announcer *announcer, const float window_rectangle[4], int count,
                        const char *const *names, const float (*rectangles)[4]);
void pd_announce_window_size(const pd_announcer *announcer, int width, int height); /* pixels */
/* Prints the field values at a place (m) that the window shows beside the pointer. count 0: the window hides them. */
void pd_announce_probe(const pd_announcer *announcer, pd_vec2 position, int count, const char *const *names,
                       const float *values);

/* ---- Numbers as text ---- Each function writes into `text` and returns `text`. */

/* Writes three significant digits, with an exponent below 1e-4 and from 1e7 on. */
char *pd_app_format_number(double value, char *text, size_t size);
/* Writes a whole number with separators: "12,500". */
char *pd_app_format_count(long long count, char *text, size_t size);
char *pd_app_format_parameter(const pd_parameter *parameter, float value, char *text, size_t size);

#endif
