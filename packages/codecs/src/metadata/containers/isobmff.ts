import { type Box, box, boxesIn, fileBoxesIn, fullBox, uint16, uint32 } from '../../isobmff/boxes.ts'
import { type ItemLocations, itemLocationsBody, itemLocationsIn } from '../../isobmff/item-locations.ts'
import { itemsOfType, primaryItemOf } from '../../isobmff/items.ts'
import type { Container, MetadataBlocks } from '../blocks.ts'

const FULL_BOX_BYTES = 4
const XMP_TYPE = 'application/rdf+xml'
/** ISO/IEC 23008-12, A.2.1: the offset of the TIFF structure, behind JPEG's name, as phones write it. */
const EXIF_NAME = Buffer.from('\0\0\0\x06Exif\0\0', 'latin1')

function read(file: Buffer): MetadataBlocks {
  const [exif] = itemsOfType(file, 'Exif')
  const xmp = itemsOfType(file, 'mime').find(({ info }) => info.includes(XMP_TYPE))
  const profile = primaryItemOf(file)?.properties.find(({ type, body }) => type === 'colr' && isProfile(body))
  return {
    exif: exif && exif.data.length >= 4 ? exif.data.subarray(4 + exif.data.readUInt32BE(0)) : undefined,
    xmp: xmp?.data,
    icc: profile?.body.subarray(4),
  }
}

const isProfile = (colr: Buffer): boolean => ['prof', 'rICC'].includes(colr.toString('latin1', 0, 4))

/** Adds items and a property; undefined offsets of a movie or a box without room leave the file as it is. */
function write(file: Buffer, { exif, xmp, icc }: MetadataBlocks): Buffer {
  const newItems = [
    ...(exif ? [{ type: 'Exif\0', data: Buffer.concat([EXIF_NAME, exif]) }] : []),
    ...(xmp ? [{ type: `mime\0${XMP_TYPE}\0`, data: xmp }] : []),
  ]
  try {
    return withItems(file, newItems, icc) ?? file
  } catch (error) {
    // A number that does not fit its field.
    if (error instanceof RangeError) return file
    throw error
  }
}

interface Added {
  /** Four letters, and the item's name and media type. */
  readonly type: string
  readonly data: Buffer
}

function withItems(file: Buffer, newItems: readonly Added[], icc: Buffer | undefined): Buffer | undefined {
  const boxes = fileBoxesIn(file)
  const meta = boxes.find(({ type }) => type === 'meta')
  if (!meta || boxes.some(({ type }) => type === 'moov')) return undefined
  const inside = boxesIn(meta.body.subarray(FULL_BOX_BYTES))
  const bodyOf = (boxType: string) => inside.find(({ type }) => type === boxType)?.body
  const iloc = bodyOf('iloc')
  const iinf = bodyOf('iinf')
  const pitm = bodyOf('pitm')
  if (!iloc || !iinf || !pitm) return undefined
  const primary = pitm.readUInt8(0) === 0 ? pitm.readUInt16BE(4) : pitm.readUInt32BE(4)
  const locations = itemLocationsIn(iloc)
  const first = 1 + Math.max(...locations.items.map(({ id }) => id))
  const ids = newItems.map((_, index) => first + index)
  const metaAt = meta.body.byteOffset - file.byteOffset

  const rebuilt = (growth: number): Buffer => {
    const dataAt = file.length + growth + 8
    const movedOffset = (offset: number) => offset + (offset > metaAt ? growth : 0)
    const boxes = inside.map((one) => {
      if (one.type === 'iloc') return box('iloc', withLocations(locations, iloc, ids, newItems, dataAt, movedOffset))
      if (one.type === 'iinf') return box('iinf', withInfos(one.body, ids, newItems))
      if (one.type === 'iref') return box('iref', withReferences(one.body, ids, primary))
      return one.type === 'iprp' && icc ? box('iprp', withProfile(one.body, primary, icc)) : box(one.type, one.body)
    })
    const references = bodyOf('iref') || ids.length === 0 ? [] : [box('iref', withReferences(uint32(0), ids, primary))]
    return box('meta', meta.body.subarray(0, FULL_BOX_BYTES), ...boxes, ...references)
  }
  const metaGrowth = rebuilt(0).length - meta.header.length - meta.body.length
  const parts = boxes.map((one) => (one === meta ? rebuilt(metaGrowth) : Buffer.concat([one.header, one.body])))
  return Buffer.concat([...parts, ...(newItems.length > 0 ? [box('mdat', ...newItems.map(({ data }) => data))] : [])])
}

