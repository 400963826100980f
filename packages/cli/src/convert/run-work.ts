import { createHash } from 'node:crypto'
import { StartError } from '@pixelmill/codecs/contract/start-error'
import { InvalidArgumentError } from 'commander'
import type { Engine } from '../engine/engine.ts'
import { openEngine } from '../engine/open-engine.ts'
import { pacedEngine, paceOf } from '../engine/paced.ts'
import { type Environment, readEnvironment } from '../environment.ts'
import { untilInterrupted } from '../exit.ts'
import { RunFailure } from '../failure.ts'
import { type Difference, defaultName, resultName } from '../files/result-name.ts'
import type { Work } from '../work.ts'
import type { Conversion } from './conversion.ts'
import { dryRun } from './dry-run.ts'
import { leftResults } from './left-results.ts'
import { convertOneFile } from './one-file.ts'
import { checkRunOptions, isOneFile, type RunOptions } from './options.ts'
import { dryPlaces, placesOf } from './places.ts'
import { Reporter } from './report.ts'
import { runConversion } from './run.ts'
import { singleResults } from './single-results.ts'
import { watchConversions } from './watch.ts'

/** What is done, and what tells the results of one image apart. */
export interface OrderedWork {
  readonly work: Work
  readonly difference: Difference
}

/** Source and target of a run that has only one image. */
interface OneFile {
  readonly source: string
  readonly target: string
}

/**
 * Does one work on files, folders, patterns and buckets.
 * @param order says which, for the only file if there is one
 * @returns the exit code
 * @throws InvalidArgumentError before anything is started
 */
export async function runWork(
  places: readonly string[],
  options: RunOptions,
  order: (file: OneFile | undefined, environment: Environment) => Promise<OrderedWork>,
): Promise<number> {
  checkRunOptions(places, options)
  const { out, inPlace = false, json = false, quiet = false } = options
  const environment = readEnvironment()
  const single = out !== undefined && isOneFile(places, out) ? { source: places[0] ?? '-', target: out } : undefined
  const { work, difference } = await order(single, environment)
  refuseSeveral(work, difference, { single: single !== undefined, inPlace })
  if (single && (options.html || options.prune || options.watch))
    throw new InvalidArgumentError(`--html, --prune and --watch are for a folder or a bucket, which ${single.target} is not.`)
  const template = options.name ?? defaultName(difference)
  const name = resultName(template, difference)
  const report = new Reporter({
    json,
    quiet,
    sortsBySaved: options.sort === 'saved' && !single,
    htmlBase: options.html ? (options.htmlBase ?? '') : undefined,
  })
  using interrupt = untilInterrupted()
  const { signal } = interrupt
  try {
    await using resources = new AsyncDisposableStack()
    const engine = resources.use(engineOf(options, work, environment, report))
    const keepsTimes = options.keepTimes === true
    if (single && !options.dryRun) {
      const results = singleResults(environment.stateFolder)
      const version = versionFor(work, '', keepsTimes)
      return await convertOneFile({ ...single, out: single.target, recipe: version, keepsTimes, results }, engine, report, signal)
    }
    if (options.dryRun) return await dryRun(await dryPlaces(places, out, environment, resources), engine, report, signal)
    const versionedWork = { ...work, version: versionFor(work, template, keepsTimes) }
    const conversions: Conversion[] = []
    for (const place of await placesOf(places, out, environment, resources))
      conversions.push({
        ...(await place.open()),
        sources: place.sources,
        inPlace: place.inPlace,
        engine,
        work: versionedWork,
        name,
        overwrite: options.overwrite === true,
        keepsTimes,
        needsSizes: options.html === true,
      })
    const removes = options.prune === true
    if (options.watch) await watchConversions(conversions, { removes, report, signal })
    else
      for (const conversion of conversions) {
        const overview = await report.during(conversion.sources, (onOutcome) => runConversion(conversion, onOutcome, signal))
        report.left(await leftResults(conversion, overview, removes))
      }
    return report.end()
  } catch (error) {
    if (signal.aborted) return report.endInterrupted()
    if (error instanceof RunFailure || error instanceof StartError) return report.endStopped(error.message)
    throw error
  }
}

function refuseSeveral(
  { recipe }: Work,
  difference: Difference,
  { single, inPlace }: { readonly single: boolean; readonly inPlace: boolean },
): void {
  if (inPlace && difference === 'width')
    throw new InvalidArgumentError('--widths makes further files: name a folder or a bucket with --out.')
  if (recipe.outputs.length === 1 || !(single || inPlace)) return
  const what = difference === 'output' ? 'The recipe has several outputs' : 'Each image gets several results'
  throw new InvalidArgumentError(`${what}: name a folder or a bucket with --out.`)
}

/** Results of another name are other results, and so are those of another time. */
function versionFor({ version }: Work, template: string, keepsTimes: boolean): string {
  if (template === '') return keepsTimes ? `${version} with times` : version
  return createHash('sha256')
    .update(`${version} ${template}${keepsTimes ? ' with times' : ''}`)
    .digest('hex')
}

function engineOf({ server, key, jobs, maxCpu }: RunOptions, work: Work, environment: Environment, report: Reporter): Engine {
  const note = (text: string) => report.note(text)
  if (maxCpu === undefined) return openEngine({ server, key, jobs, note }, work, environment)
  if (environment.server !== undefined)
    throw new InvalidArgumentError('--max-cpu is for this machine, and PIXELMILL_SERVER names another.')
  const pace = paceOf(maxCpu, jobs)
  return pacedEngine(openEngine({ key, jobs: pace.jobs, note }, work, environment), pace)
}
