import { createHash } from 'node:crypto'
import { existsSync, realpathSync, statSync } from 'node:fs'
import { extname } from 'node:path'
import { StartError } from '@pixelmill/codecs/contract/start-error'
import { imageFormats, isImageName } from '@pixelmill/codecs/image-formats'
import { InvalidArgumentError } from 'commander'
import { openEngine } from '../engine/open-engine.ts'
import { readEnvironment } from '../environment.ts'
import { untilInterrupted } from '../exit.ts'
import { RunFailure } from '../failure.ts'
import { isBucketUri } from '../files/bucket.ts'
import { DEFAULT_NAME, resultName } from '../files/result-name.ts'
import { loadRecipe, type RecipeOptions } from '../recipe.ts'
import { dryRun } from './dry-run.ts'
import { convertOneFile } from './one-file.ts'
import { dryPlaces, placesOf } from './places.ts'
import { reporter } from './report.ts'
import { runConversion } from './run.ts'
import { singleResults } from './single-results.ts'

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
export async function convert(sourceArguments: readonly string[], options: ConvertOptions): Promise<number> {
  const { out, inPlace = false, name, overwrite = false, jobs, dryRun: isDry = false, ...rest } = options
  const { json = false, quiet = false, server, key, ...recipeOptions } = rest
  if (inPlace === (out !== undefined) && !isDry)
    throw new InvalidArgumentError('Say where results go: --out TARGET, or --in-place to replace the images.')
  if (json && out === '-') throw new InvalidArgumentError('--json and --out - both need standard output.')
  if (inPlace && sourceArguments.includes('-'))
    throw new InvalidArgumentError('Standard input cannot be replaced: name a target with --out.')
  const environment = readEnvironment()
  const single = out !== undefined && isOneFile(sourceArguments, out)
  const recipe = await loadRecipe(single ? withFormatOf(out, recipeOptions) : recipeOptions)
  if (single && out !== '-') refuseOtherFormat(out, recipe.recipe.outputs)
  const several = recipe.recipe.outputs.length > 1
  if (several && (single || inPlace))
    throw new InvalidArgumentError('The recipe has several outputs: name a folder or a bucket with --out.')
  const template = name ?? DEFAULT_NAME
  const nameOf = resultName(template, several)
  const report = reporter({ json, quiet })
  using interrupt = untilInterrupted()
  const { signal } = interrupt
  try {
    await using resources = new AsyncDisposableStack()
    const engine = resources.use(openEngine({ server, key, jobs, note: report.note }, recipe, environment))
    if (single && !isDry) {
      const [source = '-'] = sourceArguments
      const results = singleResults(environment.stateFolder)
      return await convertOneFile({ source, out, recipe: recipe.version, results }, engine, report, signal)
    }
    if (isDry) return await dryRun(await dryPlaces(sourceArguments, out, environment, resources), engine, report, signal)
    const places = await placesOf(sourceArguments, out, environment, resources)
    // Results of another name are other results.
    const version = createHash('sha256').update(`${recipe.version} ${template}`).digest('hex')
    const versionedRecipe = { ...recipe, version }
    for (const { sources, open, inPlace } of places) {
      const conversion = { ...(await open()), sources, engine, recipe: versionedRecipe, name: nameOf, overwrite, inPlace }
      await report.during(sources, (onOutcome) => runConversion(conversion, onOutcome, signal))
    }
    return report.end()
  } catch (error) {
    if (signal.aborted) return report.endInterrupted()
    if (error instanceof RunFailure || error instanceof StartError) return report.endStopped(error.message)
    throw error
  }
}

/** One image in, one out, without a journal: from or to a pipe, or to a target that is named as a file. */
function isOneFile(places: readonly string[], out: string): boolean {
  const [source = ''] = places
  const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
  const isFile = (path: string) => existsSync(path) && !isFolder(path)
  if (out === '-' || places.includes('-')) {
    if (places.length > 1) throw new InvalidArgumentError('A pipe has one image: name one source.')
    if (source !== '-' && !isFile(source)) throw new InvalidArgumentError(`${source} is not a file: a pipe has one image.`)
    if (out !== '-' && (isFolder(out) || out.endsWith('/') || isBucketUri(out)))
      throw new InvalidArgumentError(`${out} is not the name of a file: a pipe has one image.`)
    return true
  }
  if (places.length > 1 || !isImageName(out) || isBucketUri(out) || isFolder(out) || !isFile(source)) return false
  if (existsSync(out) && realpathSync(out) === realpathSync(source))
    throw new InvalidArgumentError(`${out} is both source and target: use --in-place to replace images.`)
  return true
}

/** The name of a file does not say another format than its content has. @throws InvalidArgumentError */
function refuseOtherFormat(out: string, [output]: readonly { readonly format: string }[]): void {
  const format = Object.entries(imageFormats).find(([name]) => name === output?.format)?.[1]
  if (format && !(format.extensions as readonly string[]).includes(extname(out).slice(1).toLowerCase()))
    throw new InvalidArgumentError(
      `${out} is not the name of a ${format.title} file: end it with .${format.extension}, or ask for its own format.`,
    )
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
