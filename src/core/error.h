/* Filling a pd_error. */
#ifndef PUDDLE_CORE_ERROR_H
#define PUDDLE_CORE_ERROR_H

#include <puddle/result.h>

/* Error codes of the program, from PD_ERROR_PROGRAM on: X(name, result of a failing function). Their names are in the
 * JSON of the window and of `puddle check`. */
#define PD_PROGRAM_ERROR_CODES(X)                                                                                      \
    X(GRAPHICS_UNAVAILABLE, PD_FAILED) /* The machine has no OpenGL of the required version. */                        \
    X(DISPLAY_UNAVAILABLE, PD_FAILED)  /* The window has no display. */                                                \
    X(SHADER_BROKEN, PD_FAILED)        /* A shader does not compile or link. */                                        \
    X(DATA_MISSING, PD_FAILED)         /* A data file of the program is missing. */                                    \
    X(ENCODER_UNAVAILABLE, PD_FAILED)  /* FFmpeg lacks the video encoder. */                                           \
    X(SCENE_UNKNOWN, PD_BAD_INPUT)     /* No file and no bundled scene has the name. */                                \
    X(RECORDING_EXISTS, PD_BAD_INPUT)  /* The place of a recording is occupied. */

enum {
    PD_BEFORE_PROGRAM_ERRORS = PD_ERROR_PROGRAM - 1,
#define X(name, result) PD_ERROR_##name,
    PD_PROGRAM_ERROR_CODES(X)
#undef X
};

/* Fills *error (when it is not NULL) and returns the result that belongs to the error code. */
pd_result pd_fail(pd_error *error, int code, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* The result that belongs to an error code. PD_FAILED: the code is unknown, as those of a program that embeds the library. */
pd_result pd_error_result(int code);
/* "SCENE_KEY". "": the code is unknown. */
const char *pd_error_name(int code);

/* Checks against programming errors: prints the condition and its place, and aborts. Also in release builds; costs a
 * comparison. */
#define PD_ASSERT(condition) ((condition) ? (void)0 : pd_assert_failed(#condition, __FILE__, __LINE__))
_Noreturn void pd_assert_failed(const char *condition, const char *file, int line);
/* Checks the index that a program gives to a public function: prints the function and the valid indices, and aborts.
 * noun: "property", as in "no property 99". */
#define PD_ASSERT_INDEX(noun, index, count)                                                                            \
    ((index) >= 0 && (index) < (count) ? (void)0 : pd_index_failed(__func__, noun, index, count))
_Noreturn void pd_index_failed(const char *function, const char *noun, int index, int count);

#endif
