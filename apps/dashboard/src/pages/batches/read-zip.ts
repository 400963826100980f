export interface ZipRow {
  readonly path: string
  /** Unpacked size as declared. */
  readonly bytes: number
  /** Where its local header begins. */
  readonly at: number
}

const END_BYTES = 22
const LONGEST_COMMENT = 0xffff
const ROW_BYTES = 46
const LOCAL_BYTES = 30
const END_SIGNATURE = 0x06054b50
const ROW_SIGNATURE = 0x02014b50
const UTF8 = 0x800

const viewOf = async (blob: Blob): Promise<DataView> => new DataView(await blob.arrayBuffer())

/** The last offset at which a complete end record fits. */
function findEnd(tail: DataView): number | undefined {
  for (let at = tail.byteLength - END_BYTES; at >= 0; at--)
    if (tail.getUint32(at, true) === END_SIGNATURE && at + END_BYTES + tail.getUint16(at + 20, true) <= tail.byteLength) return at
  return undefined
}

/**
 * The files of a ZIP as declared, without folders. Undefined for ZIP64, which is not read here: the server can read it.
 * @throws RangeError for a file that is not a ZIP, or is damaged
 */
export async function readZip(file: Blob): Promise<readonly ZipRow[] | undefined> {
  const tail = await viewOf(file.slice(-END_BYTES - LONGEST_COMMENT))
  const end = findEnd(tail)
  if (end === undefined) throw new RangeError('no end record')
  const count = tail.getUint16(end + 10, true)
  const bytes = tail.getUint32(end + 12, true)
  const at = tail.getUint32(end + 16, true)
  if (count === 0xffff || bytes === 0xffffffff || at === 0xffffffff) return undefined
  return rowsOf(await viewOf(file.slice(at, at + bytes)), count).filter(({ path }) => !path.endsWith('/'))
}

/** A file that is stored in a ZIP without compression, as those of results are: a part of the ZIP, which takes no memory. */
export async function storedFile(zip: Blob, { bytes, at }: ZipRow, type: string): Promise<Blob> {
  const header = await viewOf(zip.slice(at, at + LOCAL_BYTES))
  const from = at + LOCAL_BYTES + header.getUint16(26, true) + header.getUint16(28, true)
  return zip.slice(from, from + bytes, type)
}

/** @throws RangeError if the directory ends early, or contains anything else */
function rowsOf(directory: DataView, count: number): readonly ZipRow[] {
  const rows: ZipRow[] = []
  let at = 0
  for (let nth = 0; nth < count; nth++) {
    if (directory.getUint32(at, true) !== ROW_SIGNATURE) throw new RangeError('no row')
    const isUtf8 = (directory.getUint16(at + 8, true) & UTF8) > 0
    const [name, extra, comment] = [28, 30, 32].map((place) => directory.getUint16(at + place, true))
    const from = directory.byteOffset + at + ROW_BYTES
    const path = new TextDecoder(isUtf8 ? 'utf-8' : 'latin1').decode(new Uint8Array(directory.buffer, from, name))
    const bytes = directory.getUint32(at + 24, true)
    rows.push({ path: path.replaceAll('\\', '/'), bytes, at: directory.getUint32(at + 42, true) })
    at += ROW_BYTES + (name ?? 0) + (extra ?? 0) + (comment ?? 0)
  }
  return rows
}
