/* Places of the interface, computed from the size of the window, what is open, and the number of panes. */
#include "app/overlay/interface.h"

#include <math.h>

static const float BAR = 38;                        /* units: height of the bar at the top */
static const float PANEL = 336, PANEL_PART = 0.58f; /* units: width of the panel; most width / width of the window */
static const float LEAST_TOOLS = 240;               /* units: least width beside the panel for the tool bar */
/* The height of the graph is a part of the window's height, within limits in units. */
static const float GRAPH_PART = 0.27f, LEAST_GRAPH = 110, MOST_GRAPH = 300;
static const float LEAST_GRAPH_WINDOW = 460; /* units: height of a window below which there is no graph */
static const float LEAST_LEGEND_WIDTH = 180, LEAST_LEGEND_HEIGHT = 160; /* units: size of a pane without a legend */
/* Longest scale bar / width of the pane; width of a pane below which it has no scale bar, units. */
static const float RULER_PART = 0.3f, LEAST_RULED = 340;

/* ---- Bars ---- */

float pd_layout_graph_height(float picture_height) {
    if (picture_height < LEAST_GRAPH_WINDOW) return 0;
    return fminf(fmaxf(GRAPH_PART * picture_height, LEAST_GRAPH), MOST_GRAPH);
}

/* Returns the height of the tools in this number of columns. The last button opens the palette of materials. */
static float tools_height(int columns) {
    return (float)(PD_BAR_TOOLS / columns + 1) * (TOOL_BUTTON + TOOL_SPACE) - TOOL_SPACE + 2 * TOOL_PADDING;
}

/* Returns the height of this number of rows of swatches, with the gap above. */
static float swatches_height(int rows) {
    return rows > 0 ? TOOL_SWATCHES_GAP + (float)rows * (TOOL_SWATCH + TOOL_SPACE) - TOOL_SPACE : 0;
}

/* Places the tool bar between bar and strip. Sets layout->left. */
static void place_tools(pd_layout *layout, const pd_viewport *viewport, const pd_session *session) {
    float top = layout->top + THEME_EDGE, foot = layout->height - layout->bottom - THEME_EDGE, room = foot - top;
    bool pours = pd_bar_tool_row(session->tool)->needs_material; /* a swatch for each material */
    int count = pours ? pd_world_scene(session->world)->material_count : 0, rows = (count + 1) / 2;
    int columns = room >= tools_height(1) + swatches_height(1) ? 1 : room >= tools_height(2) ? 2 : 3;
    float tools = tools_height(columns);
    float width = (float)columns * (TOOL_BUTTON + TOOL_SPACE) - TOOL_SPACE + 2 * TOOL_PADDING;
    while (rows > 0 && tools + swatches_height(rows) > room) rows--;
    float height = tools + swatches_height(rows);
    float y = fmaxf(0.5f * (top + foot - tools), top); /* buttons do not move when swatches are added */
    layout->columns = columns;
    layout->swatches = (int)fminf((float)count, (float)(2 * rows));
    layout->tools = (pd_plate){THEME_EDGE, fmaxf(fminf(y, foot - height), top), width, height};
    bool shown = viewport->bars && room >= tools && layout->right >= LEAST_TOOLS;
    layout->left = shown ? THEME_EDGE + width : 0;
}

/* ---- Panes ---- */

