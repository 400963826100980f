import { blankMetadata } from './blank.ts'
import { type Box, box, boxesIn, type FileBox, fileBoxesIn, withBody } from './boxes.ts'
import { type ItemLocation, itemLocationsBody, itemLocationsIn } from './item-locations.ts'
import { METADATA } from './items.ts'

interface Range {
  readonly start: number
  readonly end: number
}

const FULL_BOX_BYTES = 4
/** Boxes that pictures need. Others at the end are removed, such as the video of a "live" picture (`mpvd`). */
const NEEDED: readonly string[] = ['ftyp', 'meta', 'mdat', 'moov', 'moof']

/**
 * An AVIF or HEIC without EXIF and XMP items, boxes of others such as a C2PA manifest, and data after its end. Coded data is copied
 * and its offsets updated; where they cannot be, as of a movie, the metadata is overwritten.
 */
export function stripIsobmff(bytes: Buffer): Buffer {
  try {
    const file = withoutTail(bytes)
    return withoutMetadata(file) ?? blankMetadata(file)
  } catch (error) {
    // Damage: a number that lies outside its box.
    if (error instanceof RangeError) return blankMetadata(bytes)
    throw error
  }
}

function withoutTail(file: Buffer): Buffer {
  const last = fileBoxesIn(file).findLast(({ type }) => NEEDED.includes(type))
  return last ? file.subarray(0, placeOf(file, last).end) : file
}

/** Boxes of others: a C2PA manifest, and XMP as movies have it. */
const isForeign = ({ type }: Box): boolean => type === 'uuid'

function withoutMetadata(file: Buffer): Buffer | undefined {
  const boxes = fileBoxesIn(file)
  const meta = boxes.find(({ type }) => type === 'meta')
  // The offsets of a movie's samples are not updated here.
  if (!meta || boxes.some(({ type }) => type === 'moov')) return undefined
  const inside = boxesIn(meta.body.subarray(FULL_BOX_BYTES))
  const [iinf, iloc] = ['iinf', 'iloc'].map((boxType) => inside.find(({ type }) => type === boxType))
  if (!iinf || !iloc) return undefined
  const goneIds = metadataItems(iinf.body)
  const locations = itemLocationsIn(iloc.body)
  const droppedItems = locations.items.filter(({ id }) => goneIds.has(id))
  const keptItems = locations.items.filter(({ id }) => !goneIds.has(id))
  const foreign = boxes.filter(isForeign).map((one) => rangeOf(file, one))
  if (droppedItems.length + foreign.length === 0 || droppedItems.some(({ construction }) => construction !== 0)) return undefined
  const holes = rangesOf(droppedItems)
  if (!holes || !apart(holes, rangesOf(keptItems.filter(({ construction }) => construction === 0)))) return undefined
  if (!holes.every((hole) => boxes.some((one) => one.type === 'mdat' && within(hole, placeOf(file, one))))) return undefined

  const rebuilt = (moveOffset: (offset: number) => number) =>
    box(
      'meta',
      meta.body.subarray(0, FULL_BOX_BYTES),
      ...inside.map((one) => {
        if (one === iloc) return box('iloc', itemLocationsBody(locations, keptItems, moveOffset))
        if (one === iinf) return box('iinf', itemInfosWithout(iinf.body, goneIds))
        if (one.type === 'iref') return box('iref', referencesWithout(one.body, goneIds))
        return box(one.type, one.body)
      }),
    )
  const savedBytes = meta.body.length + 8 - rebuilt((offset) => offset).length
  const metaAt = placeOf(file, meta).start
  const before = (offset: number) =>
    [...holes, ...foreign].reduce((sum, { start, end }) => sum + (start < offset ? end - start : 0), 0)
  const shift = (offset: number) => offset - before(offset) - (metaAt < offset ? savedBytes : 0)
  const remaining = boxes.filter((one) => !isForeign(one))
  return Buffer.concat(
    remaining.map((one) => (one === meta ? rebuilt(shift) : withBody(one, without(file, placeOf(file, one), holes)))),
  )
}

/** A whole box, where it lies in the file. */
function rangeOf(file: Buffer, one: FileBox): Range {
  const { start, end } = placeOf(file, one)
  return { start: start - one.header.length, end }
}

/** A box's body, where it lies in the file. */
function placeOf(file: Buffer, { body }: Box): Range {
  const start = body.byteOffset - file.byteOffset
  return { start, end: start + body.length }
}

const within = (inner: Range, outer: Range): boolean => inner.start >= outer.start && inner.end <= outer.end

/** Undefined when an extent has no explicit length. */
function rangesOf(items: readonly ItemLocation[]): readonly Range[] | undefined {
  const extents = items.flatMap(({ extents }) => extents)
  if (extents.some(({ length }) => length === 0)) return undefined
  return extents.map(({ offset, length }) => ({ start: offset, end: offset + length })).sort((a, b) => a.start - b.start)
}

function apart(holes: readonly Range[], keptRanges: readonly Range[] | undefined): boolean {
  if (!keptRanges) return false
  const overlap = holes.some((hole, index) => hole.start < (holes[index - 1]?.end ?? 0))
  return !overlap && !holes.some((hole) => keptRanges.some(({ start, end }) => start < hole.end && hole.start < end))
}

function without(file: Buffer, { start, end }: Range, holes: readonly Range[]): Buffer {
  const parts: Buffer[] = []
  let at = start
  for (const hole of holes.filter((one) => within(one, { start, end }))) {
    parts.push(file.subarray(at, hole.start))
    at = hole.end
  }
  return Buffer.concat([...parts, file.subarray(at, end)])
}

/** How an item information entry (8.11.6) of version 2 or 3 begins; older ones name no type. */
function itemOf({ body }: Box): { readonly id: number; readonly type: string } {
  const wide = body.readUInt8(0) >= 3
  const [id, typeAt] = wide ? [body.readUInt32BE(4), 10] : [body.readUInt16BE(4), 8]
  return { id, type: body.readUInt8(0) < 2 ? '' : body.toString('latin1', typeAt, typeAt + 4) }
}

const infoHeadBytes = (body: Buffer): number => (body.readUInt8(0) === 0 ? 6 : 8)

const metadataItems = (iinf: Buffer): ReadonlySet<number> =>
  new Set(
    boxesIn(iinf.subarray(infoHeadBytes(iinf)))
      .map(itemOf)
      .filter(({ type }) => METADATA.includes(type))
      .map(({ id }) => id),
  )

function itemInfosWithout(iinf: Buffer, goneIds: ReadonlySet<number>): Buffer {
  const head = Buffer.from(iinf.subarray(0, infoHeadBytes(iinf)))
  const entries = boxesIn(iinf.subarray(head.length)).filter((entry) => !goneIds.has(itemOf(entry).id))
  head.writeUIntBE(entries.length, 4, head.length - 4)
  return Buffer.concat([head, ...entries.map(({ type, body }) => box(type, body))])
}

/** A reference's first field is the item it comes from (8.11.12); descriptions refer to what they describe. */
function referencesWithout(iref: Buffer, goneIds: ReadonlySet<number>): Buffer {
  const idOf = (body: Buffer): number => (iref.readUInt8(0) === 0 ? body.readUInt16BE(0) : body.readUInt32BE(0))
  const entries = boxesIn(iref.subarray(FULL_BOX_BYTES)).filter(({ body }) => !goneIds.has(idOf(body)))
  return Buffer.concat([iref.subarray(0, FULL_BOX_BYTES), ...entries.map(({ type, body }) => box(type, body))])
}
