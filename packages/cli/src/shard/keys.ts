import { dirname, isAbsolute, join } from 'node:path'
import { InvalidArgumentError } from 'commander'
import type { Objects } from '../bucket/objects.ts'
import { ImageFailure } from '../failure.ts'
import { bucketPlace, isBucketUri, objectSource, openPlace } from '../files/bucket.ts'
import { localFile } from '../files/local-sources.ts'
import type { Listed, Sources } from '../files/source.ts'
import { placeOf } from '../files/sources-of.ts'
import type { Part } from './json-lines.ts'
import { type ManifestRow, manifestRows } from './manifest.ts'
import { openLocalFile, openObject, type RandomFile } from './random-file.ts'

/** The buckets of a run, each opened once. */
export interface Buckets {
  of(name: string): Promise<Objects>
}

export function openBuckets(endpoint: string | undefined, resources: AsyncDisposableStack): Buckets {
  const buckets = new Map<string, Promise<Objects>>()
  async function open(bucket: string): Promise<Objects> {
    const objects = await openPlace({ bucket, prefix: '' }, endpoint)
    resources.defer(async () => objects.close())
    return objects
  }
  return {
    of(name) {
      const objects = buckets.get(name) ?? open(name)
      buckets.set(name, objects)
      return objects
    },
  }
}

/** A list of keys. */
export interface Manifest {
  readonly file: RandomFile
  /** The folder that relative keys are in, as a path or a URI that ends with `/`. */
  readonly folder: string
}

/** @throws InvalidArgumentError if it cannot be read */
export async function openManifest(manifest: string, buckets: Buckets, resources: AsyncDisposableStack): Promise<Manifest> {
  const place = isBucketUri(manifest) ? placeOf(manifest) : undefined
  if (place?.prefix === '') throw new InvalidArgumentError(`${manifest} names no object: write s3://bucket/key.`)
  const file = place
    ? await openObject(await buckets.of(place.bucket), place.prefix, manifest)
    : await openLocalFile(manifest, resources)
  return { file, folder: place ? manifest.slice(0, manifest.lastIndexOf('/') + 1) : dirname(manifest) }
}

/** The images that one part of a manifest names. A key is a URI `s3://bucket/key` or a path. */
export function keySources({ file, folder }: Manifest, part: Part, column: string, buckets: Buckets): Sources {
  return {
    async *list() {
      for await (const row of manifestRows(file, part, column)) yield await sourceOf(row, folder, buckets)
    },
  }
}

async function sourceOf(row: ManifestRow, folder: string, buckets: Buckets): Promise<Listed> {
  if ('failure' in row) return { name: row.place, failure: row.failure }
  const { key } = row
  const isRelative = !isBucketUri(key) && !isAbsolute(key)
  const uri = isRelative && isBucketUri(folder) ? `${folder}${key}` : key
  if (!isBucketUri(uri)) return { ...localFile(isRelative ? join(folder, key) : key, key.replace(/^\/+/, '')), name: key }
  const place = bucketPlace(uri)
  if (!place || place.prefix === '') return { name: key, failure: new ImageFailure('invalid_line', 'it names no object') }
  const { bucket, prefix } = place
  return { ...objectSource(await buckets.of(bucket), bucket, prefix, isRelative ? key : prefix, NOT_LISTED), name: key }
}

/** The size of an object is known once it is read. */
const NOT_LISTED = { bytes: 0, tag: '' }
