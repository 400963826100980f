import type { LimitedRange } from '../codec.ts'
import type { Cicp } from '../rgb-space.ts'
import { av1SequenceIn } from './av1-sequence.ts'
import { alphaItemOf, codedItemOf, type Item, primaryItemOf } from './items.ts'

/** The colour code points of the grid, else those of its first tile. */
export function pointsIn(bytes: Buffer): CodePoints | undefined {
  const primary = primaryItemOf(bytes)
  const codedItem = codedItemOf(bytes)
  return (primary && codePointsOf(primary)) ?? (codedItem && codePointsOf(codedItem))
}

export interface CodePoints extends Cicp {
  readonly matrix: number
  readonly fullRange: boolean
}

/** The colour code points of a picture without an ICC profile: its `colr` box of type nclx (ISO/IEC 23008-12, 6.5.5). */
export function codePointsOf({ properties }: Item): CodePoints | undefined {
  const colours = properties.filter(({ type, body }) => type === 'colr' && body.length >= 8)
  const kinds = colours.map(({ body }) => body.toString('latin1', 0, 4))
  const nclx = colours[kinds.indexOf('nclx')]?.body
  if (!nclx || nclx.length < 11 || kinds.includes('prof') || kinds.includes('rICC')) return undefined
  const primaries = nclx.readUInt16BE(4)
  const transfer = nclx.readUInt16BE(6)
  const matrix = nclx.readUInt16BE(8)
  return { primaries, transfer, matrix, fullRange: nclx.readUInt8(10) >= 0x80 }
}

/** H.273: unspecified primaries, transfer or matrix. */
const UNSPECIFIED = 2

/** Channels in limited range (black 16, white 235 in 8 bits) that libheif does not expand: grey, and alpha, which should never be limited. */
export function limitedRangeOf(bytes: Buffer): LimitedRange | undefined {
  const codedItem = codedItemOf(bytes)
  const alpha = alphaItemOf(bytes)
  const range = {
    grey: codedItem !== undefined && hasLimitedGrey(bytes, codedItem),
    alpha: alpha !== undefined && hasLimitedAlpha(alpha),
  }
  return range.grey || range.alpha ? range : undefined
}

function hasLimitedGrey(bytes: Buffer, { data }: Item): boolean {
  const sequence = av1SequenceIn(data)
  if (!sequence?.monochrome) return false
  const points = pointsIn(bytes)
  // The box takes precedence over the stream (AV1-ISOBMFF, 2.3.4), unless it is unspecified.
  const isNamed = points && [points.primaries, points.transfer, points.matrix].some((number) => number !== UNSPECIFIED)
  return !(isNamed ? points : sequence).fullRange
}

const hasLimitedAlpha = ({ data }: Item): boolean => av1SequenceIn(data)?.fullRange === false
