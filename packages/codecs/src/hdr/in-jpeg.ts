import { endOfImage } from '../jpeg-segments.ts'
import { jpegContainer, segmentsIn } from '../metadata/containers/jpeg.ts'
import { parseAdobe } from './adobe.ts'
import { APPLE_MAP, appleStops } from './apple.ts'
import { ISO_MARK, parseIso } from './iso-21496.ts'
import { type GainMapValues, type StoredMap, usable } from './values.ts'

/** Pictures in one file: phones write the photograph, a thumbnail, a depth map and a gain map. */
const MOST_PICTURES = 16
const START = Buffer.from([0xff, 0xd8, 0xff])

/**
 * The gain map of a JPEG: the first further picture in the file that says it is one, wherever a directory of pictures would say it is.
 * Undefined where there is none, or its values are damaged.
 */
export function mapInJpeg(file: Buffer): StoredMap | undefined {
  const [main, ...others] = picturesIn(file)
  if (!main) return undefined
  for (const picture of others) {
    const values = valuesOf(picture) ?? appleValuesOf(picture, main)
    if (values) return { picture, values }
  }
  // Some writers put the values into the XMP of the main picture.
  const [picture] = others
  const values = picture && valuesOf(main)
  return values && { picture, values }
}

/** The pictures of a file, one behind the other, each up to its end. */
function picturesIn(file: Buffer): readonly Buffer[] {
  const pictures: Buffer[] = []
  for (let start = 0; start >= 0 && pictures.length < MOST_PICTURES; ) {
    const end = endOfPicture(file, start)
    if (end === undefined) break
    pictures.push(file.subarray(start, end))
    start = file.indexOf(START, end)
  }
  return pictures
}

const SOS = 0xda

/** Behind the segments and the scans; undefined where they are damaged. */
function endOfPicture(file: Buffer, start: number): number | undefined {
  for (let at = start + 2; at + 4 <= file.length && file[at] === 0xff; ) {
    if (file[at + 1] === SOS) return endOfImage(file, at)
    at += file[at + 1] === 0xff ? 1 : 2 + file.readUInt16BE(at + 2)
  }
  return undefined
}

function valuesOf(jpeg: Buffer): GainMapValues | undefined {
  const iso = isoSegment(jpeg)
  const { xmp } = jpegContainer.read(jpeg)
  return usable((iso && parseIso(iso)) ?? (xmp && parseAdobe(xmp)))
}

const APP2 = 0xe2
/** The version alone is four bytes. */
const VERSION_BYTES = 4

function isoSegment(jpeg: Buffer): Buffer | undefined {
  for (const { marker, body } of segmentsIn(jpeg)) {
    const isMarked = marker === APP2 && body.subarray(0, ISO_MARK.length).equals(ISO_MARK)
    if (isMarked && body.length > ISO_MARK.length + VERSION_BYTES) return body.subarray(ISO_MARK.length)
  }
  return undefined
}

function appleValuesOf(jpeg: Buffer, main: Buffer): { readonly appleStops: number } | undefined {
  const { xmp } = jpegContainer.read(jpeg)
  const stops = xmp?.includes(APPLE_MAP) ? appleStops(xmp, jpegContainer.read(main).exif) : undefined
  return stops === undefined ? undefined : { appleStops: stops }
}
