import type { Recipe } from '@pixelmill/engine/recipe/recipe'
import { ApiError } from '../../contract/api-error.ts'
import { segmentsOf } from '../address.ts'
import type { Disposition, Prepare } from '../preparation.ts'
import type { Source } from '../source.ts'

/** What a URL of a source asks for, after its signature was checked. */
export interface SourceOrder {
  readonly source: Source
  /** Decoded segments. */
  readonly path: readonly string[]
  /** Of the original's URL, which only web servers have. */
  readonly query: string | undefined
  /** Of one output; without steps where they depend on the picture. */
  readonly recipe: Recipe
  readonly prepare?: Prepare
  readonly disposition?: Disposition
  /** Makes it another image than one with the same recipe. */
  readonly variant: string
  /** Seconds since 1970. */
  readonly expires: number | undefined
  explain(error: unknown): unknown
}

/** Reads the URLs of another service, in which a source is named. */
export interface SourceDialect {
  /** The name of the source; undefined for a URL that is none of this dialect. */
  sourceOf(url: string): string | undefined
  /**
   * @param preset of the source's account, of one output
   * @throws ApiError invalid_signature, invalid_params, preset_not_found
   */
  read(url: string, source: Source, preset: (name: string) => Promise<Recipe>): Promise<SourceOrder>
}

/** By what URLs of a dialect may be answered. */
export interface DialectAccess {
  /** Secrets of the other service, by the names of the sources that replace its. */
  readonly secrets: ReadonlyMap<string, string>
  /** Sources of which anyone may ask for any picture. */
  readonly openSources: readonly string[]
}

/** What signs URLs of a source: the other service's secret, and its own as text. */
export const secretsOf = ({ name, secrets }: Source, access: DialectAccess): readonly string[] => {
  const movedSecret = access.secrets.get(name)
  return [...(movedSecret === undefined ? [] : [movedSecret]), ...secrets.map((secret) => secret.toString('base64url'))]
}

/** The path below a source of a URL that was to be fetched. @throws ApiError source_not_found for one that is elsewhere */
export function placeBelow(source: Source, url: string): Pick<SourceOrder, 'path' | 'query'> {
  const { place } = source
  if (place.type !== 'web' || !url.startsWith(place.baseUrl))
    throw new ApiError('source_not_found', { message: 'The URL does not begin with the baseUrl of this source.' })
  const [path = '', query] = url.slice(place.baseUrl.length).split('#')[0]?.split('?', 2) ?? []
  return { path: segmentsOf(path), query }
}
