/* Comparison side by side: a second world with the same scene and input under another method. */
#ifndef PUDDLE_APP_SESSION_COMPARE_H
#define PUDDLE_APP_SESSION_COMPARE_H

#include <puddle/puddle.h>

typedef struct pd_session pd_session;

/* Quantity that is recorded over time for both worlds. */
typedef enum pd_measure {
    PD_MEASURE_ENERGY,  /* kinetic energy per mass: half the mean square of the speed, m^2/s^2 */
    PD_MEASURE_DENSITY, /* pd_statistics.density_error, per cent; NAN: the method has no density */
    PD_MEASURE_COST,    /* wall time of a step, ms */
    PD_MEASURES
} pd_measure;

/* Recorded quantities of both worlds since the second world was created. When all points are used, each two points become
 * their mean. */
enum { PD_TRACE_POINTS = 256 };
typedef struct pd_trace {
    float value[PD_MEASURES][2][PD_TRACE_POINTS]; /* points: means over `stride` steps; [0] first, [1] second world */
    int count;                                    /* points so far */
    int stride;                                   /* steps per point */
    double sum[PD_MEASURES][2];                   /* sums over the steps since the last point */
    int steps;                                    /* steps since the last point */
} pd_trace;

typedef struct pd_second {
    pd_world *world; /* the second world; NULL: one pane only */
    pd_trace trace;
} pd_second;

/* Creates a second world under `method`, in place of the present second world, and resets both worlds. If the present second
 * world has that method, it is closed instead. An error is announced and changes nothing. */
void pd_session_compare_with_method(pd_session *session, const pd_method_info *method);
/* Replaces the first world by the second one, shown alone, and begins a new log. */
void pd_session_promote_second(pd_session *session);
/* Destroys the second world, if there is one, and announces the reason `why`. */
void pd_second_close(pd_session *session, const char *reason);
/* Destroys the second world without a message. */
void pd_second_destroy(pd_session *session);
/* Applies a command of the first world to the second world. */
void pd_second_apply_command(pd_session *session, const pd_command *command);
/* Returns whether the second world is within a step, or is a step ahead of the first world. */
bool pd_second_is_stepping(const pd_session *session);
/* Continues the second world's step for about *seconds of wall time. *seconds receives the time left. True: the step is
 * complete, and the first world may make the same step. */
bool pd_second_work_on_step(pd_session *session, double *seconds);
/* Records the quantities of both worlds. Call after both completed a step. */
void pd_second_record_step(pd_session *session);

#endif
