import { END_RECORD, END_RECORD_64, IN_ZIP64, LOCATOR_64, MADE_BY, VERSION_64 } from './layout.ts'

/** Where the directory is that was written, and how large. */
interface Directory {
  readonly entries: number
  readonly at: number
  readonly bytes: number
}

const needsZip64 = ({ entries, at, bytes }: Directory): boolean =>
  entries >= IN_ZIP64.short || at >= IN_ZIP64.long || bytes >= IN_ZIP64.long

/** What stands behind the directory. */
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
