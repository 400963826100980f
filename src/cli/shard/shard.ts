import { InvalidArgumentError } from 'commander'
import { StartError } from '../../contract/start-error.ts'
import { openEngine } from '../engine/engine.ts'
import { readEnvironment } from '../environment.ts'
import { EXIT, untilInterrupted } from '../exit.ts'
import { RunFailure } from '../failure.ts'
import { loadRecipe, type RecipeOptions } from '../recipe/load.ts'
import { convertFrames } from './stdio.ts'

export interface ShardOptions extends RecipeOptions {
  readonly stdio?: boolean
  readonly manifest?: string
  readonly index?: number
  readonly of?: number
  readonly column: string
  readonly out?: string
  readonly name?: string
  readonly verdicts?: string
  readonly jobs?: number
}

/**
 * `pixelmill shard`: one part of a list, or the images of an engine's pipe.
 * @returns the exit code
 * @throws InvalidArgumentError before anything is started
 */
export async function shard(options: ShardOptions): Promise<number> {
  const { stdio = false, manifest, index, of, column, out, name, verdicts, jobs, ...recipeOptions } = options
  const environment = readEnvironment()
  const recipe = await loadRecipe(recipeOptions)
  using interrupt = untilInterrupted()
  const { signal } = interrupt
  const note = (text: string) => void process.stderr.write(`${text}\n`)
  try {
    await using opened = new AsyncDisposableStack()
    const engine = opened.use(openEngine({ jobs, note }, recipe, environment))
    if (stdio) {
      if ([manifest, index, of, out, name, verdicts].some((value) => value !== undefined))
        throw new InvalidArgumentError('--stdio takes no manifest and no target: images come and go through the pipe.')
      return await convertFrames(engine, recipe, signal)
    }
    throw new InvalidArgumentError('--manifest, --index, --of and --out are needed, or --stdio.')
  } catch (error) {
    if (signal.aborted) return EXIT.interrupted
    if (!(error instanceof RunFailure || error instanceof StartError)) throw error
    note(error.message)
    return EXIT.usage
  }
}
