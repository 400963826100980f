import { numbersOf, parseExif } from '../metadata/exif.ts'
import { xmpTexts } from '../metadata/xmp.ts'
import type { GainMapValues } from './values.ts'

export const APPLE_MAP = 'http://ns.apple.com/HDRGainMap/1.0/'

/**
 * The headroom of a map in stops. Newer phones say it in the XMP of the map, older ones in the MakerNote of the picture.
 * Undefined where neither does.
 */
export function appleStops(xmp: Buffer | undefined, exif: Buffer | undefined): number | undefined {
  const headroom = Number(xmp && xmpTexts(xmp).get(`${APPLE_MAP} HDRGainMapHeadroom`)?.[0])
  const stops = headroom > 1 ? Math.log2(headroom) : exif && headroomIn(exif)
  return stops !== undefined && stops > 0 && stops < MOST_STOPS ? stops : undefined
}

/** Phones have up to 3. */
const MOST_STOPS = 10

const MAKER_NOTE = 0x927c
/** `Apple iOS`, a zero, a version, the order of bytes; then a directory whose offsets count from the start of the note. */
const APPLE = 'Apple iOS\0'
const DIRECTORY_AT = 14
const HEADROOM = 33
const GAIN = 48

/**
 * From two fields of the MakerNote, as "Applying Apple HDR effect to your photos" (developer.apple.com) computes it; undefined
 * where they are missing.
 */
function headroomIn(exif: Buffer): number | undefined {
  const note = parseExif(exif)?.photo.find(({ tag }) => tag === MAKER_NOTE)?.data
  if (!note || note.toString('latin1', 0, APPLE.length) !== APPLE) return undefined
  const fields = parseExif(asTiff(note))?.image ?? []
  const value = (tagName: number) => {
    const field = fields.find(({ tag }) => tag === tagName)
    return field && numbersOf(field, false)[0]
  }
  const headroom = value(HEADROOM)
  const gain = value(GAIN)
  if (headroom === undefined || gain === undefined) return undefined
  const stops =
    headroom < 1
      ? gain <= 0.01
        ? -20 * gain + 1.8
        : -0.101 * gain + 1.601
      : gain <= 0.01
        ? -70 * gain + 3
        : // biome-ignore lint/suspicious/noApproximativeNumericConstant: Apple's number, which is not ln 10
          -0.303 * gain + 2.303
  return Math.max(stops, 0)
}

/** The note as a TIFF structure of its own: its directory begins behind the header that it has in place of TIFF's. */
function asTiff(note: Buffer): Buffer {
  const tiff = Buffer.from(note)
  tiff.write('MM\0*', 0, 'latin1')
  tiff.writeUInt32BE(DIRECTORY_AT, 4)
  return tiff
}

/** The values of a map of the samples that `appleSample` makes. */
export const appleValues = (stops: number, channels: number): GainMapValues => ({
  channels: Array.from({ length: channels }, () => ({ min: 0, max: stops, gamma: 1, offsetSdr: 0, offsetHdr: 0 })),
  capacityMin: 0,
  capacityMax: stops,
  baseIsHdr: false,
})

/**
 * A sample of an Apple map as a gain in logarithms, 0 to 1: Apple multiplies light by 1 + (headroom - 1) × sample, where the sample is
 * coded like BT.709.
 */
export function appleSample(sample: number, stops: number): number {
  const light = sample < 0.081 ? sample / 4.5 : ((sample + 0.099) / 1.099) ** (1 / 0.45)
  return Math.log2(1 + (2 ** stops - 1) * light) / stops
}
