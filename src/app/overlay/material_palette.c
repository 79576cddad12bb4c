/* The palette of materials: ready materials by name, and colours for a new material. */
#include "app/overlay/interface.h"

#include "core/oklab.h"
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const float PADDING = 12, SPACE = 2; /* units: inner margin, gap between buttons */
/* units: width and height of a ready material, side of its swatch; size of a colour; height of the heading */
static const float WIDE_ROOM = 560; /* units: width of the picture below which the palette is narrow */
static const float TILE_WIDTH = 96, TILE = 28, SWATCH = 15, COLOUR = 26, HEADING = 18;

enum { MOST_COLUMNS = 3, LEAST_COLUMNS = 2, HUES = 9, SHADES = 3, COLOURS = HUES * SHADES };

/* The colours lie on a regular grid of hue, lightness and chroma in OKLab. A colour's name is shade + hue: "light red". */
static const char *const hues[HUES] = {"red",  "orange", "yellow", "green", "turquoise",
                                       "blue", "violet", "pink",   "grey"};
static const double angles[HUES] = {25, 55, 95, 145, 195, 255, 300, 350, 0};
static const double lightness[SHADES] = {0.82, 0.66, 0.46}, chroma[SHADES] = {0.11, 0.19, 0.13};
static const char *const shades[SHADES] = {"light ", "", "dark "};

/* Computes the colour index = shade * HUES + hue. A colour outside sRGB becomes greyer until it is inside. */
static void colour_of(int index, uint8_t rgb[3]) {
    int hue = index % HUES, shade = index / HUES;
    double linear[3], c = hue == HUES - 1 ? 0 : chroma[shade], angle = angles[hue] * 0.017453292519943295;
    for (bool inside = false; !inside; c -= 0.005) {
        inside = true;
        pd_oklab_to_linear((double[]){lightness[shade], c * cos(angle), c * sin(angle)}, linear);
        for (int k = 0; k < 3; k++) inside &= c <= 0 || (linear[k] >= 0 && linear[k] <= 1);
    }
    for (int k = 0; k < 3; k++) rgb[k] = (uint8_t)(255 * fmin(fmax(pd_linear_to_srgb(linear[k]), 0), 1) + 0.5);
}

static char *name_of(int index, char *text, size_t size) {
    snprintf(text, size, "%s%s", shades[index / HUES], hues[index % HUES]);
    return text;
}

/* Sets the palette's place for a number of columns of ready materials: beside the tool bar, with its lower edge at `foot`. A
 * small window has a smaller palette, which scrolls. */
static void place_palette(const pd_screen *screen, int columns, float foot) {
    pd_material_palette *palette = &screen->viewport->material_palette;
    float top = screen->layout.top + THEME_EDGE, low = screen->layout.height - screen->layout.strip - THEME_EDGE;
    float rows = (float)((pd_ready_material_count() + columns - 1) / columns), x = screen->layout.left;
    float width = (float)columns * TILE_WIDTH + 2 * PADDING, end = screen->layout.right;
    float height = 2 * PADDING + rows * (TILE + SPACE) + HEADING + SHADES * (COLOUR + SPACE);
    palette->columns = columns;
    x += x > 0 ? THEME_GAP : THEME_EDGE;
    if (end < x + LEAST_COLUMNS * TILE_WIDTH + 2 * PADDING)
        end = screen->layout.width; /* over a panel without room beside it */
    palette->plate = (pd_plate){x, 0, fminf(width, end - x - THEME_EDGE), fminf(height, low - top)};
    palette->plate.y = fmaxf(fminf(foot, low) - palette->plate.height, top);
}

/* Sets the palette's place where it leaves the container free: as wide and as near to its button as possible. If there is no
 * such place, the palette is beside the lower end of the tool bar. */
