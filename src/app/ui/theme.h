/* Colours and sizes of the interface. Colours are red, green and blue from 0 to 1, sizes are interface units. */
#ifndef PUDDLE_APP_UI_THEME_H
#define PUDDLE_APP_UI_THEME_H

/* Colours of text, one per ui_tone. */
static const float THEME_QUIET[3] = {0.60f, 0.64f, 0.73f};
static const float THEME_PLAIN[3] = {0.84f, 0.87f, 0.93f};
static const float THEME_STRONG[3] = {1.00f, 1.00f, 1.00f};
static const float THEME_ACCENT[3] = {
    0.56f, 0.70f, 1.00f}; /* Colour of highlights and previews, and of the first pane of a comparison. */
static const float THEME_WARNING[3] = {1.00f, 0.77f, 0.36f};
static const float THEME_ALARM[3] = {1.00f, 0.36f, 0.36f};
static const float THEME_DISABLED[3] = {0.53f, 0.57f, 0.66f};

/* Colours of backgrounds, from dark to light. THEME_NIGHT: background of the scene browser, and the shade over the window
 * while a dialog is open. */
static const float THEME_NIGHT[3] = {5 / 255.0f, 7 / 255.0f, 12 / 255.0f};
static const float THEME_PANEL[3] = {0.040f, 0.052f, 0.084f};
static const float THEME_PLATE[3] = {13 / 255.0f, 17 / 255.0f,
                                     28 / 255.0f}; /* Background of text that lies over the picture of the fluid. */
static const float THEME_MENU[3] = {0.060f, 0.076f, 0.118f};
static const float THEME_PAPER[3] = {0.087f, 0.107f, 0.159f}; /* Background of charts. */

/* Colours of lines and areas of widgets. */
static const float THEME_PLATE_RIM[3] = {130 / 255.0f, 146 / 255.0f, 190 / 255.0f};
static const float THEME_BORDER[3] = {0.50f, 0.56f, 0.72f};
static const float THEME_FIELD[3] = {0.42f, 0.50f, 0.70f};
static const float THEME_BUTTON[3] = {0.42f, 0.53f, 0.86f}; /* Button that is selected or below the pointer. */
static const float THEME_CHOSEN[3] = {0.25f, 0.55f, 1.00f}; /* Selected row of a dialog. */
static const float THEME_TRACK[3] = {0.30f, 0.34f,
                                     0.44f}; /* Separating lines, and the tracks of the time line and of scroll bars. */
static const float THEME_FILLED[3] = {66 / 255.0f, 92 / 255.0f, 190 / 255.0f}; /* Filled part of a slider. */
/* Filled part of a grey slider, whose value is that of another slider (ui_slider.follows). */
static const float THEME_FOLLOWS[3] = {92 / 255.0f, 100 / 255.0f, 122 / 255.0f};
static const float THEME_SECOND[3] = {1.00f, 0.72f, 0.36f}; /* Colour of the second pane of a comparison. */

/* Colours of icons and previews. */
static const float THEME_INK[3] = {0.86f, 0.89f, 0.97f};
static const float THEME_ERASER[3] = {0.95f, 0.52f, 0.58f};
static const float THEME_DARK[3] = {0.02f, 0.03f,
                                    0.06f}; /* Outline of a preview over light fluid, rim of light lines. */
static const float THEME_LIGHT[3] = {0.93f, 0.95f, 1.00f}; /* Outline of a preview over dark fluid. */

static const float THEME_EDGE = 10; /* Distance from the window's border to the background of a text (ui_draw_plate). */
static const float THEME_STRIP = 26; /* Height of the strip at the bottom of the window. */
static const float THEME_GAP = 8;    /* Distance between two backgrounds of text. */
static const float THEME_OPACITY =
    1.1f; /* Opacity, in units of its default, of a text's background over the container's outline. */
static const float THEME_SHADE = 0.55f; /* Opacity of the shade over the window while a dialog is open, 0 to 1. */
static const float THEME_DENSE = 1.15f; /* Opacity, in units of its default, of a text's background over other text. */

#endif
