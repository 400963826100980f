import { globSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { openPixelmill } from '@pixelmill/engine/library/pixelmill'
import { startBare } from './bench/bare/start-bare.ts'
import { median } from './bench/measure/median.ts'

/**
 * `node lab/measure-library.ts FOLDER`: the library in a loop over the JPEGs of a folder, beside sharp alone in a loop with the same
 * settings, in turns. Prints the time of the library as a multiple of sharp's, for each way of converting, and the medians.
 */

const IMAGES = 300
const TURNS = 5
const LANES = availableParallelism()
const ways = [
  { format: 'webp', width: 800 },
  { format: 'jpeg', width: 1600 },
  { format: 'avif', width: 800 },
] as const

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('Name a folder with photographs.')
const files = globSync('*.jpg', { cwd: folder })
  .sort()
  .map((name) => join(folder, name))
if (files.length === 0) throw new Error(`There are no *.jpg in ${folder}.`)
const photographs = files.map((file) => readFileSync(file))

const bare = await startBare()
const mill = await openPixelmill({ renderers: LANES })

/** Milliseconds for all images, in as many lanes as there are processors. */
async function loopOfLibrary(way: (typeof ways)[number], images: number): Promise<number> {
  let next = 0
  async function lane(): Promise<void> {
    while (next < images) await mill.convert(photographs[next++ % photographs.length] as Buffer, way)
  }
  const began = performance.now()
  await Promise.all(Array.from({ length: LANES }, lane))
  return performance.now() - began
}

for (const way of ways) {
  const name = `${way.format} ${way.width}`
  // V8 compiles during the first images, on both sides.
  await loopOfLibrary(way, photographs.length)
  await bare.render({ files, rendering: way, images: photographs.length })
  const library: number[] = []
  const sharp: number[] = []
  for (let turn = 0; turn < TURNS; turn++) {
    library.push(await loopOfLibrary(way, IMAGES))
    sharp.push((await bare.render({ files, rendering: way, images: IMAGES })).wallMs)
  }
  const ratios = library.map((ms, turn) => ms / (sharp[turn] ?? Number.NaN))
  const times = `${(median(library) / 1000).toFixed(2)} s, sharp ${(median(sharp) / 1000).toFixed(2)} s`
  console.log(`${name}: ${median(ratios).toFixed(3)} × sharp (${times}; ${IMAGES} images, ${LANES} lanes, ${TURNS} turns)`)
}
await mill.close()
await bare.stop()
