import type { Codec } from '../codec.ts'
import { chunksIn } from '../png-file.ts'
import { readDirectory } from '../tiff/directory.ts'
import type { Density, DensityPlace } from './blocks.ts'
import { segmentsIn } from './containers/jpeg.ts'
import { pngChunk } from './containers/png.ts'
import { unlessDamaged } from './damage.ts'
import { type Exif, numbersOf, parseExif, rationalField, serialiseExif, shortField } from './exif.ts'
import { readBlocks } from './read-blocks.ts'

const CENTIMETRES = 2.54
const METRES = 0.0254

/** The density that a file names, in its own header or in EXIF; undefined where it names none, or only the shape of a pixel. */
export const densityOf = (file: Buffer, codec: Pick<Codec, 'density' | 'container'>): Density | undefined =>
  unlessDamaged(() => codec.density?.read(file) ?? inExif(readBlocks(file, codec).exif), undefined)

/** The file with a density in its header, where it has none there. */
export const withDensity = (file: Buffer, { density: place }: Pick<Codec, 'density'>, density: Density): Buffer =>
  place?.read(file) ? file : (place?.write?.(file, density) ?? file)

/** A number of pixels that can be meant. */
function density(x: number, y: number, inches: number): Density | undefined {
  const both = { x: x / inches, y: y / inches }
  return Object.values(both).every((one) => Number.isFinite(one) && one >= LEAST && one <= MOST) ? both : undefined
}

const LEAST = 1
const MOST = 100_000

/** 11,811 pixels a metre are 299.9994 an inch, and 300 is meant. */
function perMetre(x: number, y: number): Density | undefined {
  const perInch = density(x, y, 1 / METRES)
  const roundInch = (inch: number, metre: number) => (Math.round(Math.round(inch) / METRES) === metre ? Math.round(inch) : inch)
  return perInch && { x: roundInch(perInch.x, x), y: roundInch(perInch.y, y) }
}

/** JFIF 1.02: the segment behind SOI; units of inches and centimetres. */
const jfif = { app0: 0xe0, name: 'JFIF', nameAt: 6, unitsAt: 13, xAt: 14, yAt: 16, inches: 1, centimetres: 2 } as const

const isJfif = (file: Buffer): boolean =>
  file[3] === jfif.app0 && file.toString('latin1', jfif.nameAt, jfif.nameAt + jfif.name.length) === jfif.name

function inJfif(file: Buffer): Density | undefined {
  const unit = isJfif(file) ? unitInches[file[jfif.unitsAt] ?? 0] : undefined
  return unit ? density(file.readUInt16BE(jfif.xAt), file.readUInt16BE(jfif.yAt), unit) : undefined
}

/** Inches of a unit by its number in JFIF. */
const unitInches: readonly (number | undefined)[] = [undefined, 1, 1 / CENTIMETRES]

/** PNG, third edition, 11.3.4.3: pixels a metre. */
function inPhysicalSize(file: Buffer): Density | undefined {
  for (const { type, data } of chunksIn(file)) {
    if (type === 'IDAT') return undefined
    if (type === 'pHYs') return data[8] === 1 ? perMetre(data.readUInt32BE(0), data.readUInt32BE(4)) : undefined
  }
  return undefined
}

const tags = { x: 0x011a, y: 0x011b, unit: 0x0128 } as const
/** TIFF 6.0, section 8, and CIPA DC-008, 4.6.4: inches if it is not said. */
const units = { inch: 2, centimetre: 3 } as const

const inUnit = (x = Number.NaN, y = Number.NaN, unit: number = units.inch): Density | undefined =>
  unit === units.inch || unit === units.centimetre ? density(x, y, unit === units.inch ? 1 : 1 / CENTIMETRES) : undefined

function inDirectory(file: Buffer): Density | undefined {
  const first = readDirectory(file)
  const number = (tag: number) => first?.numbers(tag)[0]
  return inUnit(number(tags.x), number(tags.y), number(tags.unit))
}

function inExif(exif: Buffer | undefined): Density | undefined {
  const fields = exif && parseExif(exif)
  if (!fields) return undefined
  const number = (tagNumber: number) => {
    const field = fields.image.find(({ tag }) => tag === tagNumber)
    return field && numbersOf(field, fields.littleEndian)[0]
  }
  return inUnit(number(tags.x), number(tags.y), number(tags.unit))
}

