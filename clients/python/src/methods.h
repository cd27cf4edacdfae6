/*-------------------------------------------------------------------------
 *
 * methods.h
 *		The class of filters.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_METHODS_H
#define BF_METHODS_H

#include "object.h"

/* The type, to be added to the module. */
extern PyType_Spec bf_methods_spec;

#endif							/* BF_METHODS_H */
