import { ensure } from './errors.ts'
import { DIRECTORY_ROW, END_RECORD, END_RECORD_64, IN_ZIP64, LOCATOR_64, readLong } from './layout.ts'
import { type ArchiveSource, readExactly } from './source.ts'

/** The location of the central directory. */
export interface DirectoryPlace {
  readonly entries: number
  readonly at: number
  readonly bytes: number
  /** Bytes before the archive that its offsets do not include, such as a self-extractor. */
  readonly shift: number
}

/** The contents of the end record, and where the directory must end: at the start of the record. */
interface Ending {
  readonly entries: number
  readonly bytes: number
  readonly offset: number
  readonly directoryEnd: number
}

/**
 * Finds the central directory from the archive's end.
 * @throws ApiError `invalid_archive`
 */
export async function findDirectory(source: ArchiveSource): Promise<DirectoryPlace> {
  const tailBytes = Math.min(source.size, LOCATOR_64.bytes + END_RECORD.bytes + END_RECORD.longestComment)
  const tailAt = source.size - tailBytes
  const tail = await readExactly(source, tailAt, tailBytes)
  const recordAt = findEndRecord(tail)
  const record = tail.subarray(recordAt)
  const locatorAt = recordAt - LOCATOR_64.bytes
  const large = locatorAt >= 0 && tail.readUInt32LE(locatorAt) === LOCATOR_64.signature
  const ending = large
    ? await readEnding64(source, tail.subarray(locatorAt, recordAt), tailAt + locatorAt)
    : readEnding(record, tailAt + recordAt)
  ensure(!large || agree(readEnding(record, 0), ending), 'its two end records contradict each other')
  const at = ending.directoryEnd - ending.bytes
  const shift = at - ending.offset
  ensure(shift >= 0, 'it ends before its directory does')
  ensure(ending.bytes >= ending.entries * DIRECTORY_ROW.bytes, 'its directory is too short for its entries')
  return { entries: ending.entries, at, bytes: ending.bytes, shift }
}

/**
 * The offset of the end record in the archive's last bytes. Usually its comment ends with the file, and then no second record may match:
 * programs differ in which of two they use. Other data may follow, as what a transfer has added: then it is the last record, as for unzip.
 */
function findEndRecord(tail: Buffer): number {
  const signature = Buffer.alloc(4)
  signature.writeUInt32LE(END_RECORD.signature)
  const all: number[] = []
  for (let at = tail.lastIndexOf(signature); at >= 0; at = at === 0 ? -1 : tail.lastIndexOf(signature, at - 1)) all.push(at)
  ensure(all.length > 0, 'it is no ZIP file, or its end is missing')
  const whole = all.filter((at) => endOf(tail, at) <= tail.length)
  const last = whole.filter((at) => endOf(tail, at) === tail.length)
  ensure(last.length < 2, 'its comment hides a second end record')
  const [at = whole[0]] = last
  ensure(at !== undefined, 'its end is missing')
  return at
}

/** Where the record at a position ends, with its comment. */
const endOf = (tail: Buffer, at: number): number =>
  at + END_RECORD.bytes <= tail.length ? at + END_RECORD.bytes + tail.readUInt16LE(at + 20) : Number.POSITIVE_INFINITY

function readEnding(record: Buffer, directoryEnd: number): Ending {
  const disk = record.readUInt16LE(4)
  const directoryDisk = record.readUInt16LE(6)
  const entriesHere = record.readUInt16LE(8)
  const entries = record.readUInt16LE(10)
  const oneDisk = (disk === 0 || disk === IN_ZIP64.short) && disk === directoryDisk && entriesHere === entries
  ensure(oneDisk, 'it is one part of an archive that was split')
  return { entries, bytes: record.readUInt32LE(12), offset: record.readUInt32LE(16), directoryEnd }
}

async function readEnding64(source: ArchiveSource, locator: Buffer, locatorAt: number): Promise<Ending> {
  ensure(locator.readUInt32LE(4) === 0 && locator.readUInt32LE(16) <= 1, 'it is one part of an archive that was split')
  // With data before the archive the offset is too small; the record is then directly before the locator.
  for (const at of [readLong(locator, 8), locatorAt - END_RECORD_64.bytes]) {
    if (at < 0 || at + END_RECORD_64.bytes > locatorAt) continue
    const record = await readExactly(source, at, END_RECORD_64.bytes)
    if (record.readUInt32LE(0) !== END_RECORD_64.signature) continue
    ensure(readLong(record, 4) + 12 === locatorAt - at, 'its ZIP64 end record has the wrong length')
    const disks = record.readUInt32LE(16) === 0 && record.readUInt32LE(20) === 0 && readLong(record, 24) === readLong(record, 32)
    ensure(disks, 'it is one part of an archive that was split')
    return { entries: readLong(record, 32), bytes: readLong(record, 40), offset: readLong(record, 48), directoryEnd: at }
  }
  ensure(false, 'its ZIP64 end record is missing')
}

/** Whether each number of the small record equals that of the ZIP64 record, or refers to it. */
const agree = (small: Ending, large: Ending): boolean =>
  (small.entries === large.entries || small.entries === IN_ZIP64.short) &&
  (small.bytes === large.bytes || small.bytes === IN_ZIP64.long) &&
  (small.offset === large.offset || small.offset === IN_ZIP64.long)
