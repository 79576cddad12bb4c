/* Opens a page in the desktop's browser by xdg-open, a process that outlives puddle. */
#ifndef PUDDLE_APP_DEVICE_OPENER_H
#define PUDDLE_APP_DEVICE_OPENER_H

#include "app/io/announce.h"
#include "core/file.h"

typedef struct pd_opener {
    long process;           /* Process of xdg-open. 0: none, or it has ended. */
    char path[PD_MAX_PATH]; /* Path of the page. */
} pd_opener;

/* Opens a page. Announces the page's path, and whether there is a program that opens pages. */
void pd_opener_open(pd_opener *opener, pd_announcer *announcer, const char *path);
/* Announces a failure of xdg-open. Call once a frame. Returns whether there was one. */
bool pd_opener_poll(pd_opener *opener, pd_announcer *announcer);

#endif
