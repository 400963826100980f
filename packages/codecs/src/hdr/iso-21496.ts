import { ISO_MARK as MARK } from '../metadata/gain-maps.ts'
import type { GainChannel, GainMapValues } from './values.ts'

/** The mark of the values in a JPEG's APP2 segment (ISO 21496-1, annex C.4). */
export const ISO_MARK = Buffer.from(`${MARK}\0`, 'latin1')

/** Flags behind the two versions (ISO 21496-1, C.2). */
const flags = { threeChannels: 0x80, baseColourSpace: 0x40, commonDenominator: 0x08 } as const
const VERSION_BYTES = 4

/** Reads the values (ISO 21496-1, C.2). @throws RangeError when they are cut */
export function parseIso(data: Buffer): GainMapValues | undefined {
  // A later minimum version has other fields.
  if (data.readUInt16BE(0) !== 0) return undefined
  const bits = data.readUInt8(VERSION_BYTES)
  let at = VERSION_BYTES + 1
  const common = (bits & flags.commonDenominator) !== 0 ? data.readUInt32BE(at) : undefined
  if (common !== undefined) at += 4
  const fraction = (isSigned: boolean): number => {
    const numerator = isSigned ? data.readInt32BE(at) : data.readUInt32BE(at)
    const denominator = common ?? data.readUInt32BE(at + 4)
    at += common === undefined ? 8 : 4
    return numerator / denominator
  }
  const base = fraction(false)
  const alternate = fraction(false)
  const baseIsHdr = base > alternate
  const channels = Array.from({ length: bits & flags.threeChannels ? 3 : 1 }, (): GainChannel => {
    const min = fraction(true)
    const max = fraction(true)
    const gamma = fraction(false)
    const offsetBase = fraction(true)
    const offsetAlternate = fraction(true)
    return baseIsHdr
      ? { min, max, gamma, offsetSdr: offsetAlternate, offsetHdr: offsetBase }
      : { min, max, gamma, offsetSdr: offsetBase, offsetHdr: offsetAlternate }
  })
  return { channels, capacityMin: Math.min(base, alternate), capacityMax: Math.max(base, alternate), baseIsHdr }
}

/** Fractions of 32 bits are written in these parts. */
const DENOMINATOR = 1_000_000

/** The values of a map of an SDR picture. */
export function serialiseIso({ channels, capacityMin, capacityMax }: GainMapValues): Buffer {
  const fraction = (value: number): Buffer => {
    const bytes = Buffer.alloc(8)
    bytes.writeInt32BE(Math.round(value * DENOMINATOR), 0)
    bytes.writeUInt32BE(DENOMINATOR, 4)
    return bytes
  }
  const head = Buffer.from([0, 0, 0, 0, flags.baseColourSpace | (channels.length === 3 ? flags.threeChannels : 0)])
  const fields = channels.flatMap(({ min, max, gamma, offsetSdr, offsetHdr }) => [min, max, gamma, offsetSdr, offsetHdr])
  return Buffer.concat([head, ...[capacityMin, capacityMax, ...fields].map(fraction)])
}
