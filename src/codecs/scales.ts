/** Rows of [requested quality, equivalent setting of an encoder]; from 1 to 100, ascending. */
export type QualityScale = readonly (readonly [asked: number, own: number])[]

/** The encoder's setting for a quality, interpolated between rows and rounded. */
export function onScale(scale: QualityScale, asked: number): number {
  const above = scale.findIndex(([quality]) => quality >= asked)
  const [high, ownHigh] = scale[above] ?? [100, 100]
  const [low, ownLow] = scale[above - 1] ?? [high, ownHigh]
  return high === low ? ownHigh : Math.round(ownLow + ((asked - low) / (high - low)) * (ownHigh - ownLow))
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
  const found = curve.findIndex(ends)
  const end = found < 0 ? curve.length - 1 : Math.max(1, found)
  const [from, to] = [curve[end - 1], curve[end]]
  if (!from || !to) throw new Error('a curve has at least two rows')
  return [from, to]
}
