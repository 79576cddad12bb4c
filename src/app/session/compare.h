/* Comparison side by side: a second world with the same scene and input under another method. */
#ifndef PUDDLE_APP_SESSION_COMPARE_H
#define PUDDLE_APP_SESSION_COMPARE_H

#include <puddle/puddle.h>

typedef struct pd_session pd_session;

/* Quantity of a world that is recorded over time, to compare both worlds. */
typedef enum pd_measure {
    PD_MEASURE_ENERGY,  /* kinetic energy, J/m */
    PD_MEASURE_DENSITY, /* pd_statistics.density_error, per cent; NAN: the method has no density */
    PD_MEASURE_COST,    /* wall time of a step, ms */
    PD_MEASURES
} pd_measure;

enum { PD_TRACE_POINTS = 256 }; /* room for points in a pd_trace */
/* Curves of the measures of both worlds since the second world was created. When the room is full, each pair of adjacent points
 * is replaced by its mean. */
typedef struct pd_trace {
    float value[PD_MEASURES][2][PD_TRACE_POINTS]; /* means over `stride` steps; second index: world */
    int count;                                    /* number of points recorded */
    int stride;                                   /* number of steps per point */
    double sum[PD_MEASURES][2];                   /* sums over the steps since the last point; second index: world */
    int steps;                                    /* number of steps since the last point */
} pd_trace;

typedef struct pd_second_world {
    pd_world *world; /* the second world; NULL: one pane only */
    pd_trace trace;  /* recorded measures of both worlds */
} pd_second_world;

/* Begins a comparison: creates a second world under `method`, replacing a former second world, and resets the first world. If
 * the second world already has this method, the comparison ends instead. Errors are announced and change nothing. */
void pd_session_compare_with_method(pd_session *session, const pd_method_info *method);
/* Ends the comparison with the second world: its state becomes that of the first world by a command, which undo reverts
 * together with the act before. */
void pd_session_promote_second_world(pd_session *session);
/* Destroys the second world if it exists, and announces the reason. */
void pd_second_world_close(pd_session *session, const char *reason);
/* Destroys the second world without a message. */
void pd_second_world_destroy(pd_session *session);
/* Applies a command that the first world has applied to the second world. */
void pd_second_world_apply_command(pd_session *session, const pd_command *command);
/* Returns whether the second world is within a step, or has completed a step that the first world has not. */
bool pd_second_world_is_stepping(const pd_session *session);
/* Works on the second world's step for about *seconds of wall time. *seconds receives the time left. True: the second world is
 * a step ahead or does not exist. False: its step is incomplete, or the time is spent. */
bool pd_second_world_work_on_step(pd_session *session, double *seconds);
/* Records the measures of both worlds. Call after both worlds have completed a step. */
void pd_second_world_record_step(pd_session *session);

#endif
