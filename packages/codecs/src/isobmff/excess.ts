import { limits } from '../contract/limits.ts'

const { parts, heifItems, heifReferenceBytes, heifLocationBytes } = limits.structure

const HEADER_BYTES = 8

/** The limit that a HEIC or AVIF exceeds, from its box headers: libheif stores each in a list before it rejects a file. */
export function isobmffExcess(bytes: Buffer): string | undefined {
  let meta: Buffer | undefined
  let at = 0
  for (let count = 0; at + HEADER_BYTES <= bytes.length; count++) {
    if (count === parts) return `${parts} boxes`
    const size = bytes.readUInt32BE(at)
    if (size < HEADER_BYTES) break
    if (bytes.toString('latin1', at + 4, at + HEADER_BYTES) === 'meta') meta ??= bytes.subarray(at + 12, at + size)
    at += size
  }
  return meta && metaExcess(meta)
}

/** Checks the boxes inside `meta` (ISO/IEC 14496-12, 8.11). */
function metaExcess(meta: Buffer): string | undefined {
  for (let at = 0, count = 0; at + HEADER_BYTES <= meta.length; count++) {
    if (count === parts) return `${parts} boxes`
    const size = meta.readUInt32BE(at)
    if (size < HEADER_BYTES) break
    const type = meta.toString('latin1', at + 4, at + HEADER_BYTES)
    if (type === 'iref' && size > heifReferenceBytes) return `${heifReferenceBytes} bytes of references between items`
    if (type === 'iloc' && size > heifLocationBytes) return `${heifLocationBytes} bytes of places of items`
    if (type === 'iprp' && hasManyBoxes(meta.subarray(at + 2 * HEADER_BYTES, at + size))) return `${parts} properties`
    if (type === 'iinf' && itemsIn(meta.subarray(at + HEADER_BYTES, at + size)) > heifItems) return `${heifItems} items`
    at += size
  }
  return undefined
}

/** Counts the properties, in the first box of `iprp` (8.11.14). */
function hasManyBoxes(bytes: Buffer): boolean {
  let count = 0
  for (let at = 0; at + HEADER_BYTES <= bytes.length && count <= parts; count++) {
    const size = bytes.readUInt32BE(at)
    if (size < HEADER_BYTES) break
    at += size
  }
  return count > parts
}

/** The count of an `iinf` box, of 16 bits in version 0. */
const itemsIn = (body: Buffer): number => (body.length < 8 ? 0 : body[0] === 0 ? body.readUInt16BE(4) : body.readUInt32BE(4))
