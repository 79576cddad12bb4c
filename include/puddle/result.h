/** @file
 * Results and errors.
 *
 * A function that can fail returns a ::pd_result.
 * Creating, setting, reading, writing, saving and restoring can fail. Stepping a world cannot fail.
 *
 * On failure the function fills `*error`, unless `error` is NULL.
 * Comments list the possible codes after "Errors:", without the prefix `PD_ERROR_`. `SCENE_*` stands for all codes
 * that begin with `SCENE_`.
 *
 * Indices out of range, and NULL where no comment allows NULL, are errors of the calling program.
 * - A function that returns a ::pd_result refuses an index with USAGE, or with the code that its comment lists.
 * - Any other function ends the program with a message, unless its comment says what the function returns.
 *
 * Values of enums, such as ::pd_property, count as indices. Pointers are not checked for NULL.
 */
#ifndef PUDDLE_RESULT_H
#define PUDDLE_RESULT_H

#include <puddle/version.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Result of a function. */
typedef enum pd_result {
    PD_OK = 0,        /**< Success. */
    PD_FAILED = 1,    /**< Failure of the machine: memory, disk, threads. */
    PD_BAD_INPUT = 2, /**< Error in the input: files, values, usage. */
} pd_result;

/** Lists the error codes as `X(name, result of a failing function)`. */
#define PD_ERROR_CODES(X)                                                                                              \
    X(NONE, PD_OK)                     /**< No error. */                                                               \
    X(OUT_OF_MEMORY, PD_FAILED)        /**< Memory ran out. */                                                         \
    X(THREADS_UNAVAILABLE, PD_FAILED)  /**< The system gave fewer threads than requested. */                           \
    X(FILE_UNREADABLE, PD_BAD_INPUT)   /**< The file is missing, a folder, too large or not permitted. */              \
    X(FILE_UNWRITABLE, PD_FAILED)      /**< The file cannot be written: path, permission or space. */                  \
    X(SCENE_SYNTAX, PD_BAD_INPUT)      /**< The scene is not YAML, or uses YAML that scene files do not support. */    \
    X(SCENE_VERSION, PD_BAD_INPUT)     /**< The scene has another format version. */                                   \
    X(SCENE_KEY, PD_BAD_INPUT)         /**< A key is unknown, missing, repeated or without effect. */                  \
    X(SCENE_TYPE, PD_BAD_INPUT)        /**< A value has the wrong type. */                                             \
    X(SCENE_VALUE, PD_BAD_INPUT)       /**< A value is out of range or contradicts another. */                         \
    X(SCENE_REFERENCE, PD_BAD_INPUT)   /**< A material or item that is referred to does not exist, or is in use. */    \
    X(SCENE_TOO_LARGE, PD_BAD_INPUT)   /**< A list, image or number of particles exceeds its limit. */                 \
    X(METHOD_UNKNOWN, PD_BAD_INPUT)    /**< No method has the name. */                                                 \
    X(PARAMETER_UNKNOWN, PD_BAD_INPUT) /**< No parameter has the key. */                                               \
    X(PARAMETER_VALUE, PD_BAD_INPUT)   /**< The value of a parameter is out of range or not a value of its type. */    \
    X(SNAPSHOT_BROKEN, PD_BAD_INPUT)   /**< The snapshot is damaged, cut short or another kind of file. */             \
    X(SNAPSHOT_VERSION, PD_BAD_INPUT)  /**< The snapshot has a version that this puddle does not read. */              \
    X(LOG_BROKEN, PD_BAD_INPUT)        /**< The log or command is damaged, or another kind of file. */                 \
    X(LOG_VERSION, PD_BAD_INPUT)       /**< The log has a version that this puddle does not read. */                   \
    X(USAGE, PD_BAD_INPUT)             /**< An option, argument or call is not allowed here. */

#define X(name, result) PD_ERROR_##name,
/** Code of an error, for programs to test. Messages are for people. */
typedef enum pd_error_code {
    PD_ERROR_CODES(X) PD_ERROR_PROGRAM = 1000, /**< First code for a program's own errors. */
} pd_error_code;
#undef X

/** An error: what failed, why, and what to do. */
typedef struct pd_error {
    pd_error_code code; /**< Code of the error. */
    char message[512];  /**< One line without a line end. Messages about scene files begin with file:line:column. */
} pd_error;

#ifdef __cplusplus
}
#endif
#endif
