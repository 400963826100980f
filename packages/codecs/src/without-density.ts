import { CHUNK_OVERHEAD, chunksIn } from './png-file.ts'
import { withoutFields } from './tiff/strip.ts'

/**
 * A file as an encoder wrote it, without the density that it writes where nobody has said one: libvips takes a pixel a millimetre, and
 * readers would show a picture of 600 pixels as large as a table.
 * @param format as sharp names it; others have no density, or only where it is put into EXIF
 */
export const withoutDensity = (file: Buffer, format: string): Buffer => removers[format]?.(file) ?? file

const removers: Readonly<Record<string, (file: Buffer) => Buffer>> = {
  png: withoutPhysicalSize,
  jpeg: withoutUnits,
  tiff: (file) => withoutFields(file, (tag) => RESOLUTION.includes(tag)),
}

function withoutPhysicalSize(png: Buffer): Buffer {
  for (const { type, data, at } of chunksIn(png)) {
    if (type === 'IDAT') return png
    if (type === 'pHYs') return Buffer.concat([png.subarray(0, at), png.subarray(at + CHUNK_OVERHEAD + data.length)])
  }
  return png
}

/** JFIF 1.02: the segment behind SOI, its units, and two numbers; without units they are the shape of a pixel. */
const APP0 = 0xe0
const UNITS_AT = 13
const SQUARE = Buffer.from([0, 0, 1, 0, 1])

function withoutUnits(jpeg: Buffer): Buffer {
  if (jpeg[3] === APP0 && jpeg.toString('latin1', 6, 10) === 'JFIF') SQUARE.copy(jpeg, UNITS_AT)
  return jpeg
}

/** XResolution, YResolution and ResolutionUnit (TIFF 6.0, section 8). */
const RESOLUTION: readonly number[] = [282, 283, 296]
