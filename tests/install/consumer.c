/* Uses the installed library from C: one item in, one not. */
#include <stdio.h>
#include <string.h>

#include <tamis/tamis.h>

int main(void)
{
    tamis_params params = TAMIS_PARAMS_INIT;
    params.capacity = 1000;
    params.error_rate = 1e-6;
    tamis_filter *filter = NULL;
    tamis_error err;
    if (tamis_filter_create(&params, &filter, &err) != TAMIS_OK) {
        fprintf(stderr, "%s\n", err.message);
        return 1;
    }
    bool added = false;
    tamis_status status = tamis_filter_add(filter, "seen", 4, &added);
    bool right = status == TAMIS_OK && added && tamis_filter_contains(filter, "seen", 4) &&
                 !tamis_filter_contains(filter, "other", 5);
    tamis_filter_free(filter);
    printf("tamis %s from C: %s\n", tamis_version(), right ? "right" : "WRONG");
    return right ? 0 : 1;
}