static void update_place(const pd_screen *screen) {
    pd_viewport *viewport = screen->viewport;
    const pd_plate *bar = &screen->layout.tools;
    float window = screen->layout.height, foot = 0.5f * window;
    if (screen->layout.left > 0) foot = bar->y + bar->height;
    const float feet[] = {foot, window, 0};
    for (int columns = MOST_COLUMNS; columns >= LEAST_COLUMNS; columns--)
        for (int i = 0; i < 3; i++) {
            place_palette(screen, columns, feet[i]);
            if (!pd_plate_covers_container(screen, &viewport->material_palette.plate)) return;
        }
    place_palette(screen, screen->layout.right < WIDE_ROOM ? LEAST_COLUMNS : MOST_COLUMNS, foot);
}

static bool is_open(const pd_screen *screen) { return screen->viewport->material_palette.open; }
static void close_palette(pd_screen *screen) { screen->viewport->material_palette.open = false; }

/* Closes the palette by a press beside it, which has no other effect. ImGui handles presses on the palette. */
static bool handle_press(pd_screen *screen, bool left) {
    (void)left;
    if (!is_open(screen)) return false;
    if (pd_plate_contains(&screen->viewport->material_palette.plate, screen->x, screen->y)) return true;
    close_palette(screen);
    ui_hide_last_press(screen->gui);
    return true;
}

/* Pours a ready material, or from index pd_ready_material_count() on a new material of a colour. Closes the palette. */
static void choose(pd_screen *screen, int index) {
    pd_material_palette *palette = &screen->viewport->material_palette;
    char name[32];
    uint8_t rgb[3];
    int colour = index - pd_ready_material_count();
    close_palette(screen);
    pd_session_end_seek_and_rewind(screen->session);
    if (colour < 0) {
        pd_session_add_ready_material(screen->session, index);
        return;
    }
    colour_of(colour, rgb);
    if (!pd_session_add_material(screen->session, name_of(colour, name, sizeof name), rgb)) return;
    const pd_scene *scene = pd_world_scene(screen->session->world);
    snprintf(palette->newest, sizeof palette->newest, "%s", scene->materials[scene->material_count - 1].name);
    screen->viewport->panel = palette->scrolls_to_newest = true; /* opens the panel with the new material's sliders */
}

/* Returns the index of the tile that an arrow key highlights, from the tile `from`. Tiles: ready materials in rows of
 * `columns`, then colours in rows of HUES. */
static int find_neighbour(int from, int code, int columns) {
    int ready = pd_ready_material_count(), to = from, colour = from - ready;
    int last_row = (ready - 1) / columns * columns; /* first ready material of the last row */
    if (code == PD_KEY_LEFT) to = from - 1;
    if (code == PD_KEY_RIGHT) to = from + 1;
    if (code == PD_KEY_DOWN) to = colour >= 0 ? from + HUES : from + columns;
    if (code == PD_KEY_UP && colour >= HUES) to = from - HUES;
    if (code == PD_KEY_UP && colour < 0) to = from - columns;
    if (code == PD_KEY_UP && colour >= 0 && colour < HUES) {
        to = last_row + colour * columns / HUES;
        if (to >= ready) to = ready - 1;
    }
    if (code == PD_KEY_DOWN && colour < 0 && to >= ready) to = ready + from % columns * HUES / columns;
    return to >= 0 && to < ready + COLOURS ? to : from;
}

/* Handles the arrow keys and Enter. The other keys are those of the window. */
static bool handle_key(pd_screen *screen, int code, int modifiers, bool repeats) {
    pd_material_palette *palette = &screen->viewport->material_palette;
    bool arrow = code == PD_KEY_LEFT || code == PD_KEY_RIGHT || code == PD_KEY_UP || code == PD_KEY_DOWN;
    if (!is_open(screen) || modifiers || (!arrow && code != PD_KEY_ENTER)) return false;
    if (palette->columns == 0) update_place(screen); /* a key before the first frame of the palette */
    if (arrow && palette->columns > 0)
        palette->chosen = palette->chosen < 0 ? 0 : find_neighbour(palette->chosen, code, palette->columns);
    if (!arrow && palette->chosen >= 0 && !repeats) choose(screen, palette->chosen);
    return true;
}

