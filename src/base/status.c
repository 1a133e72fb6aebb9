#include <tamis/tamis.h>

#include <stddef.h>

#define TEXT_OF(x) #x
#define VERSION_TEXT(major, minor, patch) TEXT_OF(major) "." TEXT_OF(minor) "." TEXT_OF(patch)

const char *tamis_status_text(tamis_status status)
{
    switch (status) {
#define STATUS_TEXT(name, value, text) \
    case TAMIS_##name:                 \
        return text;
        TAMIS_STATUS_MAP(STATUS_TEXT)
#undef STATUS_TEXT
    }
    return "unknown status";
}

const char *tamis_status_name(tamis_status status)
{
    switch (status) {
#define STATUS_NAME(name, value, text) \
    case TAMIS_##name:                 \
        return "TAMIS_" #name;
        TAMIS_STATUS_MAP(STATUS_NAME)
#undef STATUS_NAME
    }
    return NULL;
}

const char *tamis_version(void)
{
    return VERSION_TEXT(TAMIS_VERSION_MAJOR, TAMIS_VERSION_MINOR, TAMIS_VERSION_PATCH);
}
