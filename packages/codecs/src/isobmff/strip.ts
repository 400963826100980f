import { blankMetadata } from './blank.ts'
import { type Box, box, boxesIn, type FileBox, fileBoxesIn, resized } from './boxes.ts'
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
  const [iinf, iloc] = ['iinf', 'iloc'].map((wanted) => inside.find(({ type }) => type === wanted))
  if (!iinf || !iloc) return undefined
  const gone = metadataItems(iinf.body)
  const locations = itemLocationsIn(iloc.body)
  const dropped = locations.items.filter(({ id }) => gone.has(id))
  const kept = locations.items.filter(({ id }) => !gone.has(id))
  const foreign = boxes.filter(isForeign).map((one) => rangeOf(file, one))
  if (dropped.length + foreign.length === 0 || dropped.some(({ construction }) => construction !== 0)) return undefined
  const holes = rangesOf(dropped)
  if (!holes || !apart(holes, rangesOf(kept.filter(({ construction }) => construction === 0)))) return undefined
  if (!holes.every((hole) => boxes.some((one) => one.type === 'mdat' && within(hole, placeOf(file, one))))) return undefined

  const rebuilt = (moved: (offset: number) => number) =>
    box(
      'meta',
      meta.body.subarray(0, FULL_BOX_BYTES),
      ...inside.map((one) => {
        if (one === iloc) return box('iloc', itemLocationsBody(locations, kept, moved))
        if (one === iinf) return box('iinf', itemInfosWithout(iinf.body, gone))
        if (one.type === 'iref') return box('iref', referencesWithout(one.body, gone))
        return box(one.type, one.body)
      }),
    )
  const saved = meta.body.length + 8 - rebuilt((offset) => offset).length
  const metaAt = placeOf(file, meta).start
  const before = (offset: number) =>
    [...holes, ...foreign].reduce((sum, { start, end }) => sum + (start < offset ? end - start : 0), 0)
  const shift = (offset: number) => offset - before(offset) - (metaAt < offset ? saved : 0)
  const remaining = boxes.filter((one) => !isForeign(one))
  return Buffer.concat(
    remaining.map((one) => (one === meta ? rebuilt(shift) : resized(one, without(file, placeOf(file, one), holes)))),
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

function apart(holes: readonly Range[], kept: readonly Range[] | undefined): boolean {
  if (!kept) return false
  const overlap = holes.some((hole, index) => hole.start < (holes[index - 1]?.end ?? 0))
  return !overlap && !holes.some((hole) => kept.some(({ start, end }) => start < hole.end && hole.start < end))
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

function itemInfosWithout(iinf: Buffer, gone: ReadonlySet<number>): Buffer {
  const head = Buffer.from(iinf.subarray(0, infoHeadBytes(iinf)))
  const kept = boxesIn(iinf.subarray(head.length)).filter((entry) => !gone.has(itemOf(entry).id))
  head.writeUIntBE(kept.length, 4, head.length - 4)
  return Buffer.concat([head, ...kept.map(({ type, body }) => box(type, body))])
}

/** A reference's first field is the item it comes from (8.11.12); descriptions refer to what they describe. */
function referencesWithout(iref: Buffer, gone: ReadonlySet<number>): Buffer {
  const idOf = (body: Buffer): number => (iref.readUInt8(0) === 0 ? body.readUInt16BE(0) : body.readUInt32BE(0))
  const kept = boxesIn(iref.subarray(FULL_BOX_BYTES)).filter(({ body }) => !gone.has(idOf(body)))
  return Buffer.concat([iref.subarray(0, FULL_BOX_BYTES), ...kept.map(({ type, body }) => box(type, body))])
}
