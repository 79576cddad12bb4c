/** @file
 * libpuddle: fluids in two dimensions. Includes every public header.
 *
 * Read the headers in this order:
 *
 * | header | content |
 * |---|---|
 * | scene.h | ::pd_scene: the initial state, read from a file or built in C |
 * | items.h | adding, replacing and removing items of a scene |
 * | world.h | ::pd_world: creating, stepping, changing, saving and restoring a simulation |
 * | view.h | ::pd_view: reading particles, obstacles and fields |
 * | command.h | ::pd_command: changes of a world, stored as data |
 * | log.h | ::pd_log: recording commands, replay, seeking, undo |
 * | method.h, parameter.h | methods with their views, fields and parameters |
 * | result.h | results and errors |
 * | memory.h | allocator |
 * | version.h | version |
 *
 * This program simulates ten seconds and prints the positions of all particles:
 *
 *     pd_scene scene;
 *     pd_world_def def = pd_world_def_default();
 *     pd_world *world;
 *     pd_view view;
 *     pd_error error;
 *     pd_result result = pd_scene_read("drop.yaml", &scene, &error);
 *     def.scene = &scene;
 *     if (result == PD_OK) result = pd_world_create(&world, &def, &error);
 *     if (result != PD_OK) return puts(error.message), result;
 *     for (int i = 0; i < 600; i++) pd_world_step(world);
 *     pd_world_view(world, &view);
 *     for (int i = 0; i < view.count; i++) printf("%g %g\n", view.x[i], view.y[i]);
 *     pd_world_destroy(world);
 *     pd_scene_free(&scene);
 *
 * ## Threads
 *
 * | object | at the same time in several threads |
 * |---|---|
 * | different worlds, each with its log, its ::pd_reverse and its views | any calls |
 * | one world, its log, its ::pd_reverse and its views | one call: even functions that only read may fill caches of the world |
 * | one scene or command that no thread changes | any functions that take a const pointer |
 * | methods, parameters, ready-made materials | any functions |
 *
 * - Calls may come from different threads if the program makes them one after another.
 * - A step is one call. While a thread steps a world, the arrays of its views are not valid for other threads.
 *   Copy the arrays, or step with pd_world_step_part() and show the world between two calls.
 * - A world computes on the calling thread and pd_world_threads() - 1 threads of its own, in which signals are blocked.
 * - Call pd_scene_set_picture_reader() before other threads use the library. Scenes that are read at the same time call
 *   the reader at the same time.
 *
 * Results do not depend on the activity of other threads. The library sets neither locale nor signals of the program.
 *
 * ## Compatibility
 *
 * Within a minor version functions, values and members do not change name, meaning or offset. So a program runs with every
 * later library of the minor version without being compiled again.
 * Only these structs may get new members, at their end: ::pd_method_info, ::pd_parameter, ::pd_view_mode, ::pd_number_info,
 * ::pd_ready_material, ::pd_field, ::pd_view, ::pd_statistics, ::pd_substep_cost, ::pd_profile and ::pd_world_def, which
 * are used by pointer or passed with their size. ::pd_scene may get new members in place of `reserved`.
 * The items of a scene's lists get no new members: the arrays of a ::pd_scene have items of the size in the headers of
 * the library's minor version. Only an item passed to pd_scene_add_item() or pd_scene_set_item() may be shorter or longer.
 * The SONAME contains the number of the binary interface (`libpuddle.so.0`). A minor version that changes the interface
 * raises the number: with another SONAME a program must be compiled again.
 */
#ifndef PUDDLE_PUDDLE_H
#define PUDDLE_PUDDLE_H

#include <puddle/command.h>
#include <puddle/items.h>
#include <puddle/log.h>
#include <puddle/memory.h>
#include <puddle/method.h>
#include <puddle/parameter.h>
#include <puddle/result.h>
#include <puddle/scene.h>
#include <puddle/version.h>
#include <puddle/view.h>
#include <puddle/world.h>

#endif
