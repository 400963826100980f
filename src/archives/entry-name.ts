import { isUtf8 } from 'node:buffer'
import { crc32 } from 'node:zlib'
import { decodeCp437 } from './cp437.ts'
import type { ExtraField } from './extra-fields.ts'
import { UNICODE_PATH_FIELD, UTF8_NAME } from './layout.ts'

/**
 * An entry's name: what the Unicode path says, else UTF-8 where it is that, else code page 437. macOS and many others write
 * UTF-8 without saying so, and hardly any other text is valid UTF-8 by chance.
 */
export function decodeName(raw: Buffer, flags: number, fields: readonly ExtraField[]): string {
  const unicode = (flags & UTF8_NAME) === 0 ? unicodePath(raw, fields) : undefined
  const utf8 = [unicode, raw].find((bytes) => bytes !== undefined && isUtf8(bytes))
  return utf8?.toString('utf8') ?? decodeCp437(raw)
}

/** APPNOTE §4.6.9: version 1, the CRC-32 of the name that it stands for, the name. If the CRC differs, "ignore this field". */
function unicodePath(raw: Buffer, fields: readonly ExtraField[]): Buffer | undefined {
  const data = fields.find(({ id }) => id === UNICODE_PATH_FIELD)?.data
  if (!data || data.length < 6 || data[0] !== 1 || data.readUInt32LE(1) !== crc32(raw)) return undefined
  return data.subarray(5)
}
