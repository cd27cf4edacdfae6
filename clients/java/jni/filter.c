/*-------------------------------------------------------------------------
 *
 * filter.c
 *		The native methods of pgbloomfilter.Filter: libpgbloomfilter's functions
 *		on a filter of which Java knows the address.
 *
 * Java sees to it that one thread at a time calls them for a filter.
 *
 *-------------------------------------------------------------------------
 */
#include <jni.h>
#include <pgbloomfilter.h>
#include <string.h>

#define METHOD(type, name) \
	JNIEXPORT type JNICALL Java_pgbloomfilter_Filter_ ## name

static pgbf_filter *
filter_at(jlong address)
{
	return (pgbf_filter *) (intptr_t) address;
}

/* ---------- exceptions ---------- */

/* NULL, with an exception, if there is no memory. */
static jbyteArray
make_bytes(JNIEnv *env, const void *bytes, size_t length)
{
	jbyteArray	array = length <= INT32_MAX ? (*env)->NewByteArray(env, (jsize) length) : NULL;

	if (array != NULL)
		(*env)->SetByteArrayRegion(env, array, 0, (jsize) length, bytes);
	return array;
}

static void
throw(JNIEnv *env, const pgbf_error *error)
{
	jclass		class = (*env)->FindClass(env, "pgbloomfilter/BloomfilterException");
	jmethodID	make = class != NULL ?
		(*env)->GetMethodID(env, class, "<init>", "([B[B[B[B)V") : NULL;
	const char *parts[] = {error->sqlstate, error->message, error->detail, error->hint};
	jbyteArray	arrays[4] = {NULL};
	int			i;

	for (i = 0; i < 4 && make != NULL; i++)
	{
		arrays[i] = make_bytes(env, parts[i], strlen(parts[i]));
		if (arrays[i] == NULL)
			return;
	}
	if (make != NULL)
	{
		jobject		exception = (*env)->NewObject(env, class, make, arrays[0], arrays[1],
												  arrays[2], arrays[3]);

		if (exception != NULL)
			(*env)->Throw(env, exception);
	}
}

static void
throw_unless(JNIEnv *env, bool done, const pgbf_error *error)
{
	if (!done)
		throw(env, error);
}

/* ---------- made and written ---------- */

METHOD(jlong, create) (JNIEnv *env, jclass class, jdouble expected_items, jdouble rate, jlong seed)
{
	pgbf_error	error;
	pgbf_filter *filter = pgbf_create(expected_items, rate, seed, &error);

	(void) class;
	throw_unless(env, filter != NULL, &error);
	return (jlong) (intptr_t) filter;
}

METHOD(jlong, read) (JNIEnv *env, jclass class, jbyteArray input)
{
	pgbf_error	error;
	jsize		length = (*env)->GetArrayLength(env, input);
	jbyte	   *bytes = (*env)->GetByteArrayElements(env, input, NULL);
	pgbf_filter *filter;

	(void) class;
	if (bytes == NULL)
		return 0;
	filter = pgbf_parse(bytes, (size_t) length, &error);
	(*env)->ReleaseByteArrayElements(env, input, bytes, JNI_ABORT);
	throw_unless(env, filter != NULL, &error);
	return (jlong) (intptr_t) filter;
}

METHOD(void, free) (JNIEnv *env, jclass class, jlong address)
{
	(void) env;
	(void) class;
	pgbf_free(filter_at(address));
}

METHOD(jlong, copy) (JNIEnv *env, jobject this, jlong address)
{
	pgbf_error	error;
	pgbf_filter *filter = pgbf_copy(filter_at(address), &error);

	(void) this;
	throw_unless(env, filter != NULL, &error);
	return (jlong) (intptr_t) filter;
}

METHOD(jbyteArray, toBytes) (JNIEnv *env, jobject this, jlong address)
{
	pgbf_error	error;
	size_t		length;
	void	   *bytes = pgbf_to_bytes(filter_at(address), &length, &error);
	jbyteArray	result = NULL;

	(void) this;
	if (bytes != NULL)
		result = make_bytes(env, bytes, length);
	else
		throw(env, &error);
	pgbf_release(bytes);
	return result;
}

METHOD(jbyteArray, toText) (JNIEnv *env, jobject this, jlong address)
{
	pgbf_error	error;
	size_t		length;
	char	   *text = pgbf_to_text(filter_at(address), &length, &error);
	jbyteArray	result = NULL;

	(void) this;
	if (text != NULL)
		result = make_bytes(env, text, length);
	else
		throw(env, &error);
	pgbf_release(text);
	return result;
}

