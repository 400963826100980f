import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { codecs } from '@pixelmill/codecs'
import type { Levels, Mode } from '@pixelmill/codecs/codec'
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
 * `node lab/measure-promise.ts [--side PIXELS] [--score 75] [--exhaustive N] [--judge PROGRAM] [--formats NAMES] FOLDER…`: how well
 * `visualQuality` and `maxBytes` keep what they promise, for the tables of docs/design/quality.md, for each folder. `--side` shrinks the
 * pictures first; every Nth one is compared with the result of trying all levels on all pixels; `--judge` names a program that scores two
 * PNG files, such as cloudinary/ssimulacra2, instead of our own judge. Pictures that miss the score by more than 2 are listed, and counted
 * as unreachable where no level of the format comes nearer in fewer bytes.
 */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    side: { type: 'string' },
    score: { type: 'string', default: '75' },
    exhaustive: { type: 'string', default: '0' },
    judge: { type: 'string' },
    formats: { type: 'string', default: 'jpeg,webp,avif' },
  },
})
if (positionals.length === 0) throw new Error('Name folders of pictures.')
const targetScore = Number(values.score)
const NEAR = 2

// A renderer has these settings: one image, one core.
libvips().concurrency(1)
libvips().cache(false)

/** As the format shows it: without alpha, on white. */
async function rasterOf(bytes: Buffer, hasAlpha: boolean): Promise<Raster> {
  const pixels = sharp(bytes, { autoOrient: true, failOn: 'none' }).toColourspace('srgb')
  const shownPixels = hasAlpha ? pixels.ensureAlpha() : pixels.flatten({ background: '#fff' })
  const { data, info } = await shownPixels.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height, channels: info.channels }
}

const pipelineOf = ({ data, width, height, channels }: Raster) =>
  sharp(data, { raw: { width, height, channels: channels as Channels } })

const scratch = mkdtempSync(join(tmpdir(), 'pixelmill-promise-'))
process.on('exit', () => rmSync(scratch, { recursive: true }))

