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