/** Pixels a metre, in a header that is no OS/2 1 header. */
const bitmapHeader = { lengthAt: 14, least: 40, xAt: 38, yAt: 42 } as const

function inBitmapHeader(file: Buffer): Density | undefined {
  const isLong = file.readUInt32LE(bitmapHeader.lengthAt) >= bitmapHeader.least
  return isLong ? perMetre(file.readInt32LE(bitmapHeader.xAt), file.readInt32LE(bitmapHeader.yAt)) : undefined
}

/** In whole numbers of the unit in which they are nearer to it. */
function withJfif(file: Buffer, { x, y }: Density): Buffer {
  const missing = (inches: number) => [x, y].reduce((sum, one) => sum + Math.abs(Math.round(one * inches) / inches - one), 0)
  const unit = missing(1) <= missing(1 / CENTIMETRES) ? jfif.inches : jfif.centimetres
  const inches = unit === jfif.inches ? 1 : 1 / CENTIMETRES
  if (Math.max(x, y) * inches > 0xffff || !(isJfif(file) || mayBeJfif(file))) return file
  const rest = file.subarray(isJfif(file) ? SOI_BYTES + 2 + file.readUInt16BE(SOI_BYTES + 2) : SOI_BYTES)
  const segment = Buffer.from('\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x02\0\0\0\0\0\0\0', 'latin1')
  segment.writeUInt8(unit, jfif.unitsAt)
  segment.writeUInt16BE(Math.round(x * inches), jfif.xAt)
  segment.writeUInt16BE(Math.round(y * inches), jfif.yAt)
  return Buffer.concat([segment, rest])
}

const SOI_BYTES = 2
const APP14 = 0xee
const SOF0 = 0xc0
const SOF15 = 0xcf
/** Markers of Huffman tables and arithmetic coding are among those of frames (ITU-T T.81, table B.1). */
const NO_FRAMES: readonly number[] = [0xc4, 0xc8, 0xcc]

/** JFIF says that colours are YCbCr, so it would change those of a file with Adobe's segment or with components named otherwise. */
function mayBeJfif(file: Buffer): boolean {
  for (const { marker, body } of segmentsIn(file)) {
    if (marker === APP14) return false
    if (marker < SOF0 || marker > SOF15 || NO_FRAMES.includes(marker)) continue
    const ids = Array.from({ length: body[5] ?? 0 }, (_, index) => body[6 + index * 3])
    return ids.length === 1 || ids.join() === '1,2,3'
  }
  return false
}

/** Of the signature and the header chunk. */
const HEADER_BYTES = 33

function withPhysicalSize(file: Buffer, { x, y }: Density): Buffer {
  const data = Buffer.alloc(9)
  data.writeUInt32BE(Math.round(x / METRES), 0)
  data.writeUInt32BE(Math.round(y / METRES), 4)
  data.writeUInt8(1, 8)
  return Buffer.concat([file.subarray(0, HEADER_BYTES), ...pngChunk('pHYs', data), file.subarray(HEADER_BYTES)])
}

/** An EXIF block with a density, unless it has one. */
export function exifWithDensity(exif: Buffer | undefined, { x, y }: Density): Buffer | undefined {
  const ownFields = (exif && parseExif(exif)) ?? NO_FIELDS
  const { littleEndian } = ownFields
  const rest = ownFields.image.filter(({ tag }) => tag !== tags.y && tag !== tags.unit)
  if (rest.some(({ tag }) => tag === tags.x)) return exif
  const fields = [rationalField(littleEndian, tags.x, x), rationalField(littleEndian, tags.y, y)]
  return serialiseExif({ ...ownFields, image: [...rest, ...fields, shortField(littleEndian, tags.unit, units.inch)] })
}

const NO_FIELDS: Exif = { littleEndian: true, image: [], photo: [], place: [] }

/** A JFIF segment. */
export const jfifDensity: DensityPlace = { read: inJfif, write: withJfif, bytes: 18 }
/** A pHYs chunk with its length, type and checksum. */
export const pngDensity: DensityPlace = { read: inPhysicalSize, write: withPhysicalSize, bytes: 21 }
export const tiffDensity: DensityPlace = { read: inDirectory, isExif: true }
export const bitmapDensity: DensityPlace = { read: inBitmapHeader }
