import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { codecs } from '@pixelmill/codecs'
import type { Levels } from '@pixelmill/codecs/codec'
import type { Raster } from '@pixelmill/codecs/pixels/raster'
import { NO_PROGRAMS } from '@pixelmill/codecs/programs'
import { libvips, sharp } from '@pixelmill/codecs/sharp'
import { operations } from '@pixelmill/engine/tasks/index'
import { run } from '@pixelmill/engine/way-of-a-picture'
import { judgeOf } from '@pixelmill/vision/likeness/ssimulacra2/ssimulacra2'
import { isRefusal } from 'pixelmill-server/contract/api-error'
import type { Channels } from 'sharp'
import { plainText } from './bench/report/table.ts'

/**
 * `node lab/measure-promise.ts [--side PIXELS] [--score 75] [--exhaustive N] FOLDER…`: how well `visualQuality` and `maxBytes` keep what
 * they promise, for the tables of docs/design/quality.md. `--side` shrinks the pictures first; every Nth one is
 * compared with the result of trying all levels on all pixels.
 */

const formats = ['jpeg', 'webp', 'avif'] as const
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    side: { type: 'string' },
    score: { type: 'string', default: '75' },
    exhaustive: { type: 'string', default: '4' },
  },
})
if (positionals.length === 0) throw new Error('Name folders of pictures.')
const targetScore = Number(values.score)
const files = positionals.flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))

// A renderer has these settings: one image, one core.
libvips().concurrency(1)
libvips().cache(false)

async function rasterOf(bytes: Buffer): Promise<Raster> {
  const pixels = sharp(bytes, { autoOrient: true, failOn: 'none' }).flatten({ background: '#fff' }).toColourspace('srgb')
  const { data, info } = await pixels.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height, channels: info.channels }
}

async function convert(source: Buffer, params: object) {
  const began = process.cpuUsage()
  const call = { task: 'convert', params: operations.convert.params.parse(params) } as const
  const result = await run(call, [source], { megapixels: Number.POSITIVE_INFINITY }, NO_PROGRAMS)
  const { user, system } = process.cpuUsage(began)
  const [bytes] = 'files' in result ? result.files : []
  if (!bytes || !('report' in result)) throw new Error('convert returned no file')
  return { bytes, score: Number(result.report.score), cpuMs: (user + system) / 1000 }
}

/** The highest level of which something holds, if it holds of all below. */
async function highest({ min, max }: Levels, holds: (level: number) => Promise<boolean>): Promise<number> {
  let low = min
  let high = max
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (await holds(middle)) low = middle
    else high = middle - 1
  }
  return low
}

interface Row {
  /** The true score of the answer to visualQuality, less the asked one; what it was said to be, less the true one. */
  readonly off: number
  readonly saidOff: number
  readonly cpu: number
  /** Bytes beside the exhaustive search for the score. */
  readonly bytes?: number
  readonly fits: boolean
  /** Points that the answer to maxBytes scores below the best that fits. */
  readonly lost?: number
}

/** A quality that fits in 0.7 of plain convert, or in all of it where the lowest takes more. */
async function withinShare(source: Buffer, format: string, plain: number) {
  const most = Math.floor(plain * 0.7)
  try {
    return { most, sized: await convert(source, { format, maxBytes: most }) }
  } catch (error) {
    if (!isRefusal(error) || error.code !== 'cannot_fit') throw error
    return { most: plain, sized: await convert(source, { format, maxBytes: plain }) }
  }
}

async function measure(source: Buffer, format: (typeof formats)[number], isExhaustive: boolean): Promise<Row> {
  const original = await rasterOf(source)
  const judge = judgeOf([original])
  const trueScore = async (bytes: Buffer) => judge.score([await rasterOf(bytes)])
  const plain = await convert(source, { format })
  const result = await convert(source, { format, visualQuality: targetScore })
  const score = await trueScore(result.bytes)
  const { most, sized } = await withinShare(source, format, plain.bytes.length)
  const row = {
    off: score - targetScore,
    saidOff: result.score - score,
    cpu: result.cpuMs / plain.cpuMs,
    fits: sized.bytes.length <= most,
  }
  const { levels } = codecs[format]
  // The search beside it writes opaque pictures.
  const { hasAlpha } = await sharp(source, { failOn: 'none' }).metadata()
  if (!isExhaustive || !levels || hasAlpha) return row
  const { width, height, channels, data } = original
  const pixels = () => sharp(data, { raw: { width, height, channels: channels as Channels } })
  const settings = { megapixels: (width * height) / 1e6, animation: undefined, alpha: false }
  const write = async (level: number) => (await levels.write(pixels(), settings, level)).bytes
  const below = await highest(levels, async (level) => (await trueScore(await write(level))) < targetScore)
  const best = await write(Math.min(levels.max, below + 1))
  const fitting = await write(await highest(levels, async (level) => (await write(level)).length <= most))
  const scoreLoss = fitting.length === sized.bytes.length ? 0 : (await trueScore(fitting)) - (await trueScore(sized.bytes))
  return { ...row, bytes: result.bytes.length / best.length, lost: scoreLoss }
}

const share = (numbers: readonly number[], passes: (one: number) => boolean) =>
  `${((100 * numbers.filter(passes).length) / numbers.length).toFixed(0)} %`
const quantile = (numbers: readonly number[], part: number): number =>
  numbers.toSorted((one, other) => one - other)[Math.min(numbers.length - 1, Math.floor(part * numbers.length))] ?? Number.NaN
const mean = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length
const withoutUndefined = (numbers: readonly (number | undefined)[]) => numbers.filter((one) => one !== undefined)

const rows: string[][] = []
for (const format of formats) {
  const results: Row[] = []
  for (const [nth, file] of files.entries()) {
    const bytes = readFileSync(file)
    const side = values.side && Number(values.side)
    const small =
      side &&
      (await sharp(bytes, { autoOrient: true, failOn: 'none' }).resize(side, side, { fit: 'inside', withoutEnlargement: true }))
    results.push(
      await measure(
        small ? await small.png({ compressionLevel: 1 }).toBuffer() : bytes,
        format,
        nth % Number(values.exhaustive) === 0,
      ),
    )
  }
  const off = results.map((row) => row.off)
  const ratios = withoutUndefined(results.map((row) => row.bytes))
  const losses = withoutUndefined(results.map((row) => row.lost))
  rows.push([
    format,
    String(results.length),
    share(off, (one) => Math.abs(one) <= 2),
    `${quantile(off, 0.05).toFixed(1)} … ${quantile(off, 0.95).toFixed(1)}`,
    share(
      results.map((row) => row.saidOff),
      (one) => Math.abs(one) <= 2,
    ),
    `${mean(ratios).toFixed(3)} (${quantile(ratios, 0.95).toFixed(3)})`,
    `${mean(results.map((row) => row.cpu)).toFixed(2)} (${quantile(
      results.map((row) => row.cpu),
      0.5,
    ).toFixed(2)})`,
    share(
      results.map((row) => Number(row.fits)),
      (one) => one === 1,
    ),
    share(losses, (one) => one <= 1),
  ])
}
console.log(
  plainText({
    title: `visualQuality=${targetScore}; maxBytes = 0.7 of plain convert`,
    columns: [
      '',
      'pictures',
      'within ±2',
      '5 … 95 %',
      'header ±2',
      'bytes mean (95 %)',
      'CPU × mean (median)',
      'fits',
      'lost ≤ 1',
    ],
    rows,
  }),
)