METHOD(void, unite) (JNIEnv *env, jobject this, jlong address, jlong other)
{
	pgbf_error	error;

	(void) this;
	throw_unless(env, pgbf_unite(filter_at(address), filter_at(other), &error), &error);
}

/* ---------- values ---------- */

METHOD(void, addNumber) (JNIEnv *env, jobject this, jlong address, jint family, jlong value)
{
	pgbf_error	error;

	(void) this;
	throw_unless(env, pgbf_add_number(filter_at(address), (pgbf_family) family, value, &error),
				 &error);
}

METHOD(void, addFloat) (JNIEnv *env, jobject this, jlong address, jdouble value)
{
	pgbf_error	error;

	(void) this;
	throw_unless(env, pgbf_add_float(filter_at(address), value, &error), &error);
}

METHOD(void, addBytes) (JNIEnv *env, jobject this, jlong address, jint family, jbyteArray value)
{
	pgbf_error	error;
	jsize		length = (*env)->GetArrayLength(env, value);
	jbyte	   *bytes = (*env)->GetByteArrayElements(env, value, NULL);
	bool		done;

	(void) this;
	if (bytes == NULL)
		return;
	done = pgbf_add_bytes(filter_at(address), (pgbf_family) family, bytes, (size_t) length, &error);
	(*env)->ReleaseByteArrayElements(env, value, bytes, JNI_ABORT);
	throw_unless(env, done, &error);
}

METHOD(jboolean, hasNumber) (JNIEnv *env, jobject this, jlong address, jint family, jlong value)
{
	pgbf_error	error;
	int			answer = pgbf_has_number(filter_at(address), (pgbf_family) family, value, &error);

	(void) this;
	throw_unless(env, answer >= 0, &error);
	return answer != 0;
}

METHOD(jboolean, hasFloat) (JNIEnv *env, jobject this, jlong address, jdouble value)
{
	pgbf_error	error;
	int			answer = pgbf_has_float(filter_at(address), value, &error);

	(void) this;
	throw_unless(env, answer >= 0, &error);
	return answer != 0;
}

METHOD(jboolean, hasBytes) (JNIEnv *env, jobject this, jlong address, jint family, jbyteArray value)
{
	pgbf_error	error;
	jsize		length = (*env)->GetArrayLength(env, value);
	jbyte	   *bytes = (*env)->GetByteArrayElements(env, value, NULL);
	int			answer;

	(void) this;
	/* the exception counts, not the answer */
	if (bytes == NULL)
		return JNI_TRUE;
	answer = pgbf_has_bytes(filter_at(address), (pgbf_family) family, bytes, (size_t) length,
							&error);
	(*env)->ReleaseByteArrayElements(env, value, bytes, JNI_ABORT);
	throw_unless(env, answer >= 0, &error);
	return answer != 0;
}

/* ---------- many values ---------- */

METHOD(void, addNumbers) (JNIEnv *env, jobject this, jlong address, jint family, jlongArray values)
{
	pgbf_error	error;
	jsize		count = (*env)->GetArrayLength(env, values);
	jlong	   *numbers = (*env)->GetLongArrayElements(env, values, NULL);
	bool		done;

	(void) this;
	if (numbers == NULL)
		return;
	done = pgbf_add_number_array(filter_at(address), (pgbf_family) family,
								 (const int64_t *) numbers, (size_t) count, &error);
	(*env)->ReleaseLongArrayElements(env, values, numbers, JNI_ABORT);
	throw_unless(env, done, &error);
}

METHOD(jbooleanArray, hasNumbers) (JNIEnv *env, jobject this, jlong address, jint family,
								   jlongArray values)
{
	pgbf_error	error;
	jsize		count = (*env)->GetArrayLength(env, values);
	jbooleanArray result = (*env)->NewBooleanArray(env, count);
	jlong	   *numbers = NULL;
	jboolean   *found = NULL;
	bool		done = false;

	(void) this;
	if (result != NULL)
		numbers = (*env)->GetLongArrayElements(env, values, NULL);
	if (numbers != NULL)
		found = (*env)->GetBooleanArrayElements(env, result, NULL);
	if (found != NULL)
	{
		done = pgbf_has_number_array(filter_at(address), (pgbf_family) family,
									 (const int64_t *) numbers, (size_t) count, found, &error) >= 0;
		(*env)->ReleaseBooleanArrayElements(env, result, found, 0);
	}
	if (numbers != NULL)
		(*env)->ReleaseLongArrayElements(env, values, numbers, JNI_ABORT);
	if (found != NULL)
		throw_unless(env, done, &error);
	return result;
}
