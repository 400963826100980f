import { deflateSync, zstdCompressSync } from 'node:zlib'
import { type Fields, packBits, tiffOf } from '@pixelmill/codecs/test/support/tiff'
import sharp from 'sharp'
import { lzwOf, packBitsOf, reverseBits } from './tiff-packing.ts'

/** One picture of 16 × 16 fields in every layout that TIFF allows, with the expected colour of each field. */

export const size = { width: 44, height: 40 } as const
const FIELD = 16

export const photometrics = { whiteIsZero: 0, blackIsZero: 1, rgb: 2, palette: 3, cmyk: 5, yCbCr: 6, cieLab: 8 } as const
export const compressions = { none: 1, lzw: 5, jpeg: 7, deflate: 8, packBits: 32_773, zstd: 50_000 } as const

export interface Kind {
  readonly photometric: keyof typeof photometrics
  readonly compression: keyof typeof compressions
  readonly planar: boolean
  readonly tiled: boolean
  readonly bits: number
  readonly format: 'unsigned' | 'float'
  /** 1 is none, 2 horizontal differencing, 3 floating-point differencing. */
  readonly predictor: number
  readonly alpha: boolean
  readonly subsampling: readonly [across: number, down: number]
  /** Codes of black and white for Y, Cb and Cr. */
  readonly range: 'full' | 'video'
  readonly luma: 'bt601' | 'bt709'
  readonly bigEndian: boolean
  readonly lowestBitFirst: boolean
}

export const plain: Kind = {
  photometric: 'rgb',
  compression: 'none',
  planar: false,
  tiled: false,
  bits: 8,
  format: 'unsigned',
  predictor: 1,
  alpha: false,
  subsampling: [1, 1],
  range: 'full',
  luma: 'bt601',
  bigEndian: false,
  lowestBitFirst: false,
}

/** The colours of the fields, 0–255, and the alpha of every second one. */
const colours = [
  [200, 100, 50],
  [40, 160, 90],
  [90, 70, 180],
  [230, 220, 60],
  [20, 30, 40],
  [250, 250, 250],
  [120, 120, 120],
  [180, 60, 140],
  [60, 190, 200],
] as const
const ALPHA = 128
const fieldAt = (x: number, y: number): number => Math.floor(y / FIELD) * 3 + Math.floor(x / FIELD)
/** A point in each field, away from its edges. */
export const points = colours.map((_, field) => ({ x: (field % 3) * FIELD + 5, y: Math.floor(field / 3) * FIELD + 4 }))

const lumas = { bt601: [0.299, 0.587, 0.114], bt709: [0.2126, 0.7152, 0.0722] } as const
const ranges = { full: [0, 255, 128, 255, 128, 255], video: [16, 235, 128, 240, 128, 240] } as const
/** L*, a* and b* inside sRGB; apps/server/src/images/test/tiff.test.ts compares their colours under D50 with LittleCMS. */
const lab = [50, 40, -30] as const
const LAB_COLOUR = [166, 92, 172] as const

/** The expected colour of a field, 0–255, with alpha; of inks, the light that cyan, magenta and yellow leave, without black. */
export function expected(kind: Kind, field: number): readonly number[] {
  const [r, g, b] = colours[field] ?? colours[0]
  const levels = kind.format === 'float' ? 255 : 2 ** kind.bits - 1
  const toLevel = (value: number) => (Math.round((value / 255) * levels) / levels) * 255
  const alpha = toLevel(kind.alpha && field % 2 === 1 ? ALPHA : 255)
  switch (kind.photometric) {
    case 'whiteIsZero':
    case 'blackIsZero':
      return [toLevel(g), toLevel(g), toLevel(g), alpha]
    case 'cieLab':
      return [...LAB_COLOUR, alpha]
    case 'palette': {
      const entry = field % 2 ** Math.min(kind.bits, 8)
      return [...(colours[entry] ?? []), alpha]
    }
    case 'rgb':
    case 'cmyk':
      return [toLevel(r), toLevel(g), toLevel(b), alpha]
    case 'yCbCr':
      return [r, g, b, alpha]
  }
}

