/* Fluid in an SDL loop of one's own: particles as points, the mouse drags, the space bar changes the method.
 * sdl_window N ends after N frames. */
#include <puddle/puddle.h>
#include <SDL.h>
#include <stdlib.h>

enum { SIDE = 600 }; /* pixels; the container of 2 m fills the window */

static pd_vec2 place(int x, int y) { return (pd_vec2){2.0f * (float)x / SIDE - 1, 1 - 2.0f * (float)y / SIDE}; }

static void drag(pd_world *world, pd_vec2 *last) {
    int x, y;
    pd_tool tool = pd_tool_default();
    bool pressed = SDL_GetMouseState(&x, &y) & SDL_BUTTON_LMASK;
    pd_vec2 now = place(x, y);
    float dt = pd_world_scene(world)->dt;
    if (pressed) {
        tool.kind = PD_TOOL_DRAG;
        tool.position = now;
        tool.velocity = (pd_vec2){(now.x - last->x) / dt, (now.y - last->y) / dt};
        tool.radius = 0.2f;
    }
    pd_world_set_tool(world, &tool);
    *last = now;
}

static void next_method(pd_world *world) {
    for (int i = 0; i < pd_method_count(); i++) {
        if (pd_method_at(i) != pd_world_method(world)) continue;
        pd_error error;
        const char *name = pd_method_at((i + 1) % pd_method_count())->name;
        if (pd_world_set_method(world, name, &error) != PD_OK) SDL_Log("%s", error.message);
        return;
    }
}

static void draw(SDL_Renderer *renderer, const pd_world *world) {
    pd_view view;
    pd_world_view(world, &view);
    SDL_SetRenderDrawColor(renderer, 10, 12, 20, 255);
    SDL_RenderClear(renderer);
    SDL_SetRenderDrawColor(renderer, 58, 143, 255, 255);
    for (int i = 0; i < view.count; i++) {
        SDL_Rect dot = {(int)((view.x[i] + 1) * SIDE / 2) - 2, (int)((1 - view.y[i]) * SIDE / 2) - 2, 5, 5};
        SDL_RenderFillRect(renderer, &dot);
    }
    SDL_RenderPresent(renderer);
}

int main(int count, char **arguments) {
    int frames = count > 1 ? atoi(arguments[1]) : -1;
    pd_error error;
    pd_scene scene;
    pd_world *world = NULL;
    pd_region water = pd_region_default();
    water.area = (pd_area){.shape = PD_SHAPE_BOX, .center = {-0.2f, 0}, .size = {0.9f, 0.9f}};
    pd_scene_init(&scene);
    scene.particles = 2000;
    pd_world_def def = pd_world_def_default();
    def.scene = &scene;
    pd_result result = pd_scene_add_region(&scene, &water, &error);
    if (result == PD_OK) result = pd_world_create(&world, &def, &error);
    pd_scene_free(&scene);
    SDL_Window *window = NULL;
    SDL_Renderer *renderer = NULL;
    if (result != PD_OK)
        SDL_Log("%s", error.message);
    else if (SDL_Init(SDL_INIT_VIDEO) || SDL_CreateWindowAndRenderer(SIDE, SIDE, 0, &window, &renderer))
        SDL_Log("%s", SDL_GetError());

    pd_vec2 pointer = {0, 0};
    for (bool open = renderer != NULL; open && frames-- != 0;) {
        for (SDL_Event event; SDL_PollEvent(&event);) {
            if (event.type == SDL_QUIT) open = false;
            if (event.type == SDL_KEYDOWN && event.key.keysym.sym == SDLK_SPACE) next_method(world);
        }
        drag(world, &pointer);
        pd_world_step(world);
        draw(renderer, world);
        SDL_Delay(1);
    }
    int left = renderer ? 0 : 1;
    SDL_DestroyRenderer(renderer);
    SDL_DestroyWindow(window);
    SDL_Quit();
    pd_world_destroy(world);
    return left;
}
