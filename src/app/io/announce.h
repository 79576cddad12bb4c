/* Messages to the user: shown over the picture for a while, and printed as a line on standard output for scripts. Knows
 * neither the world nor the window. */
#ifndef PUDDLE_APP_IO_ANNOUNCE_H
#define PUDDLE_APP_IO_ANNOUNCE_H

#include <puddle/puddle.h>

/* All zero: nothing has been announced; lines are printed as text. */
typedef struct pd_announcer {
    bool quiet;                           /* prints nothing on standard output */
    bool json;                            /* prints one JSON object per line instead of text */
    int (*report)(const pd_error *error); /* prints an error on standard error; NULL: it is only shown */
    char text[640];                       /* the last message */
    double since, until;                  /* s of pd_now(): it is shown */
    bool alarm;                           /* it is an error */
} pd_announcer;

/* A value that has changed. unit: "" for none. */
void pd_announce_value(pd_announcer *announcer, const char *name, double value, const char *unit);
/* A whole number whose change restarted the simulation. */
void pd_announce_restarted(pd_announcer *announcer, const char *name, int count);
void pd_announce_word(pd_announcer *announcer, const char *name, const char *word);
void pd_announce_parameter(pd_announcer *announcer, const pd_parameter *parameter, float value);
/* The same for one material: "Yield (jelly) 0.05". */
void pd_announce_property(pd_announcer *announcer, const pd_parameter *parameter, const char *material, float value);
void pd_announce(pd_announcer *announcer, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A message that is printed in full, and shown in fewer words. */
void pd_announce_brief(pd_announcer *announcer, const char *shown, const char *printed);
/* A message about a file. */
void pd_announce_path(pd_announcer *announcer, const char *what, const char *path);
/* An error that does not end the run: also reported on standard error. */
void pd_announce_error(pd_announcer *announcer, const pd_error *error);
/* An error that ends the run, or makes it fail: who ends the run prints it on standard error. */
void pd_announce_failure(pd_announcer *announcer, const pd_error *error);

/* Printed only, and only as JSON. */
void pd_announce_ready(const pd_announcer *announcer);
/* The window on the screen, and the places in it that can be pressed: x, y, width and height in pixels. */
void pd_announce_layout(const pd_announcer *announcer, const float window[4], int count, const char *const *names,
                        const float (*places)[4]);
void pd_announce_size(const pd_announcer *announcer, int width, int height); /* pixels */
/* The values that appear beside the pointer at a place (m), or with count 0 that there are none any more. */
void pd_announce_probe(const pd_announcer *announcer, pd_vec2 position, int count, const char *const *names,
                       const float *values);

/* Numbers as they are shown. Each returns text. */

/* Three significant digits, with an exponent below 1e-4 and from 1e7 on. */
char *pd_app_number(double value, char *text, size_t size);
/* "12,500" */
char *pd_app_count(long long count, char *text, size_t size);
char *pd_app_parameter_text(const pd_parameter *parameter, float value, char *text, size_t size);

#endif
