/** Numbers of PKWARE's APPNOTE.TXT 6.3.10; all fields are little-endian. */

/** §4.3.7: the local header, without name and extra fields. */
export const LOCAL_HEADER = { signature: 0x04034b50, bytes: 30 } as const
/** §4.3.12: a record of the central directory, without name, extra fields and comment. */
export const DIRECTORY_ROW = { signature: 0x02014b50, bytes: 46 } as const
/** §4.3.16: the end record, without its comment. */
export const END_RECORD = { signature: 0x06054b50, bytes: 22, longestComment: 0xffff } as const
/** §4.3.14, §4.3.15: the ZIP64 end record and its locator, before the end record. */
export const END_RECORD_64 = { signature: 0x06064b50, bytes: 56 } as const
export const LOCATOR_64 = { signature: 0x07064b50, bytes: 20 } as const

/** Values of fields whose number is in the ZIP64 field or record instead. */
export const IN_ZIP64 = { short: 0xffff, long: 0xffffffff } as const

/** §4.4.5 */
export const STORED = 0
export const DEFLATED = 8
const AES_METHOD = 99
/** Names of the other methods, as programs show them. */
export const OTHER_METHODS: Readonly<Record<number, string>> = {
  1: 'Shrink',
  2: 'Reduce',
  3: 'Reduce',
  4: 'Reduce',
  5: 'Reduce',
  6: 'Implode',
  9: 'Deflate64',
  10: 'DCL Implode',
  12: 'BZIP2',
  14: 'LZMA',
  20: 'Zstandard',
  93: 'Zstandard',
  95: 'XZ',
  96: 'JPEG',
  98: 'PPMd',
}

/** §4.4.4: bits of the flags. */
export const ENCRYPTED = 1
export const DESCRIPTOR_FOLLOWS = 1 << 3
const PATCH = 1 << 5
const STRONG_ENCRYPTION = 1 << 6
export const UTF8_NAME = 1 << 11
const MASKED_HEADERS = 1 << 13

/** Extra fields: §4.5.3, §4.6.9, §4.5.12 and WinZip's AES. */
export const ZIP64_FIELD = 0x0001
export const UNICODE_PATH_FIELD = 0x7075
const STRONG_ENCRYPTION_FIELD = 0x0017
const AES_FIELD = 0x9901

/** Whether an entry is encrypted by any method. */
export const isEncrypted = (flags: number, method: number, fields: readonly { readonly id: number }[]): boolean =>
  (flags & (ENCRYPTED | STRONG_ENCRYPTION | MASKED_HEADERS)) !== 0 ||
  method === AES_METHOD ||
  fields.some(({ id }) => id === AES_FIELD || id === STRONG_ENCRYPTION_FIELD)

/** Whether an entry is a patch of another file. */
export const isPatch = (flags: number): boolean => (flags & PATCH) !== 0

/** §4.4.3.2: what we write needs 2.0, for folders in paths, or 4.5 for ZIP64. */
export const VERSION = 20
export const VERSION_64 = 45
/** §4.4.2: made on Unix, by a program that knows ZIP64. */
export const MADE_BY = (3 << 8) | VERSION_64

export interface ExtraField {
  readonly id: number
  readonly data: Buffer
}

/** The extra fields of a header, up to the first truncated one, as Info-ZIP reads them; some tools pad with zeros. */
export function extraFields(bytes: Buffer): readonly ExtraField[] {
  const fields: ExtraField[] = []
  for (let at = 0; at + 4 <= bytes.length; ) {
    const end = at + 4 + bytes.readUInt16LE(at + 2)
    if (end > bytes.length) break
    fields.push({ id: bytes.readUInt16LE(at), data: bytes.subarray(at + 4, end) })
    at = end
  }
  return fields
}

/**
 * Replaces each 0xffffffff by the next number of the ZIP64 field (APPNOTE §4.5.3).
 * Undefined when one is missing, or above 2⁵³.
 */
export function withZip64(numbers: readonly number[], fields: readonly ExtraField[]): readonly number[] | undefined {
  if (!numbers.includes(IN_ZIP64.long)) return numbers
  const data = fields.find(({ id }) => id === ZIP64_FIELD)?.data
  // Without the field the number is literal: an entry may have 4 GiB less a byte.
  if (!data) return numbers
  let at = 0
  const whole = numbers.map((number) => {
    if (number !== IN_ZIP64.long) return number
    at += 8
    return at <= data.length ? readLong(data, at - 8) : Number.NaN
  })
  return whole.every(Number.isSafeInteger) ? whole : undefined
}

/** A 64-bit number; inexact above 2⁵³, which Number.isSafeInteger detects. */
export const readLong = (bytes: Buffer, at: number): number => bytes.readUInt32LE(at) + bytes.readUInt32LE(at + 4) * 2 ** 32
