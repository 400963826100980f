import { type Box, boxesIn } from '../isobmff/boxes.ts'

/** A picture coded by HEVC: the decoder configuration (the body of an `hvcC` box) and the data. */
export interface CodedPicture {
  readonly configuration: Buffer
  readonly data: Buffer
}

/** The output of elheif: the picture and its alpha. */
export interface CodedPair {
  readonly colour: CodedPicture
  readonly alpha: CodedPicture
}

/** Reads a file by elheif 0.1.0: `iloc` version 0 with 32-bit offsets into the file, `ipma` version 0. */
export function readCodedPair(file: Buffer): CodedPair {
  const meta = bodyOf(file, 'meta').subarray(4)
  const properties = bodyOf(meta, 'iprp')
  const available = boxesIn(bodyOf(properties, 'ipco'))
  const data = itemData(file, bodyOf(meta, 'iloc'))
  let colour: CodedPicture | undefined
  let alpha: CodedPicture | undefined
  for (const { item, indices } of associations(bodyOf(properties, 'ipma'))) {
    const ownProperties = indices.map((index) => available[index - 1]).filter((box) => box !== undefined)
    const configuration = ownProperties.find(({ type }) => type === 'hvcC')?.body
    const codedData = data.get(item)
    if (!configuration || !codedData) throw new Error('elheif wrote an item without data')
    if (isAlpha(ownProperties)) alpha ??= { configuration, data: codedData }
    else colour ??= { configuration, data: codedData }
  }
  if (!colour || !alpha) throw new Error('elheif wrote no picture with alpha')
  return { colour, alpha }
}

function bodyOf(parent: Buffer, type: string): Buffer {
  const box = boxesIn(parent).find((each) => each.type === type)
  if (!box) throw new Error(`elheif wrote no ${type} box`)
  return box.body
}

/** Alpha is the item that has an `auxC` property (ISO/IEC 23008-12, 6.5.8). */
const isAlpha = (properties: readonly Box[]): boolean => properties.some(({ type }) => type === 'auxC')

/** Bytes before the entries of `iloc`, of an entry without its extents, and of an extent. */
const iloc = { entriesAt: 8, entry: 10, extent: 8 } as const

/**
 * Item → its data, which may lie in several extents. Entries: item 16 bits, data reference 16, base offset 32, number of
 * extents 16; extents: offset 32, length 32.
 */
function itemData(file: Buffer, box: Buffer): ReadonlyMap<number, Buffer> {
  const data = new Map<number, Buffer>()
  const count = box.readUInt16BE(6)
  let at: number = iloc.entriesAt
  for (let nth = 0; nth < count; nth++) {
    const base = box.readUInt32BE(at + 4)
    const extents = box.readUInt16BE(at + 8)
    const parts: Buffer[] = []
    for (let extent = 0; extent < extents; extent++) {
      const place = at + iloc.entry + extent * iloc.extent
      const offset = base + box.readUInt32BE(place)
      parts.push(file.subarray(offset, offset + box.readUInt32BE(place + 4)))
    }
    data.set(box.readUInt16BE(at), Buffer.concat(parts))
    at += iloc.entry + extents * iloc.extent
  }
  return data
}

interface Association {
  readonly item: number
  /** 1-based, of its properties. */
  readonly indices: readonly number[]
}

/** Which properties each item has; the top bit of an index marks essential ones. */
function associations(ipma: Buffer): readonly Association[] {
  const items: Association[] = []
  const count = ipma.readUInt32BE(4)
  let at = 8
  for (let nth = 0; nth < count; nth++) {
    const length = ipma.readUInt8(at + 2)
    const indices = [...ipma.subarray(at + 3, at + 3 + length)].map((byte) => byte & 0x7f)
    items.push({ item: ipma.readUInt16BE(at), indices })
    at += 3 + length
  }
  return items
}
