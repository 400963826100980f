import { IN_ZIP64, ZIP64_FIELD } from './layout.ts'

export interface ExtraField {
  readonly id: number
  readonly data: Buffer
}

/** The extra fields of a header, up to the first that is cut: Info-ZIP reads them so, and some tools pad with zeros. */
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
 * The numbers that are in the ZIP64 field instead where 0xffffffff stands, in their order (APPNOTE §4.5.3).
 * Undefined where one is missing there, or too large to count with.
 */
export function withZip64(numbers: readonly number[], fields: readonly ExtraField[]): readonly number[] | undefined {
  if (!numbers.includes(IN_ZIP64.long)) return numbers
  const data = fields.find(({ id }) => id === ZIP64_FIELD)?.data
  // Without the field, the number is meant: an entry may have 4 GiB less a byte.
  if (!data) return numbers
  let at = 0
  const whole = numbers.map((number) => {
    if (number !== IN_ZIP64.long) return number
    at += 8
    return at <= data.length ? readLong(data, at - 8) : Number.NaN
  })
  return whole.every(Number.isSafeInteger) ? whole : undefined
}

/** A number of 64 bits; beyond 2⁵³ it is not exact, and Number.isSafeInteger says so. */
export const readLong = (bytes: Buffer, at: number): number => bytes.readUInt32LE(at) + bytes.readUInt32LE(at + 4) * 2 ** 32
