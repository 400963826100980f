import { statSync } from 'node:fs'
import type { Engine } from '../engine/engine.ts'
import { EXIT } from '../exit.ts'
import { imageError } from '../failure.ts'
import type { SourceFile } from '../files/source.ts'
import { bytesText, durationText, imagesText, nameText, savedText } from '../format.ts'
import type { Place } from './places.ts'
import type { Reporter } from './report.ts'

/** Images that are converted to estimate the rest. */
const SAMPLE = 24

/**
 * Converts a random sample and says what all would come to. Nothing is written.
 * @returns the exit code
 */
export async function dryRun(
  places: readonly Pick<Place, 'sources'>[],
  engine: Engine,
  report: Reporter,
  signal: AbortSignal,
): Promise<number> {
  const { chosen, count, bytes } = await sampleOf(places)
  const began = performance.now()
  const waiting = [...chosen]
  let before = 0
  let after = 0
  let conversions = 0
  const work = async () => {
    for (let source = waiting.pop(); source !== undefined; source = waiting.pop()) {
      signal.throwIfAborted()
      try {
        const content = await source.read()
        const images = await engine.render(content, signal)
        before += content.length
        after += images.reduce((sum, image) => sum + image.bytes.length, 0)
        conversions++
      } catch (cause) {
        const error = imageError(cause)
        if (!error) throw cause
        report.note(`would fail  ${nameText(source.name)}: ${nameText(error.message)}`)
      }
    }
  }
  await Promise.all(Array.from({ length: engine.jobs }, work))
  if (conversions === 0) {
    report.note(count === 0 ? 'No images were found.' : 'None of the sample could be converted.')
    return count === 0 ? EXIT.done : EXIT.someFailed
  }
  const seconds = (((performance.now() - began) / 1000) * count) / conversions
  report.note(`${imagesText(count)}, ${bytesText(bytes)}. A sample of ${imagesText(conversions)}: ${savedText(before, after)}.`)
  report.note(
    `In all about ${bytesText(bytes * (after / before))}, in ${durationText(seconds)} on this machine. Nothing was written.`,
  )
  return EXIT.done
}

/** A random choice in which every image is equally likely: reservoir sampling (Vitter, 1985, algorithm R). */
async function sampleOf(places: readonly Pick<Place, 'sources'>[]) {
  const sample: SourceFile[] = []
  let count = 0
  let bytes = 0
  for (const { sources } of places) {
    for await (const source of sources.list()) {
      if ('failure' in source) continue
      // A file that is gone by now counts with no bytes, and fails if it is chosen.
      const size =
        source.location === undefined ? source.version().bytes : (statSync(source.location, { throwIfNoEntry: false })?.size ?? 0)
      count++
      bytes += size
      const at = count <= SAMPLE ? count - 1 : Math.floor(Math.random() * count)
      if (at < SAMPLE) sample[at] = source
    }
  }
  return { chosen: sample, count, bytes }
}
