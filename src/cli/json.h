/* Prints JSON to standard output. */
#ifndef PUDDLE_CLI_JSON_H
#define PUDDLE_CLI_JSON_H

#include <cjson/cJSON.h>
#include <puddle/puddle.h>

/* Prints and deletes a JSON value. Numbers have the fewest digits that read back as the same double. Returns the exit
 * code: 0, or 1 (with a message) if memory runs out. */
int json_print(cJSON *value);
/* Creates a JSON number with the fewest digits that read back as the same float: 0.1f is 0.1. */
cJSON *json_create_float(float value);
/* Adds the key "hash" with pd_world_hash(world) as 16 hexadecimal digits. */
void json_add_world_hash(cJSON *object, const pd_world *world);
/* Adds a key for every column of --stats. Quantities that the method lacks are null. */
void json_add_statistics(cJSON *object, const pd_statistics *statistics);
/* Adds the impulses on the walls in the last step (pd_world_impulse_on_obstacle):
 * "impulse": {"container": [x, y], "obstacles": [[x, y], ...]}. */
void json_add_wall_impulses(cJSON *object, const pd_world *world);
/* Adds the key "bodies": an array with an object for each body, with the columns of the bodies in --state. */
void json_add_bodies(cJSON *object, const pd_world *world);
/* Adds what json_add_statistics, json_add_wall_impulses, json_add_bodies and json_add_world_hash add for a world. */
void json_add_world(cJSON *object, const pd_world *world);
/* Adds the key "compared": an array with an object for each of two worlds, which has the method's name and what
 * json_add_world adds. */
void json_add_compared_worlds(cJSON *object, pd_world *const worlds[2]);

#endif
