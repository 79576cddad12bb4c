/* Messages: shown over the picture for a while, and printed as lines on standard output for scripts. */
#ifndef PUDDLE_APP_IO_ANNOUNCE_H
#define PUDDLE_APP_IO_ANNOUNCE_H

#include <puddle/puddle.h>

/* All zero: nothing has been announced; lines are printed as text. */
typedef struct pd_announcer {
    bool quiet;                           /* prints nothing on standard output */
    bool json;                            /* prints one JSON object per line instead of text */
    int (*report)(const pd_error *error); /* prints an error on standard error; NULL: errors are only shown */
    char text[640];                       /* the last message */
    double since, until;                  /* time in which the message is shown, s of pd_now() */
    bool alarm;                           /* the message is an error */
} pd_announcer;

/* Announces a changed value. unit: "" for none. */
void pd_announce_value(pd_announcer *announcer, const char *name, double value, const char *unit);
/* Announces a changed whole number that restarted the simulation. */
void pd_announce_restarted(pd_announcer *announcer, const char *name, int count);
void pd_announce_word(pd_announcer *announcer, const char *name, const char *word);
/* Announces the value of a parameter, "Yield 0.05", or of a material, "Yield (jelly) 0.05". material: "" for none. */
void pd_announce_parameter(pd_announcer *announcer, const pd_parameter *parameter, const char *material, float value);
void pd_announce(pd_announcer *announcer, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Announces a message that is shown in fewer words than printed. */
void pd_announce_brief(pd_announcer *announcer, const char *shown, const char *printed);
/* Announces a message about a file: what 'path'. */
void pd_announce_path(pd_announcer *announcer, const char *what, const char *path);
/* Announces an error that does not end the run. `report` receives it. */
void pd_announce_error(pd_announcer *announcer, const pd_error *error);
/* Announces an error that ends the run or makes it fail. The caller that ends the run prints it on standard error. */
void pd_announce_failure(pd_announcer *announcer, const pd_error *error);

/* ---- Printed only, and only as JSON ---- */

void pd_announce_ready(const pd_announcer *announcer);
/* Prints the place of the window on the screen and of the widgets in it: x, y, width and height in pixels. */
void pd_announce_layout(const pd_announcer *announcer, const float window[4], int count, const char *const *names,
                        const float (*places)[4]);
void pd_announce_size(const pd_announcer *announcer, int width, int height); /* pixels */
/* Prints the values beside the pointer at a place (m). count 0: the values disappear. */
void pd_announce_probe(const pd_announcer *announcer, pd_vec2 position, int count, const char *const *names,
                       const float *values);

/* ---- Numbers as text. Each function returns text. ---- */

/* Writes three significant digits, with an exponent below 1e-4 and from 1e7 on. */
char *pd_app_number(double value, char *text, size_t size);
/* Writes "12,500". */
char *pd_app_count(long long count, char *text, size_t size);
char *pd_app_parameter_text(const pd_parameter *parameter, float value, char *text, size_t size);

#endif
