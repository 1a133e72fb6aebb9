#include <tamis/file.h>

#include "base/error.h"
#include "file/decode.h"

/* Reads everything; the filter is of no further use to verify. */
static tamis_status read_whole(const char *path, tamis_filter **out, bool *out_dirty, tamis_error *err)
{
    tamis_open_options options = TAMIS_OPEN_OPTIONS_INIT;
    tamis_seal seal;
    options.flags = TAMIS_OPEN_NORMALISED;
    tamis_status status = tamis_decode_path(path, &options, out, &seal, err);
    if (status == TAMIS_OK)
        *out_dirty = seal.dirty;
    return status;
}

tamis_status tamis_file_verify(const char *path, tamis_error *err)
{
    tamis_filter *filter = NULL;
    bool dirty = false;
    tamis_status status = read_whole(path, &filter, &dirty, err);
    tamis_filter_free(filter);
    if (status == TAMIS_OK && dirty)
        return tamis_fail(err, TAMIS_E_DIRTY,
                          "%.240s: a writer did not close it, or still has it; if not, reseal it", path);
    return status;
}

static tamis_status save_clean(const tamis_filter *filter, const char *path, tamis_lock *lock,
                               tamis_error *err)
{
    tamis_save_options options = TAMIS_SAVE_OPTIONS_INIT;
    options.lock = lock;
    return tamis_filter_save(filter, path, &options, err);
}

tamis_status tamis_file_reseal(const char *path, tamis_error *err)
{
    tamis_filter *filter = NULL;
    tamis_lock *lock = NULL;
    bool dirty = false;
    tamis_status status = tamis_lock_acquire(path, 0, &lock, err);
    if (status != TAMIS_OK)
        return status;
    status = read_whole(path, &filter, &dirty, err);
    if (status == TAMIS_OK && dirty)
        status = save_clean(filter, path, lock, err);
    tamis_filter_free(filter);
    tamis_lock_release(lock);
    return status;
}