static bool draw_ready_material(pd_screen *screen, int index, float width) {
    const pd_material *material = &pd_ready_material_at(index)->material;
    ui *gui = screen->gui;
    char target[UI_TARGET_NAME], help[128];
    float rgb[3] = {(float)material->red / 255, (float)material->green / 255, (float)material->blue / 255};
    snprintf(target, sizeof target, "Palette: %s", material->name);
    snprintf(help, sizeof help, "%s", pd_ready_material_at(index)->about);
    *help = (char)toupper((unsigned char)*help);
    bool chosen = index == screen->viewport->material_palette.chosen;
    ui_push push = {.name = target, .help = help, .width = width, .height = TILE, .chosen = chosen};
    bool pressed = ui_draw_push_button(gui, &push);
    float left = push.x - 0.5f * width + 7, top = push.y - 0.5f * ui_line_height(gui, UI_NORMAL);
    ui_set_layer(gui, UI_INSIDE);
    ui_draw_box(gui, left, push.y - 0.5f * SWATCH, SWATCH, SWATCH, 4, rgb, 1);
    ui_draw_text(gui, left + SWATCH + 8, top, UI_NORMAL, UI_PLAIN, 1, 0, material->name);
    return pressed;
}

static bool draw_colour(pd_screen *screen, int index, float width) {
    char target[UI_TARGET_NAME], help[PD_MAX_NAME + 64], name[32];
    uint8_t bytes[3];
    bool chosen = index + pd_ready_material_count() == screen->viewport->material_palette.chosen;
    colour_of(index, bytes);
    name_of(index, name, sizeof name);
    float rgb[3] = {(float)bytes[0] / 255, (float)bytes[1] / 255, (float)bytes[2] / 255};
    snprintf(target, sizeof target, "Palette: %s", name);
    snprintf(help, sizeof help, "%c%s; behaves like %s", toupper((unsigned char)*name), name + 1,
             pd_world_scene(screen->session->world)->materials[0].name);
    ui_push push = {.name = target, .help = help, .width = width, .height = COLOUR, .rgb = rgb, .chosen = chosen};
    return ui_draw_push_button(screen->gui, &push);
}

/* Draws the buttons. Returns the index of the pressed one. -1: none. */
static int draw_buttons(pd_screen *screen, float width) {
    ui *gui = screen->gui;
    int pressed = -1, ready = pd_ready_material_count(), columns = screen->viewport->material_palette.columns;
    for (int i = 0; i < ready; i++) {
        if (i % columns) ui_same_line(gui, SPACE);
        if (draw_ready_material(screen, i, (width + SPACE) / (float)columns - SPACE)) pressed = i;
    }
    ui_add_space(gui, 0);
    ui_draw_wrapped_text(gui, UI_SMALL, UI_ACCENT, "New material of this colour");
    for (int i = 0; i < COLOURS; i++) {
        if (i % HUES) ui_same_line(gui, SPACE);
        if (draw_colour(screen, i, (width + SPACE) / HUES - SPACE)) pressed = ready + i;
    }
    return pressed;
}

static void draw(pd_screen *screen) {
    const pd_plate *plate = &screen->viewport->material_palette.plate;
    ui *gui = screen->gui;
    if (!is_open(screen)) {
        screen->viewport->material_palette.chosen = -1;
        return;
    }
    update_place(screen);
    ui_window_begin(gui, "palette", plate->x, plate->y, plate->width, plate->height, PADDING, 1);
    ui_set_widget_spacing(gui, SPACE);
    ui_scroll_begin(gui, "materials", 0);
    int pressed = draw_buttons(screen, plate->width - 2 * PADDING);
    if (pressed >= 0) choose(screen, pressed);
    ui_scroll_end(gui);
    ui_window_end(gui);
}

const pd_layer pd_material_palette_layer = {
    .is_open = is_open, .close = close_palette, .handle_press = handle_press, .handle_key = handle_key, .draw = draw};