/** The score of a file beside the original, by the program that was named, or ours. */
async function scorer(original: Raster, hasAlpha: boolean): Promise<(bytes: Buffer) => Promise<number>> {
  const { judge: program } = values
  if (!program || Math.min(original.width, original.height) < 8) {
    const judge = judgeOf([original])
    return async (bytes) => judge.score([await rasterOf(bytes, hasAlpha)])
  }
  const one = join(scratch, 'original.png')
  const other = join(scratch, 'encoded.png')
  return async (bytes) => {
    await pipelineOf(original).png({ compressionLevel: 1 }).toFile(one)
    await pipelineOf(await rasterOf(bytes, hasAlpha))
      .png({ compressionLevel: 1 })
      .toFile(other)
    return Number(execFileSync(program, [one, other], { encoding: 'utf8' }))
  }
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
  readonly name: string
  /** The true score of the answer to visualQuality, less the asked one; what it was said to be, less the true one. */
  readonly off: number
  readonly saidOff: number
  /** No level of the format comes nearer in fewer bytes. */
  readonly isNearest: boolean
  readonly cpu: number
  /** Bytes beside the exhaustive search for the score. */
  readonly bytes?: number
  readonly fits: boolean
  readonly sizedOff: number
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

/** All levels of all modes, the cheap half first. */
function* allLevels(levels: Levels, settings: Parameters<Levels['write']>[1]): Generator<readonly [Pick<Mode, 'write'>, number]> {
  for (const mode of levels.modes?.(settings) ?? [levels])
    for (let level = mode.min; level <= mode.max; level++) yield [mode, level]
}

async function measure(name: string, source: Buffer, format: string, isExhaustive: boolean): Promise<Row> {
  const { levels, alpha } = codecs[format as 'jpeg']
  if (!levels) throw new Error(`${format} has no levels`)
  const { hasAlpha: isClear = false } = await sharp(source, { failOn: 'none' }).metadata()
  const hasAlpha = isClear && alpha
  const original = await rasterOf(source, hasAlpha)
  const trueScore = await scorer(original, hasAlpha)
  const plain = await convert(source, { format })
  const result = await convert(source, { format, visualQuality: targetScore })
  const score = await trueScore(result.bytes)
  const { most, sized } = await withinShare(source, format, plain.bytes.length)
  const settings = { megapixels: (original.width * original.height) / 1e6, animation: undefined, alpha: hasAlpha }
  const off = score - targetScore
  const ownJudge = judgeOf([original])
  const ownScore = async (bytes: Buffer) => ownJudge.score([await rasterOf(bytes, hasAlpha)])
  let isNearest = false
  if (Math.abs(off) > NEAR) {
    isNearest = true
    for (const [mode, level] of allLevels(levels, settings)) {
      const { bytes } = await mode.write(pipelineOf(original), settings, level)
      // A smaller file with a higher score is no miss.
      if (off > 0 && bytes.length >= result.bytes.length) continue
      if (Math.abs((await ownScore(bytes)) - targetScore) < NEAR) {
        isNearest = false
        break
      }
    }
  }
  const row = {
    name,
    off,
    isNearest,
    saidOff: result.score - score,
    cpu: result.cpuMs / plain.cpuMs,
    fits: sized.bytes.length <= most,
    sizedOff: sized.score - (await trueScore(sized.bytes)),
  }
  if (!isExhaustive) return row
  const write = async (level: number) => (await levels.write(pipelineOf(original), settings, level)).bytes
  const below = await highest(levels, async (level) => (await ownScore(await write(level))) < targetScore)
  const best = await write(Math.min(levels.max, below + 1))
  const fitting = await write(await highest(levels, async (level) => (await write(level)).length <= most))
  const scoreLoss = fitting.length === sized.bytes.length ? 0 : (await ownScore(fitting)) - (await ownScore(sized.bytes))
  return { ...row, bytes: result.bytes.length / best.length, lost: scoreLoss }
}

const share = (numbers: readonly number[], passes: (one: number) => boolean) =>
  `${((100 * numbers.filter(passes).length) / numbers.length).toFixed(0)} %`
const quantile = (numbers: readonly number[], part: number): number =>
  numbers.toSorted((one, other) => one - other)[Math.min(numbers.length - 1, Math.floor(part * numbers.length))] ?? Number.NaN
const mean = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length
const withoutUndefined = (numbers: readonly (number | undefined)[]) => numbers.filter((one) => one !== undefined)

/** A picture, made smaller where that is asked for. */
async function readPicture(file: string): Promise<Buffer> {
  const bytes = readFileSync(file)
  if (!values.side) return bytes
  const side = Number(values.side)
  return sharp(bytes, { autoOrient: true, failOn: 'none' })
    .resize(side, side, { fit: 'inside', withoutEnlargement: true })
    .png({ compressionLevel: 1 })
    .toBuffer()
}

function tableRow(label: string, results: readonly Row[]): string[] {
  const off = results.map((row) => row.off)
  const errors = results.flatMap(({ saidOff, sizedOff }) => [Math.abs(saidOff), Math.abs(sizedOff)])
  const ratios = withoutUndefined(results.map((row) => row.bytes))
  const losses = withoutUndefined(results.map((row) => row.lost))
  const cpu = results.map((row) => row.cpu)
  return [
    label,
    String(results.length),
    share(off, (one) => Math.abs(one) <= NEAR),
    String(results.filter(({ isNearest }) => isNearest).length),
    `${quantile(off, 0.05).toFixed(1)} … ${quantile(off, 0.95).toFixed(1)}`,
    `${quantile(errors, 0.95).toFixed(2)}, ${quantile(errors, 0.99).toFixed(2)}, ${Math.max(...errors).toFixed(2)}`,
    `${mean(ratios).toFixed(3)} (${quantile(ratios, 0.95).toFixed(3)})`,
    `${mean(cpu).toFixed(2)} (${quantile(cpu, 0.5).toFixed(2)})`,
    share(
      results.map((row) => Number(row.fits)),
      (one) => one === 1,
    ),
    share(losses, (one) => one <= 1),
  ]
}

const rows: string[][] = []
for (const format of values.formats.split(',')) {
  const all: Row[] = []
  for (const folder of positionals) {
    const results: Row[] = []
    for (const [nth, file] of readdirSync(folder).entries()) {
      const every = Number(values.exhaustive)
      results.push(await measure(file, await readPicture(join(folder, file)), format, every > 0 && nth % every === 0))
    }
    for (const { name, off, saidOff, isNearest } of results.filter(
      (row) => Math.abs(row.off) > NEAR || Math.abs(row.saidOff) > 1,
    ))
      console.log(
        `${format} ${name}: off ${off.toFixed(1)}, said ${saidOff.toFixed(2)} more${isNearest ? ', the nearest level' : ''}`,
      )
    rows.push(tableRow(`${format}, ${basename(folder)}`, results))
    all.push(...results)
  }
  if (positionals.length > 1) rows.push(tableRow(`${format}, all`, all))
}
console.log(
  plainText({
    title: `visualQuality=${targetScore}; maxBytes = 0.7 of plain convert`,
    columns: [
      '',
      'pictures',
      'within ±2',
      'unreachable',
      '5 … 95 %',
      'said − true 95, 99, 100 %',
      'bytes mean (95 %)',
      'CPU × mean (median)',
      'fits',
      'lost ≤ 1',
    ],
    rows,
  }),
)
