/* Claims on file names, so that two processes do not write the same file. A claim is a lock on one byte of the folder
 * that contains the file. The file need not exist, and the claim ends with the process. */
#ifndef PUDDLE_CORE_FILE_CLAIM_H
#define PUDDLE_CORE_FILE_CLAIM_H

enum { PD_CLAIM_NONE = 0, PD_CLAIM_REFUSED = -1 };

/* Claims a file name in a folder. Returns a file descriptor, or one of the codes below. Closing the descriptor ends the
 * claim.
 * - PD_CLAIM_NONE: the folder cannot be opened, or its file system has no locks.
 * - PD_CLAIM_REFUSED: this process or another one has claimed the name already. */
int pd_claim_file_name(const char *folder, const char *name);

#endif
