/* Side by side: a second world with another method and the same input. */
#ifndef PUDDLE_APP_SESSION_COMPARE_H
#define PUDDLE_APP_SESSION_COMPARE_H

#include <puddle/puddle.h>

typedef struct pd_session pd_session;

/* A quantity that is recorded for both worlds. */
typedef enum pd_measure {
    PD_MEASURE_ENERGY,  /* kinetic energy: half the mean square of the speed, m^2/s^2 */
    PD_MEASURE_DENSITY, /* pd_statistics.density_error in per cent; NAN: the method has no density */
    PD_MEASURE_COST,    /* wall time of a step, ms */
    PD_MEASURES
} pd_measure;

/* The quantities of both worlds since the second one was opened. A full trace halves its number of points. */
enum { PD_TRACE_POINTS = 256 };
typedef struct pd_trace {
    float value[PD_MEASURES][2][PD_TRACE_POINTS]; /* means over `stride` steps, of the first and the second world */
    int count, stride;
    double sum[PD_MEASURES][2]; /* over the steps since the last point */
    int steps;                  /* since the last point */
} pd_trace;

typedef struct pd_second {
    pd_world *world; /* NULL: there is none */
    pd_trace trace;
} pd_second;

/* Opens a second world under this method, and closes one that is open. Both worlds begin anew. If the open one has this method, it
 * is closed instead. An error is announced, and the session stays as it is. */
void pd_session_compare(pd_session *session, const pd_method_info *method);
/* Shows the second world alone; a new log begins. */
void pd_session_promote_second(pd_session *session);
/* Closes the second world, if there is one, and announces why. */
void pd_second_close(pd_session *session, const char *why);
/* Destroys the second world without a message. */
void pd_second_destroy(pd_session *session);
/* Applies a command that was applied to the first world. */
void pd_second_apply(pd_session *session, const pd_command *command);
/* Whether the second world is within a step, or has made a step that the first world has not completed. */
bool pd_second_stepping(const pd_session *session);
/* Works on the second world's step for about *seconds, which receives the rest. True: the first world's step may go on. */
bool pd_second_work(pd_session *session, double *seconds);
/* Records the quantities. Call after a step of both worlds. */
void pd_second_stepped(pd_session *session);

#endif
