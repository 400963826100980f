import { parseArgs } from 'node:util'
import { codecs } from '@pixelmill/codecs'
import { type Effort, efforts } from '@pixelmill/codecs/codec'
import { targetFormats } from '@pixelmill/codecs/image-formats'
import { readable } from '@pixelmill/engine/test/support/readable'
import sharp, { type JpegOptions, type Sharp } from 'sharp'
import { plainText } from './bench/report/table.ts'
import { openPhotograph, type Photograph, photographsIn, rasterOf } from './quality/photographs.ts'

/**
 * `node lab/measure-effort.ts [--side 512] [--formats avif,webp] [--encoders] FOLDER|FILE…`: bytes at equal SSIMULACRA2 and CPU of the
 * service's efforts, or with `--encoders` of the encoders' own, beside the first of each format; medians over the photographs. The tables
 * of docs/design/encoders.md are from it.
 */

type Encode = (pixels: Sharp, level: number) => Promise<Buffer>

interface Way {
  readonly name: string
  readonly encode: Encode
}

const avif = (effort: number, bitdepth: 8 | 10): Way => ({
  name: `effort ${effort}, ${bitdepth} bits`,
  encode: (pixels, quality) => pixels.avif({ quality, effort, bitdepth, chromaSubsampling: '4:2:0' }).toBuffer(),
})
const webp = (effort: number): Way => ({
  name: `effort ${effort}`,
  encode: (pixels, quality) => pixels.webp({ quality, effort }).toBuffer(),
})
const jpeg = (name: string, options: JpegOptions): Way => ({
  name,
  encode: (pixels, quality) => pixels.jpeg({ quality, ...options }).toBuffer(),
})

interface Format {
  readonly levels: readonly number[]
  readonly ways: readonly Way[]
}

const encoders: Readonly<Record<string, Format>> = {
  avif: {
    levels: [30, 40, 50, 60, 68, 75, 82],
    ways: [avif(1, 8), avif(0, 8), avif(0, 10), avif(1, 10), avif(2, 8), avif(3, 8), avif(4, 8), avif(4, 10)],
  },
  webp: { levels: [20, 40, 60, 75, 85, 92], ways: [2, 0, 1, 3, 4, 5, 6].map(webp) },
  jpeg: {
    levels: [30, 45, 60, 75, 82, 89],
    ways: [
      jpeg('baseline', {}),
      jpeg('baseline, Huffman tables of libjpeg', { optimiseCoding: false }),
      jpeg('progressive', { progressive: true, optimiseScans: true }),
      jpeg('trellis', { trellisQuantisation: true, overshootDeringing: true, quantisationTable: 3 }),
      jpeg('mozjpeg', { mozjpeg: true }),
    ],
  },
}

const serviceAt = (name: (typeof targetFormats)[number], effort: Effort): Way => ({
  name: effort,
  async encode(pixels, quality) {
    const { width = 0, height = 0 } = await pixels.metadata()
    const settings = { quality, effort, megapixels: (width * height) / 1e6, animation: undefined, photograph: true }
    return (await codecs[name].encode(pixels, settings)).bytes
  },
})

/** The first is what the others stand beside. */
const effortsInOrder: readonly Effort[] = ['balanced', ...efforts.filter((effort) => effort !== 'balanced')]

const services: Readonly<Record<string, Format>> = Object.fromEntries(
  targetFormats.map((name) => [
    name,
    { levels: [25, 45, 60, 75, 82, 89], ways: effortsInOrder.map((effort) => serviceAt(name, effort)) },
  ]),
)

const SCORES = [60, 72, 82] as const
/** At this level of all formats, the score is told too. */
const LEVEL = 75

interface Point {
  readonly score: number
  readonly bytes: number
  readonly ms: number
}

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

async function pointOf({ data, width, height, channels, judge }: Photograph, { encode }: Way, level: number): Promise<Point> {
  const began = cpuMs()
  const bytes = await encode(sharp(data, { raw: { width, height, channels } }), level)
  const ms = cpuMs() - began
  return { score: judge.score([await rasterOf(sharp(await readable(bytes)))]), bytes: bytes.length, ms }
}

/** Between the two points around the score, bytes by their logarithm; undefined where the points do not reach it. */
function at(points: readonly Point[], score: number): Omit<Point, 'score'> | undefined {
  const above = points.findIndex((point) => point.score >= score)
  const high = points[above]
  const low = points[above - 1]
  if (!high || !low) return undefined
  const share = (score - low.score) / (high.score - low.score)
  return {
    bytes: Math.exp(Math.log(low.bytes) + share * (Math.log(high.bytes) - Math.log(low.bytes))),
    ms: low.ms + share * (high.ms - low.ms),
  }
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    side: { type: 'string', default: '512' },
    formats: { type: 'string', default: 'avif,webp,jpeg' },
    encoders: { type: 'boolean', default: false },
  },
})
const formats = values.encoders ? encoders : services
sharp.concurrency(1)
sharp.cache(false)
const paths = photographsIn(positionals)
for (const name of values.formats.split(',')) {
  const format = formats[name]
  if (!format) throw new Error(`--formats takes ${Object.keys(formats).join(', ')}`)
  const curves = new Map<Way, (readonly Point[])[]>(format.ways.map((way) => [way, []]))
  for (const path of paths) {
    const photograph = await openPhotograph(path, Number(values.side))
    for (const [way, list] of curves) list.push(await curveOf(photograph, way, format.levels))
  }
  const [reference = []] = curves.values()
  const rows = [...curves].map(([way, list]) => [
    way.name,
    ...SCORES.flatMap((score) => besideAt(score, list, reference)),
    median(list.map((points) => points[format.levels.indexOf(LEVEL)]?.score ?? Number.NaN)).toFixed(1),
  ])
  const columns = ['way', ...SCORES.flatMap((score) => [`bytes at ${score}`, 'CPU ms']), `score at ${LEVEL}`]
  console.log(plainText({ title: `${name}, ${values.side} px, ${paths.length} photographs`, columns, rows }))
}

async function curveOf(photograph: Photograph, way: Way, levels: readonly number[]): Promise<readonly Point[]> {
  const points: Point[] = []
  for (const level of levels) points.push(await pointOf(photograph, way, level))
  return points
}

/** Median bytes beside the reference, of how many photographs, and median CPU. */
function besideAt(score: number, curves: readonly (readonly Point[])[], reference: readonly (readonly Point[])[]) {
  const pairs = curves.flatMap((points, nth) => {
    const own = at(points, score)
    const first = at(reference[nth] ?? [], score)
    return own && first ? [{ bytes: own.bytes / first.bytes, ms: own.ms }] : []
  })
  const bytes = median(pairs.map((pair) => pair.bytes)).toFixed(3)
  return [`${bytes} (${pairs.length})`, median(pairs.map(({ ms }) => ms)).toFixed(1)]
}
