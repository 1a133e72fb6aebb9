// Uses the installed library from C++, every public header included.
#include <cstdio>
#include <memory>

#include <tamis/stream.h>
#include <tamis/tamis.h>

int main()
{
    tamis_params params = TAMIS_PARAMS_INIT;
    params.capacity = 1000;
    params.error_rate = 1e-6;
    tamis_filter *made = nullptr;
    if (tamis_filter_create(&params, &made, nullptr) != TAMIS_OK)
        return 1;
    std::unique_ptr<tamis_filter, decltype(&tamis_filter_free)> filter(made, tamis_filter_free);
    bool right = tamis_filter_add(filter.get(), "seen", 4, nullptr) == TAMIS_OK &&
                 tamis_filter_contains(filter.get(), "seen", 4) &&
                 !tamis_filter_contains(filter.get(), "other", 5);
    std::printf("tamis %s from C++: %s\n", tamis_version(), right ? "right" : "WRONG");
    return right ? 0 : 1;
}
