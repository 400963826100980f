import { existsSync, realpathSync, statSync } from 'node:fs'
import { extname } from 'node:path'
import { imageFormats, isImageName } from '@pixelmill/codecs/image-formats'
import { InvalidArgumentError } from 'commander'
import { isBucketUri } from '../files/bucket.ts'
import { formatOfName } from '../files/name-format.ts'

/** What the commands that work on many files have in common. */
export interface RunOptions {
  readonly out?: string
  readonly inPlace?: boolean
  readonly name?: string
  readonly overwrite?: boolean
  readonly keepTimes?: boolean
  readonly prune?: boolean
  readonly watch?: boolean
  readonly dryRun?: boolean
  readonly jobs?: number
  readonly maxCpu?: number
  readonly server?: string
  readonly key?: string
  readonly json?: boolean
  readonly sort?: 'saved'
  readonly html?: boolean
  readonly htmlBase?: string
  readonly quiet?: boolean
}

/** Refuses options that do not go together, before anything is started. @throws InvalidArgumentError */
export function checkRunOptions(places: readonly string[], options: RunOptions): void {
  const { out, inPlace = false, dryRun = false } = options
  if (inPlace === (out !== undefined) && !dryRun)
    throw new InvalidArgumentError('Say where results go: --out TARGET, or --in-place to replace the images.')
  const exclusion = exclusions.find(({ isRefused }) => isRefused(options, places))
  if (exclusion) throw new InvalidArgumentError(exclusion.because)
}

interface Exclusion {
  readonly because: string
  isRefused(options: RunOptions, places: readonly string[]): boolean
}

const hasBucketTarget = ({ out }: RunOptions): boolean => out !== undefined && isBucketUri(out)

const exclusions: readonly Exclusion[] = [
  {
    because: '--json and --out - both need standard output.',
    isRefused: ({ json, out }) => json === true && out === '-',
  },
  {
    because: 'Standard input cannot be replaced: name a target with --out.',
    isRefused: ({ inPlace }, places) => inPlace === true && places.includes('-'),
  },
  {
    because: '--html and --json both need standard output.',
    isRefused: ({ html, json }) => html === true && json === true,
  },
  {
    because: '--html is for a run into a folder or a bucket: name one with --out.',
    isRefused: ({ html, inPlace, dryRun, watch, out }) =>
      html === true && (inPlace === true || dryRun === true || watch === true || out === '-'),
  },
  {
    because: '--html-base is for --html.',
    isRefused: ({ html, htmlBase }) => htmlBase !== undefined && !html,
  },
  {
    because: '--sort sorts what is known at the end, and --watch has none.',
    isRefused: ({ sort, watch }) => sort !== undefined && watch === true,
  },
  {
    because: '--prune is for results in a folder or a bucket: name one with --out.',
    isRefused: ({ prune, inPlace }) => prune === true && inPlace === true,
  },
  {
    because: '--keep-times is for files: the times of objects in a bucket are those of their upload.',
    isRefused: (options) => options.keepTimes === true && hasBucketTarget(options),
  },
  {
    because: '--watch goes on until it is stopped: it needs a folder or a bucket as source, and no --dry-run.',
    isRefused: ({ watch, dryRun, out }, places) =>
      watch === true && (dryRun === true || out === '-' || places.some((place) => place === '-' || isFile(place))),
  },
  {
    because: '--max-cpu is for this machine, and --server for another.',
    isRefused: ({ maxCpu, server }) => maxCpu !== undefined && server !== undefined,
  },
]

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
const isFile = (path: string): boolean => existsSync(path) && !isFolder(path)

/**
 * Whether it is one image in, one out, without a journal: from or to a pipe, or to a target that is named as a file.
 * @throws InvalidArgumentError
 */
export function isOneFile(places: readonly string[], out: string): boolean {
  const [source = ''] = places
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
export function refuseOtherFormat(out: string, format: string | undefined): void {
  const row = Object.entries(imageFormats).find(([name]) => name === format)?.[1]
  if (row && !(row.extensions as readonly string[]).includes(extname(out).slice(1).toLowerCase()))
    throw new InvalidArgumentError(
      `${out} is not the name of a ${row.title} file: end it with .${row.extension}, or ask for its own format.`,
    )
}

/** The format of a target's name, to be asked for where nothing else says one. */
export const askedByName = (out: string): string => formatOfName(out) ?? extname(out).slice(1).toLowerCase()
