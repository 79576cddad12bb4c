/* Results and errors.
 *
 * A function that can fail (creating, resizing, setting, loading, saving) returns a pd_result. On failure it fills
 * *error, unless error is NULL, with a code and one line of text: what failed, why, and what to do. Stepping a world
 * cannot fail. */
#ifndef PUDDLE_RESULT_H
#define PUDDLE_RESULT_H

#ifdef __cplusplus
extern "C" {
#endif

/* The values are the exit codes of the program. */
typedef enum pd_result {
    PD_OK = 0,
    PD_FAILED = 1,    /* a fault of the machine: memory, disk, graphics */
    PD_BAD_INPUT = 2, /* a fault of the input: files, values, usage */
} pd_result;

/* Error codes, so that programs need not parse messages. X(NAME, result of the function that fails with it) */
#define PD_ERROR_CODES(X)                                                                                              \
    X(NONE, PD_OK)                                                                                                     \
    X(OUT_OF_MEMORY, PD_FAILED)                                                                                        \
    X(THREADS_UNAVAILABLE, PD_FAILED)                                                                                  \
    X(FILE_UNREADABLE, PD_BAD_INPUT)                                                                                   \
    X(FILE_UNWRITABLE, PD_FAILED)                                                                                      \
    X(GRAPHICS_UNAVAILABLE, PD_FAILED)                                                                                 \
    X(DISPLAY_UNAVAILABLE, PD_FAILED)                                                                                  \
    X(SHADER_BROKEN, PD_FAILED)                                                                                        \
    X(DATA_MISSING, PD_FAILED)                                                                                         \
    X(ENCODER_UNAVAILABLE, PD_FAILED)                                                                                  \
    X(SCENE_SYNTAX, PD_BAD_INPUT)                                                                                      \
    X(SCENE_VERSION, PD_BAD_INPUT)                                                                                     \
    X(SCENE_KEY, PD_BAD_INPUT)                                                                                         \
    X(SCENE_TYPE, PD_BAD_INPUT)                                                                                        \
    X(SCENE_VALUE, PD_BAD_INPUT)                                                                                       \
    X(SCENE_REFERENCE, PD_BAD_INPUT)                                                                                   \
    X(SCENE_TOO_LARGE, PD_BAD_INPUT)                                                                                   \
    X(SCENE_UNKNOWN, PD_BAD_INPUT)                                                                                     \
    X(METHOD_UNKNOWN, PD_BAD_INPUT)                                                                                    \
    X(PARAMETER_UNKNOWN, PD_BAD_INPUT)                                                                                 \
    X(PARAMETER_VALUE, PD_BAD_INPUT)                                                                                   \
    X(SNAPSHOT_BROKEN, PD_BAD_INPUT)                                                                                   \
    X(SNAPSHOT_VERSION, PD_BAD_INPUT)                                                                                  \
    X(LOG_BROKEN, PD_BAD_INPUT)                                                                                        \
    X(LOG_VERSION, PD_BAD_INPUT)                                                                                       \
    X(RECORDING_EXISTS, PD_BAD_INPUT)                                                                                  \
    X(USAGE, PD_BAD_INPUT)

typedef enum pd_error_code {
#define X(name, result) PD_ERROR_##name,
    PD_ERROR_CODES(X)
#undef X
} pd_error_code;

typedef struct pd_error {
    pd_error_code code;
    char message[512]; /* one line without a line end; for scenes it begins with file:line:column */
} pd_error;

#ifdef __cplusplus
}
#endif
#endif
