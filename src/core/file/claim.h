/* Claims on names in a folder, so that two processes do not write the same file. A claim is a lock on the folder: it needs no file
 * that a killed process would leave, and ends with the process, however that ends. */
#ifndef PUDDLE_CORE_FILE_CLAIM_H
#define PUDDLE_CORE_FILE_CLAIM_H

enum { PD_CLAIM_NONE = 0, PD_CLAIM_TAKEN = -1 };

/* Returns a descriptor, to be closed when the claim ends; PD_CLAIM_NONE where folders have no locks, or the folder cannot be
 * opened; PD_CLAIM_TAKEN: another process, or another claim of this one, has the name. */
int pd_claim_take(const char *folder, const char *name);

#endif
