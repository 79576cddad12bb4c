/* The device: window, user interface, renderer, pointer, recorder and thumbnails of the running program. */
#ifndef PUDDLE_APP_DEVICE_H
#define PUDDLE_APP_DEVICE_H

#include "app/device/display.h"
#include "app/device/exporter.h"
#include "app/device/opener.h"
#include "app/device/pointer.h"
#include "app/device/portal.h"
#include "app/device/recorder.h"
#include "app/device/thumbnails.h"
#include "app/ui/ui.h"
#include "render/renderer.h"

typedef struct pd_device {
    pd_display display;    /* window with its OpenGL context */
    ui *ui;                /* widgets of the interface */
    pd_renderer *renderer; /* draws the worlds */
    pd_pointer pointer;    /* mouse as a tool in the world */
    bool key_repeats;      /* whether the last key event was an automatic repetition, because the key is held down */
    pd_recorder recorder;  /* recording and screenshot in progress */
    pd_exporter exporter;  /* export in progress */
    pd_opener opener;      /* browser that opens the manual */
    pd_thumbnailer thumbnailer; /* simulation of the scene whose thumbnail is drawn next */
    pd_portal *portal;          /* the desktop's dialogs; NULL: not searched yet, or none */
    bool portal_searched;       /* whether the session was searched for a portal */
    int portal_action;          /* pd_action that opened the desktop's dialog */
} pd_device;

#endif