/** The samples of a field, 0–1 for colours, whole numbers for palette indices and Lab. */
function samplesOf(kind: Kind, field: number): readonly number[] {
  const [r, g, b] = (colours[field] ?? colours[0]).map((value) => value / 255) as [number, number, number]
  const full = 2 ** kind.bits - 1
  const alpha = kind.alpha ? [(field % 2 === 1 ? ALPHA : 255) / 255] : []
  const toSamples = (values: readonly number[]): readonly number[] =>
    kind.format === 'float' ? [...values, ...alpha] : [...values, ...alpha].map((value) => Math.round(value * full))
  switch (kind.photometric) {
    case 'whiteIsZero':
      return toSamples([1 - g])
    case 'blackIsZero':
      return toSamples([g])
    case 'palette':
      return [field % 2 ** Math.min(kind.bits, 8), ...alpha.map((value) => Math.round(value * full))]
    case 'cmyk':
      return toSamples([1 - r, 1 - g, 1 - b, 0])
    case 'cieLab': {
      const unit = 2 ** (kind.bits - 8)
      const toSigned = (value: number) => ((value + 256) % 256) * unit
      return [
        Math.round((lab[0] / 100) * full),
        toSigned(lab[1]),
        toSigned(lab[2]),
        ...alpha.map((value) => Math.round(value * full)),
      ]
    }
    case 'yCbCr': {
      const [kr, kg, kb] = lumas[kind.luma]
      const y = kr * r + kg * g + kb * b
      const [blackY, whiteY, zero, topB, , topR] = ranges[kind.range]
      const unit = full / 255
      const chroma = (value: number, top: number) => (zero + (value * 255 * (top - zero)) / 127) * unit
      const codes = [
        (blackY + y * (whiteY - blackY)) * unit,
        chroma((b - y) / (2 - 2 * kb), topB),
        chroma((r - y) / (2 - 2 * kr), topR),
      ]
      return [
        ...codes.map((code) => Math.min(full, Math.max(0, Math.round(code)))),
        ...alpha.map((value) => Math.round(value * full)),
      ]
    }
    default:
      return toSamples([r, g, b])
  }
}

const countOf = (kind: Kind): number => samplesOf(kind, 0).length

/** The file. JPEG is encoded by libjpeg at its best quality, one stream for each strip or tile. */
export async function tiffOfKind(kind: Kind): Promise<Buffer> {
  const chunk = kind.tiled ? { width: 32, height: 16 } : { width: size.width, height: 16 }
  const samples = countOf(kind)
  const planes = kind.planar
    ? Array.from({ length: samples }, (_, plane) => [plane])
    : [Array.from({ length: samples }, (_, at) => at)]
  const chunks: Uint8Array[] = []
  for (const plane of planes)
    for (let top = 0; top < size.height; top += chunk.height)
      for (let left = 0; left < size.width; left += chunk.width) {
        const rows = kind.tiled ? chunk.height : Math.min(chunk.height, size.height - top)
        chunks.push(await encodeChunk(kind, plane, { left, top, width: chunk.width, height: rows }))
      }
  const fields: Fields = {
    256: [size.width],
    257: [size.height],
    258: new Array<number>(samples).fill(kind.bits),
    259: [compressions[kind.compression]],
    262: [photometrics[kind.photometric]],
    277: [samples],
    278: [chunk.height],
    284: [kind.planar ? 2 : 1],
    ...(kind.lowestBitFirst && { 266: [2] }),
    ...(kind.predictor > 1 && { 317: [kind.predictor] }),
    ...(kind.photometric === 'palette' && { 320: paletteOf(kind) }),
    ...(kind.tiled && { 322: [chunk.width], 323: [chunk.height] }),
    ...(kind.alpha && { 338: [2] }),
    ...(kind.format === 'float' && { 339: new Array<number>(samples).fill(3) }),
  }
  const rational = (values: readonly number[]) => values.map((value) => [Math.round(value * 10_000), 10_000] as const)
  const unit = (2 ** kind.bits - 1) / 255
  const rationals =
    kind.photometric !== 'yCbCr'
      ? {}
      : {
          ...(kind.luma !== 'bt601' && { 529: rational(lumas[kind.luma]) }),
          ...(kind.range !== 'full' && { 532: ranges[kind.range].map((code) => [Math.round(code * unit), 1] as const) }),
        }
  const allFields = kind.photometric === 'yCbCr' ? { ...fields, 530: [...kind.subsampling] } : fields
  return tiffOf(allFields, chunks, false, { bigEndian: kind.bigEndian, rationals })
}

function paletteOf({ bits }: Kind): readonly number[] {
  const entries = Array.from({ length: 2 ** bits }, (_, index) => colours[index % colours.length] ?? colours[0])
  return [0, 1, 2].flatMap((channel) => entries.map((colour) => (colour[channel] ?? 0) * 257))
}

