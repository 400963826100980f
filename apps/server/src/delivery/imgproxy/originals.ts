import { invalidParam } from '@pixelmill/codecs/contract/image-errors'
import { ApiError } from '../../contract/api-error.ts'
import { segmentsOf } from '../address.ts'
import type { Source } from '../source.ts'

/** Where an original is. */
export interface OriginalPlace {
  readonly source: Source
  /** Decoded segments. */
  readonly path: readonly string[]
  /** Of the original's URL, without the question mark. */
  readonly query: string | undefined
}

/** The source that an original belongs to, the nearest one, and its path there. @throws ApiError source_not_found, invalid_params */
export function placeOf(original: string, localRoot: string | undefined, sources: readonly Source[]): OriginalPlace {
  const knownRoots = sources
    .flatMap((source) => prefixesOf(source, localRoot).map((prefix) => ({ source, prefix })))
    .filter(({ prefix }) => original.startsWith(prefix))
    .sort((one, other) => other.prefix.length - one.prefix.length)
  const [nearest] = knownRoots
  if (!nearest) throw new ApiError('source_not_found', { message: 'No source of an administrator has this original.' })
  const { source, prefix } = nearest
  const [, path = '', query] = /^([^?#]*)(?:\?([^#]*))?/.exec(original.slice(prefix.length)) ?? []
  if (query !== undefined && source.place.type !== 'web')
    throw invalidParam('url', 'custom', 'Only originals of a web server can have a query.')
  return { source, path: segmentsOf(path), query }
}

/** How the originals of a source begin in imgproxy's URLs. */
function prefixesOf({ place }: Source, localRoot: string | undefined): readonly string[] {
  if (place.type === 'web') return [place.baseUrl]
  if (place.type === 'bucket') return [`s3://${place.bucket}/${place.prefix === '' ? '' : `${place.prefix}/`}`]
  const folder = `${place.path.replace(/\/+$/, '')}/`
  const root = localRoot === undefined ? undefined : `${localRoot.replace(/\/+$/, '')}/`
  return root !== undefined && folder.startsWith(root) ? [`local:///${folder.slice(root.length)}`] : []
}
