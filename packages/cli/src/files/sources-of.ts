import { buffer } from 'node:stream/consumers'
import { InvalidArgumentError } from 'commander'
import type { Environment } from '../environment.ts'
import { type BucketPlace, bucketPlace, bucketSources, isBucketUri, openPlace } from './bucket.ts'
import { isPattern, localSources } from './local-sources.ts'
import type { Sources } from './source.ts'

/**
 * What an argument names: a file, a folder, a pattern, a bucket or standard input.
 * @param resources closes the connections to buckets
 * @param targetFolder a folder that is not entered
 * @throws InvalidArgumentError if there is nothing of that name
 */
export async function sourcesOf(
  argument: string,
  { s3Endpoint }: Pick<Environment, 's3Endpoint'>,
  resources: AsyncDisposableStack,
  targetFolder?: string,
): Promise<Sources> {
  if (argument === '-') return standardInput
  if (isBucketUri(argument)) {
    const place = placeOf(argument)
    const objects = await openPlace(place, s3Endpoint)
    resources.defer(async () => objects.close())
    return bucketSources(place, objects)
  }
  const sources = await localSources(argument, targetFolder)
  if (!sources)
    throw new InvalidArgumentError(
      `${argument}: ${isPattern(argument) ? 'no image matches the pattern' : 'there is no such file or folder'}.`,
    )
  return sources
}

/** @throws InvalidArgumentError */
export function placeOf(uri: string): BucketPlace {
  const place = bucketPlace(uri)
  if (!place) throw new InvalidArgumentError(`${uri} is not a bucket: write s3://bucket/prefix.`)
  return place
}

const standardInput: Sources = {
  async *list() {
    yield { name: '-', path: '-', version: () => ({ bytes: 0, tag: '' }), read: () => buffer(process.stdin) }
  },
}
