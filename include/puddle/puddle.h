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
 * | command.h | ::pd_command: every change of a world as a value |
 * | log.h | ::pd_log: recording commands, replay, seeking, undo |
 * | method.h, parameter.h | methods with their views, fields and parameters |
 * | result.h | results and errors |
 * | machine.h | threads, instruction set |
 * | memory.h | allocator |
 * | version.h | version |
 *
 * This program simulates ten seconds and prints the positions of all particles:
 *
 *     pd_scene scene;
 *     pd_world *world;
 *     pd_view view;
 *     pd_error error;
 *     pd_result result = pd_scene_read("drop.yaml", &scene, &error);
 *     if (result == PD_OK) result = pd_world_create(&world, &scene, 0, &error);
 *     if (result != PD_OK) return puts(error.message), result;
 *     for (int i = 0; i < 600; i++) pd_world_step(world);
 *     pd_world_view(world, &view);
 *     for (int i = 0; i < view.count; i++) printf("%g %g\n", view.x[i], view.y[i]);
 *     pd_world_destroy(world);
 *     pd_scene_free(&scene);
 *
 * One thread at a time may use a world, log or scene. Different threads may use different ones at the same time.
 */
#ifndef PUDDLE_PUDDLE_H
#define PUDDLE_PUDDLE_H

#include <puddle/command.h>
#include <puddle/items.h>
#include <puddle/log.h>
#include <puddle/machine.h>
#include <puddle/memory.h>
#include <puddle/method.h>
#include <puddle/parameter.h>
#include <puddle/result.h>
#include <puddle/scene.h>
#include <puddle/version.h>
#include <puddle/view.h>
#include <puddle/world.h>

#endif
