/* Visibility of public symbols. */
#ifndef TAMIS_EXPORT_H
#define TAMIS_EXPORT_H

#if defined(__GNUC__)
#define TAMIS_API __attribute__((visibility("default")))
#else
#define TAMIS_API
#endif

#ifdef __cplusplus
#define TAMIS_BEGIN_DECLS extern "C" {
#define TAMIS_END_DECLS }
#else
#define TAMIS_BEGIN_DECLS
#define TAMIS_END_DECLS
#endif

#endif