/** Entries with one extent each, in the layout of the box (ISO/IEC 14496-12, 8.11.3). */
function withLocations(
  locations: ItemLocations,
  iloc: Buffer,
  ids: readonly number[],
  newItems: readonly Added[],
  dataAt: number,
  moveOffset: (offset: number) => number,
): Buffer {
  const version = iloc.readUInt8(0)
  const offsetBytes = iloc.readUInt8(4) >> 4
  const lengthBytes = iloc.readUInt8(4) & 15
  const baseBytes = iloc.readUInt8(5) >> 4
  const indexBytes = version === 0 ? 0 : iloc.readUInt8(5) & 15
  let offset = dataAt
  const entries = newItems.map(({ data }, index) => {
    const entry = Buffer.concat([
      version < 2 ? uint16(ids[index] ?? 0) : uint32(ids[index] ?? 0),
      ...(version === 0 ? [] : [uint16(0)]),
      uint16(0),
      number(0, baseBytes),
      uint16(1),
      number(0, indexBytes),
      number(offset, offsetBytes),
      number(data.length, lengthBytes),
    ])
    offset += data.length
    return entry
  })
  const body = itemLocationsBody(locations, locations.items, moveOffset)
  const { length } = locations.head
  const count = locations.items.length + newItems.length
  body.writeUIntBE(count, length - locations.countBytes, locations.countBytes)
  return Buffer.concat([body, ...entries])
}

/** @throws RangeError where the value needs more bytes */
function number(value: number, bytes: number): Buffer {
  if (bytes === 0 && value !== 0) throw new RangeError('there is no field for a number')
  const field = Buffer.alloc(bytes)
  if (bytes > 0) field.writeUIntBE(value, bytes === 8 ? 2 : 0, Math.min(bytes, 6))
  return field
}

function withInfos(iinf: Buffer, ids: readonly number[], newItems: readonly Added[]): Buffer {
  const body = Buffer.from(iinf)
  const countBytes = iinf.readUInt8(0) === 0 ? 2 : 4
  body.writeUIntBE(iinf.readUIntBE(4, countBytes) + newItems.length, 4, countBytes)
  // Hidden, since they are no pictures.
  const infos = newItems.map(({ type }, index) => fullBox('infe', 2, 1, uint16(ids[index] ?? 0, 0), Buffer.from(type, 'latin1')))
  return Buffer.concat([body, ...infos])
}

/** Each describes the primary item. */
function withReferences(iref: Buffer, ids: readonly number[], primary: number): Buffer {
  const isWide = iref.readUInt8(0) !== 0
  const id = (value: number) => (isWide ? uint32(value) : uint16(value))
  return Buffer.concat([iref, ...ids.map((from) => box('cdsc', id(from), uint16(1), id(primary)))])
}

/** The container of properties gets one more, which is associated with the primary item (ISO/IEC 23008-12, 9.3). */
function withProfile(iprp: Buffer, primary: number, icc: Buffer): Buffer {
  const inside = boxesIn(iprp)
  const count = boxesIn(inside.find(({ type }) => type === 'ipco')?.body ?? Buffer.alloc(0)).length
  const profile = box('colr', Buffer.from('prof', 'latin1'), icc)
  return Buffer.concat(
    inside.map(({ type, body }: Box) => {
      if (type === 'ipco') return box('ipco', body, profile)
      return type === 'ipma' ? box('ipma', withAssociation(body, primary, count + 1)) : box(type, body)
    }),
  )
}

function withAssociation(ipma: Buffer, primary: number, property: number): Buffer {
  const idBytes = ipma.readUInt8(0) === 0 ? 2 : 4
  const indexBytes = (ipma.readUInt8(3) & 1) + 1
  for (let entry = 0, at = 8; entry < ipma.readUInt32BE(4); entry++) {
    const count = ipma.readUInt8(at + idBytes)
    const end = at + idBytes + 1 + count * indexBytes
    if (ipma.readUIntBE(at, idBytes) === primary) {
      if (property > (indexBytes === 1 ? 0x7f : 0x7fff)) throw new RangeError('there are too many properties')
      const body = Buffer.concat([ipma.subarray(0, end), number(property, indexBytes), ipma.subarray(end)])
      body.writeUInt8(count + 1, at + idBytes)
      return body
    }
    at = end
  }
  throw new RangeError('the primary item has no properties')
}

export const isobmffContainer: Container = { read, write, iptc: false }
