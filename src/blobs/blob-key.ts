/** No segment begins with a dot, so none is `..` and names with a dot are free for a store's own files. */
const BLOB_KEY = /^[a-z0-9_-][a-z0-9_.-]{0,199}(\/[a-z0-9_-][a-z0-9_.-]{0,199})*$/

/** S3 has 1,024; a folder of Windows and macOS has to fit in front. */
const KEY_CHARACTERS = 512

export function isBlobKey(text: string): boolean {
  return text.length <= KEY_CHARACTERS && BLOB_KEY.test(text)
}

/**
 * Segments of a-z, 0-9, `_`, `.` and `-`, up to 200 long and not begun by a dot, divided by `/`; 512 characters in all.
 * @throws TypeError, because keys are made by our own code
 */
export function assertBlobKey(key: string): void {
  if (!isBlobKey(key)) throw new TypeError(`not a blob key: ${JSON.stringify(key)}`)
}

/** Any beginning of a key; the empty one is that of all. @throws TypeError */
export function assertBlobPrefix(prefix: string): void {
  if (prefix !== '' && !isBlobKey(prefix) && !isBlobKey(`${prefix}x`)) {
    throw new TypeError(`not the beginning of a blob key: ${JSON.stringify(prefix)}`)
  }
}
