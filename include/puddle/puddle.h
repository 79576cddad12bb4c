/* libpuddle: fluids in two dimensions. Read in this order: scene.h (what a world starts from), world.h (running it),
 * view.h (looking at it), parameter.h (what can be turned), result.h (errors), machine.h (threads, instruction set). */
#ifndef PUDDLE_PUDDLE_H
#define PUDDLE_PUDDLE_H

#include <puddle/machine.h>
#include <puddle/method.h>
#include <puddle/parameter.h>
#include <puddle/result.h>
#include <puddle/scene.h>
#include <puddle/view.h>
#include <puddle/world.h>

#endif
