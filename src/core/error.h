/* Filling a pd_error. */
#ifndef PUDDLE_CORE_ERROR_H
#define PUDDLE_CORE_ERROR_H

#include <puddle/result.h>

/* Fills *error (when it is not NULL) and returns the result that belongs to the item. */
pd_result pd_fail(pd_error *error, pd_item item, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* The result that belongs to an item. */
pd_result pd_item_result(pd_item item);
/* "SCENE_KEY" */
const char *pd_item_name(pd_item item);

/* A programmer's mistake: says where and aborts. Present in release builds too; costs a compare. */
#define PD_ASSERT(condition) ((condition) ? (void)0 : pd_assert_failed(#condition, __FILE__, __LINE__))
_Noreturn void pd_assert_failed(const char *condition, const char *file, int line);

#endif