interface Area {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** Samples of the fields, once for each kind. */
const cache = new WeakMap<Kind, readonly (readonly number[])[]>()

/** Beyond the picture, its edge is repeated. */
function sampleAt(kind: Kind, channel: number, x: number, y: number): number {
  const fields = cache.get(kind) ?? points.map((_, field) => samplesOf(kind, field))
  cache.set(kind, fields)
  return fields[fieldAt(Math.min(x, size.width - 1), Math.min(y, size.height - 1))]?.[channel] ?? 0
}

async function encodeChunk(kind: Kind, channels: readonly number[], area: Area): Promise<Uint8Array> {
  if (kind.compression === 'jpeg') return jpegOf(kind, channels, area)
  const bytes = Buffer.concat(rowsOf(kind, channels, area))
  const packing: Readonly<Record<string, (data: Buffer) => Uint8Array>> = {
    none: (data) => data,
    lzw: lzwOf,
    deflate: (data) => deflateSync(data),
    packBits: packBitsOf,
    zstd: (data) => zstdCompressSync(data),
  }
  const out = packing[kind.compression]?.(bytes) ?? bytes
  return kind.lowestBitFirst ? out.map(reverseBits) : out
}

function rowsOf(kind: Kind, channels: readonly number[], { left, top, width, height }: Area): readonly Buffer[] {
  const [across, down] = kind.photometric === 'yCbCr' ? kind.subsampling : ([1, 1] as const)
  const isChroma = kind.planar && (channels[0] === 1 || channels[0] === 2)
  const rows: number[][] = []
  if (across * down > 1 && !kind.planar) {
    for (let y = 0; y < height; y += down) {
      const row: number[] = []
      for (let x = 0; x < width; x += across) {
        for (let below = 0; below < down; below++)
          for (let beside = 0; beside < across; beside++) row.push(sampleAt(kind, 0, left + x + beside, top + y + below))
        row.push(sampleAt(kind, 1, left + x, top + y), sampleAt(kind, 2, left + x, top + y))
      }
      rows.push(row)
    }
    // libtiff takes differences over lines that are not rows of blocks.
    if (kind.predictor === 2) {
      const line = kind.tiled ? width * 3 : Math.floor((rows[0]?.length ?? 0) / down)
      const all = rows.flat()
      const lines = Array.from({ length: Math.ceil(all.length / line) }, (_, at) => all.slice(at * line, (at + 1) * line))
      return lines.map((values) => rowBytes(kind, values, 3))
    }
  } else {
    const [stepX, stepY] = isChroma ? [across, down] : [1, 1]
    for (let y = 0; y < height; y += stepY) {
      const row: number[] = []
      for (let x = 0; x < width; x += stepX) for (const channel of channels) row.push(sampleAt(kind, channel, left + x, top + y))
      rows.push(row)
    }
  }
  return rows.map((row) => rowBytes(kind, row, channels.length))
}

/** The samples of a row in bytes, differenced if the kind has a predictor. */
function rowBytes(kind: Kind, row: readonly number[], stride: number): Buffer {
  const { bits, format, predictor, bigEndian } = kind
  if (bits % 8 !== 0) return Buffer.from(packBits(row, bits))
  const full = 2 ** bits
  const values =
    predictor === 2 ? row.map((value, at) => (at < stride ? value : (value - (row[at - stride] ?? 0) + full) % full)) : row
  const bytes = bits / 8
  const out = Buffer.alloc(values.length * bytes)
  const view = new DataView(out.buffer, out.byteOffset, out.length)
  // Predictor 3 splits the numbers into bytes from the highest on, whatever the file's byte order.
  const little = !bigEndian && predictor !== 3
  for (const [index, value] of values.entries()) {
    if (format === 'float' && bits === 64) view.setFloat64(index * bytes, value, little)
    else if (format === 'float' && bits === 32) view.setFloat32(index * bytes, value, little)
    else if (format === 'float') view.setFloat16(index * bytes, value, little)
    else if (bits === 8) out[index] = value
    else if (bits === 16) view.setUint16(index * bytes, value, little)
    else if (bits === 32) view.setUint32(index * bytes, value, little)
    else out.set(bytesOf(value, bytes, little), index * bytes)
  }
  if (predictor !== 3) return out
  const planes = Buffer.from(out.map((_, at) => out[(at % values.length) * bytes + Math.floor(at / values.length)] ?? 0))
  return Buffer.from(planes.map((byte, at) => (at < stride ? byte : byte - (planes[at - stride] ?? 0))))
}

function bytesOf(value: number, count: number, little: boolean): readonly number[] {
  const bytes = Array.from({ length: count }, (_, at) => Math.floor(value / 2 ** (8 * at)) % 256)
  return little ? bytes : bytes.reverse()
}

/** One stream of all components; for YCbCr with the file's subsampling. */
async function jpegOf(kind: Kind, channels: readonly number[], { left, top, width, height }: Area): Promise<Uint8Array> {
  const isChroma = kind.planar && kind.photometric === 'yCbCr' && (channels[0] === 1 || channels[0] === 2)
  const [stepX, stepY] = isChroma ? kind.subsampling : [1, 1]
  const columns = Math.ceil(width / stepX)
  const rows = Math.ceil(height / stepY)
  const value = (x: number, y: number, channel: number) => sampleAt(kind, channel, left + x * stepX, top + y * stepY)
  const inRgb = !kind.planar && kind.photometric === 'yCbCr'
  const data = Buffer.from(
    Array.from({ length: columns * rows }, (_, pixel) => {
      const x = pixel % columns
      const y = Math.floor(pixel / columns)
      const field = fieldAt(Math.min(left + x, size.width - 1), Math.min(top + y, size.height - 1))
      return inRgb ? (colours[field] ?? []) : channels.map((channel) => value(x, y, channel))
    }).flat(),
  )
  const raw = { width: columns, height: rows, channels: channels.length as 1 | 3 | 4 }
  const chromaSubsampling = kind.subsampling[0] * kind.subsampling[1] === 1 ? '4:4:4' : '4:2:0'
  const pixels = sharp(data, { raw })
  if (channels.length === 1) return pixels.toColourspace('b-w').jpeg({ quality: 100 }).toBuffer()
  return pixels.jpeg({ quality: 100, chromaSubsampling }).toBuffer()
}
