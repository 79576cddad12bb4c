/* libpuddle: fluids in two dimensions. Read in this order: scene.h (initial state), world.h (simulation), command.h and log.h
 * (input as values, replay), view.h (reading particles and fields), method.h and parameter.h (methods and their parameters),
 * result.h (errors), machine.h (threads, instruction set). */
#ifndef PUDDLE_PUDDLE_H
#define PUDDLE_PUDDLE_H

#include <puddle/command.h>
#include <puddle/log.h>
#include <puddle/machine.h>
#include <puddle/method.h>
#include <puddle/parameter.h>
#include <puddle/result.h>
#include <puddle/scene.h>
#include <puddle/view.h>
#include <puddle/world.h>

#endif
