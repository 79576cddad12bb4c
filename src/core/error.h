/* Errors: their codes and messages, and assertions against programming errors. */
#ifndef PUDDLE_CORE_ERROR_H
#define PUDDLE_CORE_ERROR_H

#include <puddle/result.h>

/* Error codes of the program, numbered from PD_ERROR_PROGRAM: X(name, result of a failing function). The JSON of
 * `puddle check` contains these names. */
#define PD_PROGRAM_ERROR_CODES(X)                                                                                      \
    X(GRAPHICS_UNAVAILABLE, PD_FAILED)   /* The machine has no OpenGL of the required version. */                      \
    X(DISPLAY_UNAVAILABLE, PD_FAILED)    /* No display is available for the window. */                                 \
    X(SHADER_BROKEN, PD_FAILED)          /* A shader does not compile or link. */                                      \
    X(DATA_MISSING, PD_FAILED)           /* A data file of the program is missing. */                                  \
    X(ENCODER_UNAVAILABLE, PD_FAILED)    /* FFmpeg lacks the video encoder. */                                         \
    X(STANDARD_OUTPUT_CLOSED, PD_FAILED) /* The reader of standard output has closed it. */                            \
    X(SCENE_UNKNOWN, PD_BAD_INPUT)       /* No file and no bundled scene has the name. */                              \
    X(RECORDING_EXISTS, PD_BAD_INPUT)    /* The file of a recording exists, or another process writes it. */

enum {
    PD_BEFORE_PROGRAM_ERRORS = PD_ERROR_PROGRAM - 1,
#define X(name, result) PD_ERROR_##name,
    PD_PROGRAM_ERROR_CODES(X)
#undef X
};

/* Fills *error with a code and a message, unless `error` is NULL. Returns pd_error_result(code). */
pd_result pd_fail(pd_error *error, int code, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Fills *error with OUT_OF_MEMORY and the message "no memory for PURPOSE (close other programs)". Returns its result. */
pd_result pd_fail_memory(pd_error *error, const char *purpose);
/* Returns the result that a function with this error code returns, and PD_FAILED for an unknown code. */
pd_result pd_error_result(int code);
/* Returns the name of an error code ("SCENE_KEY"), and "" for an unknown code. */
const char *pd_error_name(int code);

/* Aborts with a message if the condition is false: a programming error. Release builds check too. */
#define PD_ASSERT(condition) ((condition) ? (void)0 : pd_abort_on_failed_assert(#condition, __FILE__, __LINE__))
_Noreturn void pd_abort_on_failed_assert(const char *condition, const char *file, int line);
/* Aborts with the function's name and the valid indices if a caller passes an index out of range. noun: name of an
 * indexed object for the message ("property"). */
#define PD_ASSERT_INDEX(noun, index, count)                                                                            \
    ((index) >= 0 && (index) < (count) ? (void)0 : pd_abort_on_bad_index(__func__, noun, index, count))
_Noreturn void pd_abort_on_bad_index(const char *function, const char *noun, int index, int count);

#endif