/* Places a pane from `left` to `right`, with its scale bar and legend. */
static void place_pane(pd_screen *screen, int index, float left, float right) {
    pd_layout *layout = &screen->layout;
    const pd_viewport *viewport = screen->viewport;
    const pd_picture_switches *switches = &viewport->switches;
    float scale = screen->display->scale;
    pd_pane pane = {.world = index ? screen->session->second.world : screen->session->world,
                    .view = index ? &viewport->panes.view : &viewport->view,
                    .mode = index ? viewport->panes.mode : viewport->mode,
                    .left = left,
                    .right = right,
                    .begin = index ? (int)lroundf(left * scale) : 0,
                    .end = (int)lroundf(right * scale),
                    .legend_place = {right, layout->height - layout->bottom, right - left, layout->height}};
    pane.framing = (pd_framing){
        .left = index ? (float)pane.begin : left * scale, .top = layout->top * scale, .bottom = layout->bottom * scale};
    if (layout->panes > 1)
        pane.caption = (pd_plate){index ? left + 1 : 0, layout->bar, right - 1 - (index ? left : 0), CAPTION_HEIGHT};
    if (switches->ruler) pane.framing.bottom += (UI_RULER_HEIGHT + THEME_EDGE) * scale;
    if (switches->ruler && right - left >= LEAST_RULED) pane.ruler = fminf(LONGEST_RULER, RULER_PART * (right - left));
    bool room = right - left >= LEAST_LEGEND_WIDTH && layout->height >= LEAST_LEGEND_HEIGHT;
    pane.has_legend =
        screen->gui && room && !switches->no_legend && pd_picture_find_legend(pane.view, pane.mode, &pane.legend);
    if (pane.has_legend)
        ui_reserve_legend(screen->gui, &pane.legend, &pane.legend_place, pane.view, pane.end, screen->display->height,
                          scale, &pane.framing);
    pane.framing.zoom = viewport->zoom.factor;
    pane.framing.shift = viewport->zoom.shift;
    pd_camera_fit_framed_view(&pane.camera, pane.view, &pane.framing, pane.end, screen->display->height);
    layout->pane[index] = pane;
}

void pd_layout_update(pd_screen *screen) {
    pd_layout *layout = &screen->layout;
    const pd_viewport *viewport = screen->viewport;
    const pd_display *display = screen->display;
    *layout = (pd_layout){.width = (float)display->width / display->scale,
                          .height = (float)display->height / display->scale,
                          .bar = viewport->bars ? BAR : 0,
                          .strip = viewport->bars ? THEME_STRIP : 0,
                          .panes = screen->session->second.world ? 2 : 1,
                          .pointed = layout->pointed};
    if (viewport->panel) layout->panel = fminf(PANEL, floorf(PANEL_PART * layout->width));
    layout->right = layout->width - layout->panel;
    if (layout->panes > 1) layout->graph = pd_layout_graph_height(layout->height);
    layout->top = layout->bar + (layout->panes > 1 ? CAPTION_HEIGHT : 0);
    layout->bottom = layout->strip + layout->graph;
    place_tools(layout, viewport, screen->session);
    float split = layout->panes > 1 ? roundf(layout->left + 0.5f * (layout->right - layout->left)) : layout->right;
    place_pane(screen, 0, layout->left, split);
    if (layout->panes > 1) place_pane(screen, 1, split, layout->right);
    if (!viewport->zoom.dragged && !pd_pointer_has_press(screen->pointer))
        layout->pointed = screen->pointer->pixel_x >= (float)layout->pane[0].end;
    if (layout->panes < 2) layout->pointed = 0;
}

/* ---- Plates ---- */

bool pd_plate_contains(const pd_plate *plate, float x, float y) {
    return x >= plate->x && x < plate->x + plate->width && y >= plate->y && y < plate->y + plate->height;
}

void pd_plate_add(pd_layout *layout, const pd_plate *plate) {
    if (layout->plate_count < PD_PLATES) layout->plates[layout->plate_count++] = *plate;
}

void pd_plate_draw(pd_screen *screen, const pd_plate *plate, float opacity) {
    ui_draw_plate(screen->gui, plate->x, plate->y, plate->width, plate->height, opacity);
    pd_plate_add(&screen->layout, plate);
}

bool pd_plate_is_free(const pd_layout *layout, const pd_plate *plate) {
    for (int i = 0; i < layout->plate_count; i++) {
        const pd_plate *other = &layout->plates[i];
        if (other->x < plate->x + plate->width && plate->x < other->x + other->width &&
            other->y < plate->y + plate->height && plate->y < other->y + other->height)
            return false;
    }
    return true;
}

bool pd_plate_covers_container(const pd_screen *screen, const pd_plate *plate) {
    float scale = screen->display->scale;
    pd_vec2 low = {scale * plate->x, scale * plate->y};
    pd_vec2 high = {low.x + scale * plate->width, low.y + scale * plate->height};
    return pd_camera_rectangle_meets_container(&screen->layout.pane[0].camera,
                                               &pd_world_scene(screen->session->world)->container, low, high);
}
