import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openPixelmill } from 'pixelmill/index'
import sharp from 'sharp'

/**
 * `node lab/measure-library.ts FOLDER [ROUNDS]`: processor time of the library beside sharp with the encoder's settings that the
 * library has, for the JPEGs of a folder as WebP of 1,200 pixels, two at a time. Each side runs in a process of its own, in turn, with
 * few and with many photographs: the difference is what one costs, the rest what a start costs. Linux.
 */

const WIDTH = 1_200
const LANES = 2
/** What the library asks libwebp for at quality 75 and about a megapixel. */
const SHARP_QUALITY = 84
const COUNTS = [100, 300] as const
const SIDES = ['library', 'sharp'] as const
type Side = (typeof SIDES)[number]

const TICKS_PER_SECOND = 100

/** Of this process and of all that have ended below it. */
function processorSeconds(): number {
  const [, fields = ''] = readFileSync('/proc/self/stat', 'utf8').split(') ')
  const times = fields.split(' ').slice(11, 15).map(Number)
  return times.reduce((sum, ticks) => sum + ticks, 0) / TICKS_PER_SECOND
}

async function inLanes(files: readonly Buffer[], convert: (bytes: Buffer) => Promise<unknown>): Promise<void> {
  const waiting = files.values()
  const lane = async () => {
    for (const bytes of waiting) await convert(bytes)
  }
  await Promise.all(Array.from({ length: LANES }, lane))
}

async function convertAll(side: Side, files: readonly Buffer[]): Promise<void> {
  if (side === 'library') {
    await using mill = await openPixelmill({ renderers: LANES })
    await inLanes(files, (bytes) => mill.convert(bytes, { width: WIDTH, format: 'webp' }))
    return
  }
  sharp.cache(false)
  sharp.concurrency(1)
  const settings = { quality: SHARP_QUALITY, effort: 2 }
  await inLanes(files, (bytes) => sharp(bytes).autoOrient().resize({ width: WIDTH }).webp(settings).toBuffer())
}

const [folder, rounds = '3', side, count] = process.argv.slice(2)
if (!folder) throw new Error('Name a folder of photographs (*.jpg).')
if (side) {
  const names = readdirSync(folder).filter((name) => /\.jpe?g$/i.test(name))
  const pictures = names.map((name) => readFileSync(join(folder, name)))
  const files = Array.from({ length: Number(count) }, (_, index) => pictures[index % pictures.length] ?? Buffer.alloc(0))
  // Renderers count once they have ended and were waited for.
  process.once('exit', () => console.log(processorSeconds()))
  await convertAll(side as Side, files)
} else {
  const seconds = new Map<string, number[]>()
  for (let round = 0; round < Number(rounds); round++)
    for (const one of SIDES)
      for (const few of COUNTS) {
        const child = spawnSync(process.execPath, [import.meta.filename, folder, rounds, one, String(few)], { encoding: 'utf8' })
        if (child.status !== 0) throw new Error(child.stderr)
        const key = `${one} ${few}`
        seconds.set(key, [...(seconds.get(key) ?? []), Number(child.stdout)])
      }
  const median = (key: string): number =>
    seconds.get(key)?.toSorted((one, other) => one - other)[Number(rounds) >> 1] ?? Number.NaN
  for (const one of SIDES) {
    const [few, many] = COUNTS.map((number) => median(`${one} ${number}`))
    const each = ((many ?? 0) - (few ?? 0)) / (COUNTS[1] - COUNTS[0])
    console.log(`${one}: ${(each * 1_000).toFixed(1)} ms a photograph, ${((few ?? 0) - each * COUNTS[0]).toFixed(2)} s a start`)
  }
}
