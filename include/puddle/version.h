/** @file
 * Version of the library, and the macro PD_API that exports its functions.
 */
#ifndef PUDDLE_VERSION_H
#define PUDDLE_VERSION_H

#ifdef __cplusplus
extern "C" {
#endif

/** Exports a function from the library. All other symbols of the library are hidden. */
#if defined(__GNUC__)
#define PD_API __attribute__((visibility("default")))
#else
#define PD_API
#endif

/** @name Version of the headers
 * Libraries with the same major and minor version run the same programs (see Compatibility in puddle.h).
 * @{ */
#define PD_VERSION_MAJOR 0       /**< Major version. */
#define PD_VERSION_MINOR 1       /**< Minor version. */
#define PD_VERSION_PATCH 0       /**< Patch version. */
#define PD_VERSION       "0.1.0" /**< The version as text. */
/** @} */

/** Returns the version of the library that the program runs with: "0.1.0". */
PD_API const char *pd_version(void);

#ifdef __cplusplus
}
#endif
#endif
