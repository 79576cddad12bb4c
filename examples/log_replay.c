/* A log is written while a tool stirs the fluid and the method changes. Then it is read and played: the same bits. */
#include <inttypes.h>
#include <puddle/puddle.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pd_error error;

static void check(pd_result result) {
    if (result == PD_OK) return;
    fprintf(stderr, "%s\n", error.message);
    exit(1);
}

static pd_command drag_at(float x) {
    pd_command command = {.kind = PD_COMMAND_TOOL};
    command.is.tool = pd_tool_default();
    command.is.tool.kind = PD_TOOL_DRAG;
    command.is.tool.position = (pd_vec2){x, -0.3f};
    command.is.tool.velocity = (pd_vec2){-0.5f, 0};
    command.is.tool.radius = 0.2f;
    return command;
}

/* Steps with a tool that crosses the fluid, and changes the method half way. */
static void play(pd_log *log, pd_world *world) {
    for (int tick = 0; tick < 120; tick++) {
        pd_command drag = drag_at(0.5f - (float)tick / 120);
        check(pd_log_do(log, world, &drag, &error));
        if (tick == 60) {
            pd_command method = {.kind = PD_COMMAND_METHOD};
            strcpy(method.is.method, "sph");
            check(pd_log_do(log, world, &method, &error));
        }
        pd_world_step(world);
        pd_log_end_step(log, world);
    }
}

int main(int count, char **arguments) {
    const char *path = count > 1 ? arguments[1] : "example.log";
    pd_scene scene;
    pd_world *world;
    pd_log *log;
    pd_region water = pd_region_default();
    water.area = (pd_area){.shape = PD_SHAPE_CIRCLE, .center = {0, -0.3f}, .radius = 0.5f};
    pd_scene_init(&scene);
    scene.particles = 1000;
    check(pd_scene_add_region(&scene, &water, &error));

    pd_world_def def = pd_world_def_default();
    def.scene = &scene;
    check(pd_world_create(&world, &def, &error));
    pd_scene_free(&scene);
    check(pd_log_create(&log, world, &error));
    play(log, world);
    check(pd_log_write(log, world, 0, path, &error));
    uint64_t played = pd_world_hash(world);
    pd_log_destroy(log);
    pd_world_destroy(world);

    char damage[PD_MAX_LOG_DAMAGE];
    check(pd_log_read(&log, &world, path, &def, damage, &error));
    while (pd_log_tick(log) < pd_log_end_tick(log)) {
        pd_log_replay_commands(log, world);
        pd_world_step(world);
        pd_log_end_step(log, world);
    }
    pd_log_replay_commands(log, world); /* the commands after the last step */
    uint64_t replayed = pd_world_hash(world);
    printf("played %016" PRIx64 ", replayed %016" PRIx64 "\n", played, replayed);
    pd_log_destroy(log);
    pd_world_destroy(world);
    return played == replayed ? 0 : 1;
}
