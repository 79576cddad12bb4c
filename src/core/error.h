/* Filling a pd_error. */
#ifndef PUDDLE_CORE_ERROR_H
#define PUDDLE_CORE_ERROR_H

#include <puddle/result.h>

/* Fills *error (when it is not NULL) and returns the result that belongs to the error code. */
pd_result pd_fail(pd_error *error, pd_error_code code, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* The result that belongs to an error code. */
pd_result pd_error_result(pd_error_code code);
/* "SCENE_KEY" */
const char *pd_error_name(pd_error_code code);

/* Checks against programming errors: prints the condition and its place, and aborts. Also in release builds; costs a
 * comparison. */
#define PD_ASSERT(condition) ((condition) ? (void)0 : pd_assert_failed(#condition, __FILE__, __LINE__))
_Noreturn void pd_assert_failed(const char *condition, const char *file, int line);

#endif
