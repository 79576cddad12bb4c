/* Claims on file names, so that two processes do not write the same file. A claim is a lock on a byte of the folder. It
 * needs no file, and ends with the process. */
#ifndef PUDDLE_CORE_FILE_CLAIM_H
#define PUDDLE_CORE_FILE_CLAIM_H

enum { PD_CLAIM_NONE = 0, PD_CLAIM_REFUSED = -1 };

/* Claims a file name in a folder. Returns a descriptor whose closing ends the claim, or one of:
 * - PD_CLAIM_NONE: the folder cannot be opened, or its file system has no locks.
 * - PD_CLAIM_REFUSED: this process or another one has claimed the name already. */
int pd_claim_name(const char *folder, const char *name);

#endif
