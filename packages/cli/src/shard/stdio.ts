import { createHash } from 'node:crypto'
import { resultId } from '@pixelmill/engine/recipe/canonical'
import type { Engine } from '../engine/engine.ts'
import { EXIT } from '../exit.ts'
import { imageError } from '../failure.ts'
import type { LoadedRecipe } from '../work.ts'
import { type Frame, readFrames, writeFrame } from './frames.ts'

/** While one image is rendered, the next is read: the engine's pipe holds what is beyond that. */
const IN_FLIGHT = 2

/**
 * Converts framed images from standard input to standard output, in the order in which they are done, until the input ends.
 * @returns the exit code
 * @throws RunFailure for input that is not frames; the signal's reason
 */
export async function convertFrames(engine: Engine, recipe: LoadedRecipe, signal: AbortSignal): Promise<number> {
  const frames = readFrames(process.stdin)
  // The engine has gone, and nothing is left to do.
  process.stdout.once('error', () => process.exit(EXIT.someFailed))
  const work = async () => {
    for (let next = await frames.next(); !next.done; next = await frames.next()) await answer(next.value, engine, recipe, signal)
  }
  // A pipe that stays open would be waited for.
  const closeInput = () => void process.stdin.destroy()
  signal.addEventListener('abort', closeInput, { once: true })
  try {
    await Promise.all(Array.from({ length: engine.jobs * IN_FLIGHT }, work))
    signal.throwIfAborted()
    return EXIT.done
  } finally {
    closeInput()
  }
}

/** The id is the engine's own, and comes back as it was. */
async function answer({ head: { id }, body }: Frame, engine: Engine, recipe: LoadedRecipe, signal: AbortSignal): Promise<void> {
  try {
    const hash = createHash('sha256').update(body).digest('hex')
    const images = await engine.render(body, signal)
    const outputs = images.map(({ bytes, format, extension, type, width, height }, index) => ({
      name: recipe.recipe.outputs[index]?.name,
      format,
      extension,
      mime: type,
      width,
      height,
      bytes: bytes.length,
      resultId: resultId(hash, recipe.hashes, recipe.recipe, index),
    }))
    const bodies = images.map(({ bytes }) => bytes)
    await writeFrame(process.stdout, { id, outputs }, bodies)
  } catch (cause) {
    const error = imageError(cause)
    if (!error) throw cause
    await writeFrame(process.stdout, { id, outputs: [], error }, [])
  }
}
