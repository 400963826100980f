import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { codecs } from '@pixelmill/codecs'
import { readHeader } from '@pixelmill/codecs/pixels/header'
import { openImage } from '@pixelmill/codecs/pixels/open'
import { resampleStrip } from '@pixelmill/codecs/pixels/resample-strip'
import { type Size, scaledSize } from '@pixelmill/codecs/pixels/size'
import { pipelineOf, readStrip } from '@pixelmill/codecs/pixels/strip'
import { NO_PROGRAMS } from '@pixelmill/codecs/programs'
import { recipeSchema } from '@pixelmill/engine/recipe/recipe'
import { run } from '@pixelmill/engine/way-of-a-picture'
import sharp from 'sharp'
import { writeTables } from './bench/report/page-tables.ts'
import { plainText, type Table } from './bench/report/table.ts'
import { pictures } from './resizing/pictures.ts'

/**
 * `node --initial-old-space-size=32 --max-old-space-size=128 --max-semi-space-size=1 lab/measure-png.ts FOLDER [--write]`: CPU and bytes
 * from PNG to PNG, beside sharp alone, in whole and by stages; --write updates lab/results/png.md. A renderer's V8 has these flags;
 * without them its collections take as long as the rest.
 */

const [folder, option] = process.argv.slice(2)
if (!folder || (option && option !== '--write')) throw new Error('Name a folder of photographs (*.jpg), and perhaps --write.')

// A renderer has these settings.
sharp.cache(false)
sharp.concurrency(1)

const ROUNDS = 3
const SIDES = [160, 512, 1200] as const
const STAGES_SIDE = 512
const opening = { autoOrient: true, failOn: 'truncated', sequentialRead: true } as const

interface Kind {
  readonly name: string
  readonly files: readonly Buffer[]
}

interface Cost {
  readonly ms: number
  readonly bytes: number
}

type Way = (file: Buffer, side: number) => Promise<Buffer>

/** What one file takes: CPU milliseconds, minimum of several rounds, and the bytes that are written. */
async function costOf(work: () => Promise<{ readonly length: number }>): Promise<Cost> {
  let ms = Number.POSITIVE_INFINITY
  let bytes = 0
  for (let round = 0; round < ROUNDS; round++) {
    const began = process.cpuUsage()
    bytes = (await work()).length
    const { user, system } = process.cpuUsage(began)
    ms = Math.min(ms, (user + system) / 1000)
  }
  return { ms, bytes }
}

const box = (side: number) => ({ width: side, height: side, fit: 'inside' }) as const

/** sharp's resize, of stored samples, with all filters and a level. */
const bare =
  (compressionLevel: number): Way =>
  (file, side) =>
    sharp(file, opening).resize(box(side)).png({ adaptiveFiltering: true, compressionLevel }).toBuffer()

/** The service, in a renderer: header, plan, and all that follows. */
const service: Way = async (file, side) => {
  const recipe = recipeSchema.parse({ steps: [{ resize: box(side) }], outputs: [{ format: 'png' }] })
  const params = { recipe, files: [], accepts: [], allows: [] }
  const result = await run({ task: 'recipe', params }, [file], { megapixels: 100 }, NO_PROGRAMS)
  if (!('files' in result) || !result.files[0]) throw new Error('The recipe wrote no file.')
  return result.files[0]
}

const ways = { bare: bare(4), bareSmaller: bare(6), service } as const

async function averageOf(files: readonly Buffer[], work: (file: Buffer) => Promise<Cost>): Promise<Cost> {
  let ms = 0
  let bytes = 0
  for (const file of files) {
    const cost = await work(file)
    ms += cost.ms / files.length
    bytes += cost.bytes / files.length
  }
  return { ms, bytes }
}

const kilobytes = (bytes: number) => (bytes / 1000).toFixed(1)

