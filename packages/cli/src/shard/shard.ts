import { createHash } from 'node:crypto'
import { StartError } from '@pixelmill/codecs/contract/start-error'
import { InvalidArgumentError } from 'commander'
import type { Outcome } from '../convert/conversion.ts'
import type { Journal } from '../convert/journal.ts'
import { runConversion } from '../convert/run.ts'
import { openEngine } from '../engine/open-engine.ts'
import { readEnvironment } from '../environment.ts'
import { EXIT, untilInterrupted } from '../exit.ts'
import { RunFailure } from '../failure.ts'
import { bucketTarget, isBucketUri } from '../files/bucket.ts'
import { folderTarget, STATE_FOLDER } from '../files/folder-target.ts'
import { resultName } from '../files/result-name.ts'
import { placeOf } from '../files/sources-of.ts'
import type { Target } from '../files/target.ts'
import { imagesText } from '../format.ts'
import { differenceOf, loadRecipe, type RecipeOptions } from '../recipe.ts'
import { type Buckets, keySources, openBuckets, openManifest } from './keys.ts'
import { convertFrames } from './stdio.ts'
import { openVerdicts } from './verdicts.ts'

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
    await using resources = new AsyncDisposableStack()
    const engine = resources.use(openEngine({ jobs, note }, recipe, environment))
    if (stdio) {
      if ([manifest, index, of, out, name, verdicts].some((value) => value !== undefined))
        throw new InvalidArgumentError('--stdio takes no manifest and no target: images come and go through the pipe.')
      return await convertFrames(engine, recipe, signal)
    }
    if (manifest === undefined || index === undefined || of === undefined || out === undefined)
      throw new InvalidArgumentError('--manifest, --index, --of and --out are needed, or --stdio.')
    if (index >= of) throw new InvalidArgumentError(`--index counts from 0: with --of ${of} it is at most ${of - 1}.`)
    const nameOf = resultName(name ?? NAME_BY_ID, differenceOf(recipeOptions, recipe))
    const part = { index, of }
    const buckets = openBuckets(environment.s3Endpoint, resources)
    const list = await openManifest(manifest, buckets, resources)
    const template = name ?? NAME_BY_ID
    const run = runId([manifest, list.file.size, list.file.tag, column, recipe.version, template, out])
    const results = await openVerdicts(verdicts ?? verdictsBelow(out), run, part, buckets, resources)
    if (await results.exist()) {
      note(`Part ${index} of ${of} is complete: ${results.name} says what became of it.`)
      return EXIT.done
    }
    const sources = keySources(list, part, column, buckets)
    const target = resources.use(await openTarget(out, buckets))
    const conversion = {
      sources,
      target,
      journal: noJournal,
      engine,
      work: recipe,
      name: nameOf,
      overwrite: true,
      inPlace: false,
    }
    const counts = { done: 0, unchanged: 0, failed: 0 }
    const onOutcome = (outcome: Outcome) => {
      counts[outcome.status]++
      results.add(outcome)
    }
    await runConversion(conversion, onOutcome, signal)
    await results.complete()
    note(`Part ${index} of ${of}: ${imagesText(counts.done)} converted, ${counts.failed} failed. ${results.name}`)
    return EXIT.done
  } catch (error) {
    if (signal.aborted) return EXIT.interrupted
    if (!(error instanceof RunFailure || error instanceof StartError)) throw error
    note(error.message)
    // An engine tries again what was stopped, and not what cannot start.
    return error instanceof RunFailure ? EXIT.someFailed : EXIT.usage
  }
}

/** Eight digits tell the few runs into one place apart. */
const runId = (parts: readonly unknown[]): string => createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 8)

/** The same content has the same name, so that parts may be converted again, by several processes at once. */
const NAME_BY_ID = '{id}.{ext}'

/** Beside the journal of `pixelmill convert`, which no listing of images enters. */
const verdictsBelow = (out: string): string => `${out.replace(/\/$/, '')}/${STATE_FOLDER}/verdicts`

async function openTarget(out: string, buckets: Buckets): Promise<Target> {
  if (!isBucketUri(out)) return folderTarget(out, { durable: false })
  const place = placeOf(out)
  return bucketTarget(place, await buckets.of(place.bucket))
}

/** A part is converted as a whole. */
const noJournal: Journal = {
  resultsOf: () => [],
  resultsOfContent: () => [],
  entryOf: () => undefined,
  write: () => {},
  settle: () => {},
  leftOver: () => [],
  forget: () => {},
  touch: () => {},
  [Symbol.dispose]: () => {},
}
