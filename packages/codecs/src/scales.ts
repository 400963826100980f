/**
 * Rows of [requested quality, equivalent setting of an encoder, that setting at full size where it differs]; from 1 to 100,
 * ascending.
 */
export type QualityScale = readonly (readonly [asked: number, own: number, full?: number])[]

/** Megapixels of the pictures that the columns were measured on: photographs with a longer side of 512 and of 2,048 pixels. */
const THUMBNAIL = 0.18
const FULL = 2.7

/** The encoder's setting for a quality, interpolated between rows, and between columns by the logarithm of the size; rounded. */
export function onScale(scale: QualityScale, wantedQuality: number, megapixels = THUMBNAIL): number {
  const above = scale.findIndex(([quality]) => quality >= wantedQuality)
  const high = scale[above] ?? [100, 100]
  const low = scale[above - 1] ?? high
  const share = high[0] === low[0] ? 1 : (wantedQuality - low[0]) / (high[0] - low[0])
  const size = Math.min(1, Math.max(0, Math.log(megapixels / THUMBNAIL) / Math.log(FULL / THUMBNAIL)))
  const own = ([, small, full = small]: QualityScale[number]): number => small + size * (full - small)
  return Math.round(own(low) + share * (own(high) - own(low)))
}

/** Rows of [up to this many megapixels, effort]; the last row is for all larger ones. */
export type EffortTable = readonly (readonly [megapixels: number, effort: number])[]

export function effortFor(table: EffortTable, megapixels: number): number {
  const row = table.find(([limit]) => megapixels <= limit) ?? table.at(-1)
  if (!row) throw new Error('an effort table has at least one row')
  return row[1]
}

/** Rows of [level, value], both ascending; linear between them. */
export type Curve = readonly (readonly [level: number, value: number])[]

/** The curve's value at a level, which need not be whole; beyond its ends it goes on straight. */
export function valueAt(curve: Curve, level: number): number {
  const [[l0, v0], [l1, v1]] = segment(curve, ([end]) => end >= level)
  return v0 + ((level - l0) / (l1 - l0)) * (v1 - v0)
}

/** Where the curve has a value. */
export function levelAt(curve: Curve, value: number): number {
  const [[l0, v0], [l1, v1]] = segment(curve, ([, end]) => end >= value)
  return l0 + ((value - v0) / (v1 - v0)) * (l1 - l0)
}

type Row = Curve[number]

function segment(curve: Curve, ends: (row: Row) => boolean): readonly [Row, Row] {
  const endRow = curve.findIndex(ends)
  const end = endRow < 0 ? curve.length - 1 : Math.max(1, endRow)
  const from = curve[end - 1]
  const to = curve[end]
  if (!from || !to) throw new Error('a curve has at least two rows')
  return [from, to]
}
