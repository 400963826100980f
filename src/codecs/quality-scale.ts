/** Rows of [quality asked for, an encoder's own number that looks like it]; from 1 to 100, ascending. */
export type QualityScale = readonly (readonly [asked: number, own: number])[]

/** The encoder's number for a quality, between rows in proportion, rounded. */
export function onScale(scale: QualityScale, asked: number): number {
  const above = scale.findIndex(([quality]) => quality >= asked)
  const [high, ownHigh] = scale[above] ?? [100, 100]
  const [low, ownLow] = scale[above - 1] ?? [high, ownHigh]
  return high === low ? ownHigh : Math.round(ownLow + ((asked - low) / (high - low)) * (ownHigh - ownLow))
}
