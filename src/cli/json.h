/* JSON on standard output. */
#ifndef PUDDLE_CLI_JSON_H
#define PUDDLE_CLI_JSON_H

#include <cjson/cJSON.h>
#include <puddle/puddle.h>

/* Prints and deletes a value. Returns the exit code: 1 (with a message) if memory runs out. */
int json_print(cJSON *value);
/* Creates a number with the fewest digits that restore the float: 0.1f is 0.1. */
cJSON *json_float(float value);
/* Adds "hash": pd_world_hash as 16 hexadecimal digits. */
void json_add_hash(cJSON *object, const pd_world *world);
/* Adds every column of --stats; columns that the method lacks are null. */
void json_add_statistics(cJSON *object, const pd_statistics *statistics);
/* Adds "impulse": {"container": [x, y], "obstacles": [[x, y], ...]}, the momentum that the fluid gave to its walls in
 * the last step, in the unit of momentum_x (pd_world_impulse). */
void json_add_impulse(cJSON *object, const pd_world *world);

#endif
