/* Where a save goes: the file behind a name, and a temporary one beside it. */
#ifndef TAMIS_FILE_TARGET_H
#define TAMIS_FILE_TARGET_H

#include <sys/stat.h>

#include <tamis/file.h>

typedef struct tamis_target {
    char *path;      /* symbolic links resolved, also a dangling one; owned */
    char *temporary; /* a name beside it; owned; NULL: none made yet */
    bool exists;
    struct stat st; /* of path, when it exists */
} tamis_target;

/* Follows the links of a name. E_IO, E_NOMEM. */
tamis_status tamis_target_resolve(const char *path, tamis_target *out, tamis_error *err);

/* Looks again whether there is a file, after a lock was taken. E_IO. */
tamis_status tamis_target_look(tamis_target *target, tamis_error *err);

/* Makes an empty temporary file in the target's folder, under a name that nobody
 * has, for reading and writing. E_IO, E_NOMEM. */
tamis_status tamis_target_open_temporary(tamis_target *target, mode_t mode, int *out_fd, tamis_error *err);

/* Gives the temporary file the target's name: in the place of the file there, or
 * only if there is none (E_EXISTS). E_IO. */
tamis_status tamis_target_commit(tamis_target *target, bool replace, tamis_error *err);

/* Makes the new name durable. E_IO. */
tamis_status tamis_target_sync_folder(const tamis_target *target, tamis_error *err);

/* Removes the temporary file, if there still is one, and frees the names. */
void tamis_target_end(tamis_target *target);

#endif
