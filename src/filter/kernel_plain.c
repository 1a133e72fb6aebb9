/* The plain kernel: any CPU. */
#include "filter/kernel.h"
#include "filter/line.h"

#define KERNEL_NAME "plain"
#define KERNEL_OBJECT tamis_kernel_plain
#define KERNEL_TARGET
#define POPCOUNT(word) tamis_popcount64(word)
#define line_has tamis_line_has
#define line_add tamis_line_add

#include "filter/kernel_template.h"
