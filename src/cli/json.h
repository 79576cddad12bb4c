/* Prints JSON to standard output. */
#ifndef PUDDLE_CLI_JSON_H
#define PUDDLE_CLI_JSON_H

#include <cjson/cJSON.h>
#include <puddle/puddle.h>

/* Prints and deletes a JSON value. Numbers have the fewest digits that read back as the same double. Returns the exit code: 1 (with a message) if memory runs out. */
int json_print(cJSON *value);
/* Creates a JSON number with the fewest digits that read back as the same float: 0.1f is 0.1. */
cJSON *json_create_float(float value);
/* Adds "hash": pd_world_hash as 16 hexadecimal digits. */
void json_add_hash(cJSON *object, const pd_world *world);
/* Adds every column of --stats. Columns that the method lacks are null. */
void json_add_statistics(cJSON *object, const pd_statistics *statistics);
/* Adds the impulses of the last step: "impulse": {"container": [x, y], "obstacles": [[x, y], ...]}, as
 * pd_world_impulse_on_obstacle
 * returns them. */
void json_add_impulse(cJSON *object, const pd_world *world);
/* Adds statistics, impulse and hash of a world. */
void json_add_world(cJSON *object, const pd_world *world);
/* Adds "compared": an array with the method of each of two worlds and what json_add_world adds. */
void json_add_compared(cJSON *object, pd_world *const worlds[2]);

#endif
