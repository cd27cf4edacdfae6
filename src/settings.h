/*-------------------------------------------------------------------------
 *
 * settings.h
 *		The extension's settings, bloomfilter.*.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_SETTINGS_H
#define BF_SETTINGS_H

/* Most hashes that an unsized filter may hold. */
extern int	bf_max_exact_hashes;

/* Tell the server of them; called once when the library is loaded. */
extern void bf_settings_init(void);

#endif							/* BF_SETTINGS_H */
