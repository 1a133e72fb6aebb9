/* Canonical URLs, version 1. */
#ifndef TAMIS_CLI_URL_H
#define TAMIS_CLI_URL_H

#include <tamis/filter.h>

#include "record/arena.h"

/* RFC 3986, 6.2.2: scheme and host in lower case; percent-encoded unreserved
 * characters decoded, other percent encodings in capitals; dot segments resolved;
 * the scheme's default port (and an empty one) dropped; an empty path behind a
 * host made "/"; the fragment dropped; the query untouched. E_RECORD: not an
 * absolute URL; E_NOMEM. */
tamis_status url_canonical(arena *memory, tamis_item url, tamis_item *out);

#endif