async function wholeTable(kinds: readonly Kind[]): Promise<Table> {
  const rows: (readonly string[])[] = []
  for (const { name, files } of kinds)
    for (const side of SIDES) {
      const costOfWay = (way: Way) => averageOf(files, (file) => costOf(() => way(file, side)))
      const four = await costOfWay(ways.bare)
      const six = await costOfWay(ways.bareSmaller)
      const ours = await costOfWay(ways.service)
      const costs = [four, six, ours].flatMap(({ ms, bytes }) => [ms.toFixed(1), kilobytes(bytes)])
      rows.push([name, `${side}`, ...costs, (ours.ms / four.ms).toFixed(2)])
    }
  return {
    title: 'From PNG to PNG',
    columns: ['pictures', 'px', 'sharp, level 4: ms', 'kB', 'level 6: ms', 'kB', 'the service: ms', 'kB', 'ms beside level 4'],
    rows,
    notes: [
      'CPU of one core, minimum of three rounds in one process, and bytes, averages of the pictures. sharp averages stored samples and writes all filters; the service averages light, and runs all that a renderer does.',
    ],
  }
}

async function stagesTable(kinds: readonly Kind[]): Promise<Table> {
  const rows: (readonly string[])[] = []
  for (const { name, files } of kinds) {
    const millisecondsOf = async (work: (file: Buffer) => Promise<() => Promise<{ readonly length: number }>>) =>
      (await averageOf(files, async (file) => costOf(await work(file)))).ms.toFixed(1)
    rows.push([
      name,
      await millisecondsOf(async (file) => async () => (await readStrip(sharp(file, opening), 1, false)).data),
      await millisecondsOf(async (file) => async () => (await strip(file)).data),
      await millisecondsOf(async (file) => {
        const whole = await strip(file)
        return async () => reduce(whole).data
      }),
      await millisecondsOf(async (file) => {
        const small = reduce(await strip(file))
        return () => pipelineOf(small).png({ adaptiveFiltering: true, compressionLevel: 4 }).toBuffer()
      }),
      await millisecondsOf(async (file) => {
        const small = reduce(await strip(file))
        const settings = { quality: undefined, megapixels: (small.width * small.height) / 1e6, animation: undefined }
        return async () => (await codecs.png.encode(pipelineOf(small), settings)).bytes
      }),
    ])
  }
  return {
    title: `Stages at ${STAGES_SIDE} px, in ms`,
    columns: ['pictures', 'libvips decodes', 'the service decodes', 'reduces', 'libvips writes, level 4', 'the service writes'],
    rows,
  }
}

/** All samples of a file, as the service reads them. */
async function strip(file: Buffer) {
  const image = await openImage(file, await readHeader(file), codecs.png)
  return image.samples?.() ?? (await readStrip(image.pixels, 1, false))
}

function reduce(whole: Awaited<ReturnType<typeof strip>>) {
  const to: Size = scaledSize(whole, box(STAGES_SIDE))
  return resampleStrip(whole, to, { left: 0, top: 0, ...to })
}

const photographs = globSync('*.jpg', { cwd: folder }).sort().slice(0, 6)
const pngOf = (adaptiveFiltering: boolean) =>
  Promise.all(
    photographs.map((name) =>
      sharp(readFileSync(join(folder, name)))
        .png({ adaptiveFiltering })
        .toBuffer(),
    ),
  )
const drawings = (await pictures(folder)).filter(({ name }) => /drawing|text/.test(name))
const kinds: readonly Kind[] = [
  { name: 'photographs with filters', files: await pngOf(true) },
  { name: 'photographs without filters', files: await pngOf(false) },
  { name: 'drawing and texts', files: drawings.flatMap(({ files }) => files) },
]
const tables = [await wholeTable(kinds), await stagesTable(kinds)]
console.log(tables.map(plainText).join('\n'))
if (option) writeTables('lab/results/png.md', 'node lab/measure-png.ts FOLDER --write', tables)
