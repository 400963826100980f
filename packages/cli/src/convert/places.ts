import { createHash } from 'node:crypto'
import { existsSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, normalize, resolve } from 'node:path'
import { InvalidArgumentError } from 'commander'
import type { Environment } from '../environment.ts'
import { type BucketPlace, bucketTarget, isBucketUri, openPlace } from '../files/bucket.ts'
import { folderTarget, STATE_FOLDER } from '../files/folder-target.ts'
import { fixedPart } from '../files/local-sources.ts'
import { type Sources, together } from '../files/source.ts'
import { placeOf, sourcesOf } from '../files/sources-of.ts'
import type { Target } from '../files/target.ts'
import { type Journal, openJournal } from './journal.ts'

/** Sources whose results go to one target. */
export interface Place {
  readonly sources: Sources
  readonly inPlace: boolean
  /** Opens the target and its journal, which no other run may have open. @throws RunFailure */
  open(): Promise<{ readonly target: Target; readonly journal: Journal }>
}

/**
 * Finds what the arguments name, without opening a target.
 * @param out the target; undefined: sources are replaced
 * @param resources closes buckets, and what `open` has opened
 * @throws InvalidArgumentError
 */
export async function placesOf(
  places: readonly string[],
  out: string | undefined,
  environment: Environment,
  resources: AsyncDisposableStack,
): Promise<readonly Place[]> {
  if (out === undefined) {
    const bucket = places.find(isBucketUri)
    if (bucket !== undefined)
      throw new InvalidArgumentError(`${bucket}: objects of a bucket are not replaced; name a target with --out.`)
    const byRoot = Object.entries(Object.groupBy(places, rootOf))
    return await Promise.all(
      byRoot.map(async ([root, sources = []]) => ({
        sources: together(await Promise.all(sources.map((source) => sourcesOf(source, environment, resources)))),
        inPlace: true,
        open: async () => openFolder(root, { durable: true }, resources),
      })),
    )
  }
  const place = isBucketUri(out) ? placeOf(out) : undefined
  const target = place ? undefined : realOf(out)
  refuseSame(places, target)
  const sources = together(await Promise.all(places.map((source) => sourcesOf(source, environment, resources, target))))
  const open = async () =>
    place ? await openTargetBucket(place, out, environment, resources) : openFolder(out, { durable: false }, resources)
  return [{ sources, inPlace: false, open }]
}

/** Like `placesOf`, for a run that writes nothing: the target may be a file, or left out. */
export async function dryPlaces(
  places: readonly string[],
  out: string | undefined,
  environment: Environment,
  resources: AsyncDisposableStack,
): Promise<readonly Pick<Place, 'sources'>[]> {
  const target = out === undefined || isBucketUri(out) ? undefined : realOf(out)
  refuseSame(places, target)
  return await Promise.all(places.map(async (source) => ({ sources: await sourcesOf(source, environment, resources, target) })))
}

function refuseSame(places: readonly string[], target: string | undefined): void {
  const same = places.find((source) => !isBucketUri(source) && realOf(source) === target)
  if (same !== undefined) throw new InvalidArgumentError(`${same} is both source and target: use --in-place to replace images.`)
}

const realOf = (path: string): string => (existsSync(path) ? realpathSync(path) : resolve(path))

/** The folder below which results replace the images of a source, in one way of writing it. */
function rootOf(source: string): string {
  if (!existsSync(source)) return normalize(`${fixedPart(source)}/.`)
  return normalize(`${statSync(source).isDirectory() ? source : dirname(source)}/.`)
}

function openFolder(root: string, options: { readonly durable: boolean }, resources: AsyncDisposableStack) {
  const journal = resources.use(openJournal(join(root, STATE_FOLDER, 'journal.db'), root))
  return { journal, target: resources.use(folderTarget(root, options)) }
}

/** The journal of a bucket is on this machine, since a journal in it would have to be written anew for each image. */
async function openTargetBucket(place: BucketPlace, uri: string, environment: Environment, resources: AsyncDisposableStack) {
  const name = createHash('sha256')
    .update(`${environment.s3Endpoint ?? ''} ${place.bucket}/${place.prefix}`)
    .digest('hex')
  const path = join(environment.stateFolder, 'pixelmill', `${name.slice(0, 32)}.db`)
  const journal = resources.use(openJournal(path, uri))
  return { journal, target: resources.use(bucketTarget(place, await openPlace(place, environment.s3Endpoint))) }
}
