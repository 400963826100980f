import {
  DIRECTORY_ROW,
  END_RECORD,
  END_RECORD_64,
  IN_ZIP64,
  LOCAL_HEADER,
  LOCATOR_64,
  MADE_BY,
  STORED,
  UTF8_NAME,
  VERSION,
  VERSION_64,
  ZIP64_FIELD,
} from './layout.ts'

/** The fields of an entry's headers. */
export interface HeaderFields {
  readonly name: Buffer
  readonly modified: Date
  readonly crc32: number
  readonly bytes: number
}

/** A Unix mode, because of MADE_BY: a regular file, 0644. */
const ATTRIBUTES = 0o100644 * 2 ** 16
/** A ZIP64 field with an offset only. */
const PLACE_64_BYTES = 12

/** The local header of an entry. */
export function localHeader(fields: HeaderFields): Buffer {
  const header = Buffer.alloc(LOCAL_HEADER.bytes + fields.name.length)
  header.writeUInt32LE(LOCAL_HEADER.signature, 0)
  header.writeUInt16LE(VERSION, 4)
  writeMiddle(header, 6, fields)
  fields.name.copy(header, LOCAL_HEADER.bytes)
  return header
}

/** The directory record of an entry. */
export function directoryRow(fields: HeaderFields, headerAt: number): Buffer {
  const { name } = fields
  const large = headerAt >= IN_ZIP64.long
  const row = Buffer.alloc(DIRECTORY_ROW.bytes + name.length + (large ? PLACE_64_BYTES : 0))
  row.writeUInt32LE(DIRECTORY_ROW.signature, 0)
  row.writeUInt16LE(MADE_BY, 4)
  row.writeUInt16LE(large ? VERSION_64 : VERSION, 6)
  writeMiddle(row, 8, fields)
  row.writeUInt32LE(ATTRIBUTES, 38)
  row.writeUInt32LE(Math.min(headerAt, IN_ZIP64.long), 42)
  name.copy(row, DIRECTORY_ROW.bytes)
  if (large) {
    const fieldAt = DIRECTORY_ROW.bytes + name.length
    row.writeUInt16LE(PLACE_64_BYTES, 30)
    row.writeUInt16LE(ZIP64_FIELD, fieldAt)
    row.writeUInt16LE(8, fieldAt + 2)
    row.writeBigUInt64LE(BigInt(headerAt), fieldAt + 4)
  }
  return row
}

/** The fields from flags to name length, which both headers have in the same order. Without compression both sizes are equal. */
function writeMiddle(header: Buffer, at: number, { name, modified, crc32, bytes }: HeaderFields): void {
  const { date, time } = dosTime(modified)
  header.writeUInt16LE(UTF8_NAME, at)
  header.writeUInt16LE(STORED, at + 2)
  header.writeUInt16LE(time, at + 4)
  header.writeUInt16LE(date, at + 6)
  header.writeUInt32LE(crc32, at + 8)
  header.writeUInt32LE(bytes, at + 12)
  header.writeUInt32LE(bytes, at + 16)
  header.writeUInt16LE(name.length, at + 20)
}

/** §4.4.6: the years from 1980 to 2107, in steps of two seconds. */
function dosTime(modifiedAt: Date): { date: number; time: number } {
  const year = modifiedAt.getUTCFullYear()
  if (!(year >= 1980)) return { date: (1 << 5) | 1, time: 0 }
  const date = ((Math.min(year, 2107) - 1980) << 9) | ((modifiedAt.getUTCMonth() + 1) << 5) | modifiedAt.getUTCDate()
  const time = (modifiedAt.getUTCHours() << 11) | (modifiedAt.getUTCMinutes() << 5) | (modifiedAt.getUTCSeconds() >> 1)
  return { date, time }
}

/** The position and size of the written directory. */
interface Directory {
  readonly entries: number
  readonly at: number
  readonly bytes: number
}

const needsZip64 = ({ entries, at, bytes }: Directory): boolean =>
  entries >= IN_ZIP64.short || at >= IN_ZIP64.long || bytes >= IN_ZIP64.long

/** The end record, after a ZIP64 end record if needed. */
export function endRecords(directory: Directory): Buffer {
  const { entries, at, bytes } = directory
  const end = Buffer.alloc(END_RECORD.bytes)
  end.writeUInt32LE(END_RECORD.signature, 0)
  end.writeUInt16LE(Math.min(entries, IN_ZIP64.short), 8)
  end.writeUInt16LE(Math.min(entries, IN_ZIP64.short), 10)
  end.writeUInt32LE(Math.min(bytes, IN_ZIP64.long), 12)
  end.writeUInt32LE(Math.min(at, IN_ZIP64.long), 16)
  return needsZip64(directory) ? Buffer.concat([endRecords64(directory), end]) : end
}

function endRecords64({ entries, at, bytes }: Directory): Buffer {
  const record = Buffer.alloc(END_RECORD_64.bytes)
  record.writeUInt32LE(END_RECORD_64.signature, 0)
  // The length of what follows this field.
  record.writeBigUInt64LE(BigInt(END_RECORD_64.bytes - 12), 4)
  record.writeUInt16LE(MADE_BY, 12)
  record.writeUInt16LE(VERSION_64, 14)
  record.writeBigUInt64LE(BigInt(entries), 24)
  record.writeBigUInt64LE(BigInt(entries), 32)
  record.writeBigUInt64LE(BigInt(bytes), 40)
  record.writeBigUInt64LE(BigInt(at), 48)
  const locator = Buffer.alloc(LOCATOR_64.bytes)
  locator.writeUInt32LE(LOCATOR_64.signature, 0)
  locator.writeBigUInt64LE(BigInt(at + bytes), 8)
  locator.writeUInt32LE(1, 16)
  return Buffer.concat([record, locator])
}
