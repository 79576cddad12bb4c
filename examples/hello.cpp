// A jet fills a round container: the library from C++, with owners that free scene and world.
#include <cstdio>
#include <memory>
#include <puddle/puddle.h>
#include <stdexcept>

static pd_error error;

static void check(pd_result result) {
    if (result != PD_OK) throw std::runtime_error(error.message);
}

struct Scene : pd_scene {
    Scene() { pd_scene_init(this); }
    ~Scene() { pd_scene_free(this); }
    Scene(const Scene &) = delete;
    Scene &operator=(const Scene &) = delete;
};
using World = std::unique_ptr<pd_world, decltype(&pd_world_destroy)>;

static World create(const pd_scene &scene) {
    pd_world *world;
    pd_world_def def = pd_world_def_default();
    def.scene = &scene;
    check(pd_world_create(&world, &def, &error));
    return {world, pd_world_destroy};
}

int main() try {
    Scene scene;
    pd_emitter jet = pd_emitter_default();
    jet.position = {0, 0.8f};
    jet.direction = {0, -1};
    jet.speed = 1;
    jet.width = 0.2f;
    jet.rate = 300;
    check(pd_scene_add_emitter(&scene, &jet, &error));

    World world = create(scene);
    for (int i = 0; i < 300; i++) pd_world_step(world.get());
    std::printf("%d particles after %.1f s\n", pd_world_particles(world.get()), pd_world_time(world.get()));
    return 0;
} catch (const std::exception &fault) {
    std::fprintf(stderr, "%s\n", fault.what());
    return 1;
}
