import type { Completed } from './codec.ts'
import { orientationOf, orientationOnly } from './exif.ts'
import { CHUNK_OVERHEAD, chunk, SIGNATURE_BYTES } from './png-file.ts'
import { type Chromaticity, gammaCurve, type RgbSpace, rgbSpaceOf, SRGB } from './rgb-space.ts'

/** Fractions are written in hundred-thousandths (PNG, third edition, 11.3.2). */
const UNIT = 100_000

/** The chunks on colour, by type; all are before the pixel data. */
function colourChunks(file: Buffer): ReadonlyMap<string, Buffer> {
  const chunksByType = new Map<string, Buffer>()
  for (let at = SIGNATURE_BYTES; at + CHUNK_OVERHEAD <= file.length; ) {
    const length = file.readUInt32BE(at)
    const type = file.toString('latin1', at + 4, at + 8)
    if (type === 'IDAT') break
    if (['cICP', 'sRGB', 'gAMA', 'cHRM'].includes(type)) chunksByType.set(type, file.subarray(at + 8, at + 8 + length))
    at += CHUNK_OVERHEAD + length
  }
  return chunksByType
}

/** The colour space of a PNG without an ICC profile, from cICP, else sRGB, else gAMA with cHRM; undefined for sRGB. */
export function pngSpace(file: Buffer): RgbSpace | undefined {
  const chunks = colourChunks(file)
  const codePoints = chunks.get('cICP')
  const gamma = chunks.get('gAMA')
  const corners = chunks.get('cHRM')
  if (codePoints?.length === 4) return rgbSpaceOf({ primaries: codePoints.readUInt8(0), transfer: codePoints.readUInt8(1) })
  if (chunks.has('sRGB') || gamma?.length !== 4) return undefined
  const exponent = gamma.readUInt32BE(0) / UNIT
  const { curves } = Math.abs(exponent - 1 / 2.2) < 0.01 || exponent === 0 ? SRGB : { curves: threeTimes(1 / exponent) }
  const primaries = corners?.length === 32 ? primariesOf(corners) : SRGB
  return curves === SRGB.curves && primaries === SRGB ? undefined : { ...primaries, curves }
}

/** The transfer function that a cICP chunk names. */
export function pngTransfer(file: Buffer): number | undefined {
  const codePoints = colourChunks(file).get('cICP')
  return codePoints?.length === 4 ? codePoints.readUInt8(1) : undefined
}

const threeTimes = (gamma: number): RgbSpace['curves'] => [gammaCurve(gamma), gammaCurve(gamma), gammaCurve(gamma)]

/** The primaries in cHRM; sRGB when they are invalid, or equal to sRGB's but for rounding. */
function primariesOf(corners: Buffer): RgbSpace {
  const point = (index: number): Chromaticity => [
    corners.readUInt32BE(index * 8) / UNIT,
    corners.readUInt32BE(index * 8 + 4) / UNIT,
  ]
  const space = { white: point(0), red: point(1), green: point(2), blue: point(3), curves: SRGB.curves }
  const points = ['white', 'red', 'green', 'blue'] as const
  const apart = points.map((name) => Math.hypot(space[name][0] - SRGB[name][0], space[name][1] - SRGB[name][1]))
  const sane = points.every((name) => space[name][1] > 0 && space[name][0] + space[name][1] <= 1) && area(space) > 0.01
  return sane && Math.max(...apart) > 0.01 ? space : SRGB
}

/** Twice the area of the triangle: primaries on one line span no colours. */
const area = ({ red, green, blue }: RgbSpace): number =>
  Math.abs((green[0] - red[0]) * (blue[1] - red[1]) - (blue[0] - red[0]) * (green[1] - red[1]))

/**
 * Chunks that change how the picture looks, moves or is placed on a page (PNG, third edition, 11.3), and Android's nine-patches. Others
 * are texts, times, a C2PA manifest, which does not fit a changed file, or unknown, and may say anything.
 */
const NEEDED: ReadonlySet<string> = new Set([
  'tRNS',
  'cHRM',
  'gAMA',
  'iCCP',
  'sBIT',
  'sRGB',
  'cICP',
  'mDCV',
  'cLLI',
  'bKGD',
  'hIST',
  'pHYs',
  'sPLT',
  'oFFs',
  'sCAL',
  'acTL',
  'fcTL',
  'fdAT',
  'npTc',
  'npLb',
  'npOl',
])
/** The first letter of a type is a capital where no decoder can do without the chunk (PNG, third edition, 5.4). */
const isNeeded = (type: string): boolean => /^[A-Z]/.test(type) || NEEDED.has(type)

/**
 * A PNG without texts, times and EXIF; chunks that pictures need are copied unchanged, with their checksums. An orientation other
 * than upright is kept as the only EXIF field. A damaged file is returned unchanged.
 */
export function stripPng(bytes: Buffer): Buffer {
  const parts: Buffer[] = [bytes.subarray(0, SIGNATURE_BYTES)]
  let at = SIGNATURE_BYTES
  while (at + CHUNK_OVERHEAD <= bytes.length) {
    const end = at + CHUNK_OVERHEAD + bytes.readUInt32BE(at)
    if (end > bytes.length) return bytes
    const type = bytes.toString('latin1', at + 4, at + 8)
    if (type === 'eXIf') parts.push(...orientationChunk(bytes.subarray(at + 8, end - 4)))
    else if (isNeeded(type)) parts.push(bytes.subarray(at, end))
    if (type === 'IEND') return Buffer.concat(parts)
    at = end
  }
  return bytes
}

/** The last chunk, which is always the same. */
const IEND = Buffer.from('0000000049454e44ae426082', 'hex')

/**
 * A PNG with the last chunk that it lacks, without a chunk that is cut, or with the pixel data that are there of the last chunk of
 * them: the decoder tells whether rows are missing.
 */
export function completedPng(file: Buffer): Completed | undefined {
  if (file.subarray(-IEND.length).equals(IEND)) return undefined
  let at = SIGNATURE_BYTES
  while (at + CHUNK_OVERHEAD <= file.length) {
    if (file.toString('latin1', at + 4, at + 8) === 'IEND') return undefined
    const end = at + CHUNK_OVERHEAD + file.readUInt32BE(at)
    if (end > file.length) break
    at = end
  }
  const rest = file.subarray(at)
  const isData = rest.toString('latin1', 4, 8) === 'IDAT' && rest.length > 8
  const last = isData ? [chunk('IDAT', rest.subarray(8, 8 + rest.readUInt32BE(0)))] : []
  return { file: Buffer.concat([file.subarray(0, at), ...last, IEND]), warning: 'missing_end' }
}

function orientationChunk(exif: Buffer): readonly Buffer[] {
  const orientation = orientationOf(exif)
  return orientation === 1 ? [] : [chunk('eXIf', orientationOnly(orientation))]
}
