import type { ArchiveEntry } from './entry.ts'
import { extraFields, withZip64 } from './extra-fields.ts'
import { DESCRIPTOR_FOLLOWS, ENCRYPTED, LOCAL_HEADER } from './layout.ts'
import { type ArchiveSource, readExactly } from './source.ts'
import { ensureEntry } from './unreadable-entry.ts'

/**
 * Where an entry's data begins. The local header must say of it what the directory says.
 * @throws ApiError `invalid_image`
 */
export async function findData(source: ArchiveSource, entry: ArchiveEntry): Promise<number> {
  const { headerAt, endsBefore, method, rawName } = entry.packed
  const fixed = await readExactly(source, headerAt, LOCAL_HEADER.bytes)
  ensureEntry(fixed.readUInt32LE(0) === LOCAL_HEADER.signature, 'its header is missing')
  const [nameBytes, extraBytes] = [fixed.readUInt16LE(26), fixed.readUInt16LE(28)]
  const dataAt = headerAt + LOCAL_HEADER.bytes + nameBytes + extraBytes
  ensureEntry(dataAt + entry.compressedBytes <= endsBefore, 'it overlaps what stands behind it')
  const rest = await readExactly(source, headerAt + LOCAL_HEADER.bytes, nameBytes + extraBytes)
  ensureEntry(rest.toString('base64', 0, nameBytes) === rawName, 'its header gives another name than the directory')
  const flags = fixed.readUInt16LE(6)
  ensureEntry(fixed.readUInt16LE(8) === method && (flags & ENCRYPTED) === 0, 'its header gives another method than the directory')
  const sizes = withZip64([fixed.readUInt32LE(22), fixed.readUInt32LE(18)], extraFields(rest.subarray(nameBytes)))
  ensureEntry(sizes !== undefined, 'the ZIP64 sizes in its header are damaged')
  const told = [fixed.readUInt32LE(14), ...sizes]
  const expected = [entry.packed.crc32, entry.bytes, entry.compressedBytes]
  // Where they were not known yet, zeros stand here and the numbers behind the data.
  const mayBeZero = (flags & DESCRIPTOR_FOLLOWS) !== 0
  const same = told.every((number, nth) => number === expected[nth] || (mayBeZero && number === 0))
  ensureEntry(same, 'its header gives other sizes than the directory')
  return dataAt
}
