import { existsSync, statSync } from 'node:fs'
import { extname } from 'node:path'
import { InvalidArgumentError } from 'commander'
import { StartError } from '../../contract/start-error.ts'
import { imageFormats, isImageName } from '../../web/image-formats.ts'
import { openEngine } from '../engine/open-engine.ts'
import { readEnvironment } from '../environment.ts'
import { untilInterrupted } from '../exit.ts'
import { RunFailure } from '../failure.ts'
import { DEFAULT_NAME, resultName } from '../files/result-name.ts'
import { loadRecipe, type RecipeOptions } from '../recipe.ts'
import { dryRun } from './dry-run.ts'
import { convertOneFile } from './one-file.ts'
import { placesOf } from './places.ts'
import { reporter } from './report.ts'
import { runConversion } from './run.ts'

export interface ConvertOptions extends RecipeOptions {
  readonly out?: string
  readonly inPlace?: boolean
  readonly name?: string
  readonly overwrite?: boolean
  readonly jobs?: number
  readonly dryRun?: boolean
  readonly json?: boolean
  readonly quiet?: boolean
  readonly server?: string
  readonly key?: string
}

/**
 * `pixelmill convert`: carries out a recipe on files, folders, patterns and buckets.
 * @returns the exit code
 * @throws InvalidArgumentError before anything is started
 */
export async function convert(asked: readonly string[], options: ConvertOptions): Promise<number> {
  const { out, inPlace = false, name, overwrite = false, jobs, dryRun: isDry = false, ...rest } = options
  const { json = false, quiet = false, server, key, ...recipeOptions } = rest
  if (inPlace === (out !== undefined) && !isDry)
    throw new InvalidArgumentError('Say where results go: --out TARGET, or --in-place to replace the images.')
  const environment = readEnvironment()
  const single = out !== undefined && isOneFile(asked, out)
  const recipe = await loadRecipe(single ? withFormatOf(out, recipeOptions) : recipeOptions)
  const several = recipe.recipe.outputs.length > 1
  if (several && (single || inPlace))
    throw new InvalidArgumentError('The recipe has several outputs: name a folder or a bucket with --out.')
  const named = resultName(name ?? DEFAULT_NAME, several)
  const report = reporter({ json, quiet })
  using interrupt = untilInterrupted()
  const { signal } = interrupt
  try {
    await using opened = new AsyncDisposableStack()
    const engine = opened.use(openEngine({ server, key, jobs, note: report.note }, recipe, environment))
    if (single) return await convertOneFile(asked[0] ?? '-', out, engine, report, signal)
    const places = await placesOf(asked, out, environment, opened)
    if (isDry) return await dryRun(places, engine, report, signal)
    for (const { sources, open, inPlace } of places) {
      const conversion = { ...(await open()), sources, engine, recipe, name: named, overwrite, inPlace }
      await report.during(sources, (onOutcome) => runConversion(conversion, onOutcome, signal))
    }
    return report.end()
  } catch (error) {
    if (signal.aborted) return report.interrupted()
    if (error instanceof RunFailure || error instanceof StartError) return report.stopped(error.message)
    throw error
  }
}

/** One image in, one out, without a journal: from or to a pipe, or to a target that is named as a file. */
function isOneFile(asked: readonly string[], out: string): boolean {
  const isPipe = out === '-' || asked.includes('-')
  if (isPipe && asked.length > 1) throw new InvalidArgumentError('A pipe has one image: name one source.')
  const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
  const [source = ''] = asked
  return isPipe || (asked.length === 1 && isImageName(out) && !isFolder(out) && existsSync(source) && !isFolder(source))
}

/** The target's extension is its format, where nothing else says one. */
function withFormatOf(out: string, options: RecipeOptions): RecipeOptions {
  const isSaid = [options.format, options.recipe, options.preset].some((value) => value !== undefined)
  return isSaid || out === '-' ? options : { ...options, format: formatOfName(out) }
}

function formatOfName(path: string): string {
  const extension = extname(path).slice(1).toLowerCase()
  const [name] =
    Object.entries(imageFormats).find(([, { extensions }]) => (extensions as readonly string[]).includes(extension)) ?? []
  return name ?? extension
}
