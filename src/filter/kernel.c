#include "filter/kernel.h"

#include <string.h>

const tamis_kernel *tamis_kernel_choose(void)
{
    static const char *const best_first[] = {"avx512", "avx2", "neon"};
    for (size_t i = 0; i < sizeof best_first / sizeof *best_first; i++) {
        const tamis_kernel *kernel = tamis_kernel_named(best_first[i]);
        if (kernel != NULL)
            return kernel;
    }
    return &tamis_kernel_plain;
}

const char *tamis_kernel_name(void)
{
    return tamis_kernel_choose()->name;
}

const tamis_kernel *tamis_kernel_named(const char *name)
{
    if (strcmp(name, "plain") == 0)
        return &tamis_kernel_plain;
#ifdef TAMIS_HAVE_AVX2
    if (strcmp(name, "avx2") == 0 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt"))
        return &tamis_kernel_avx2;
#endif
#ifdef TAMIS_HAVE_AVX512
    if (strcmp(name, "avx512") == 0 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("popcnt"))
        return &tamis_kernel_avx512;
#endif
#ifdef TAMIS_HAVE_NEON
    if (strcmp(name, "neon") == 0)
        return &tamis_kernel_neon;
#endif
    return NULL;
}
