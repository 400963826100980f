/** A call of the API, independent of a language. The playground and the reference show it in the same way. */
export interface SampleRequest {
  readonly method: string
  /** `http://127.0.0.1:3000`, or a variable of the reader's: `$PIXELMILL_URL`. */
  readonly origin: string
  /** As OpenAPI writes it, `/api/v2/batch/{id}/status`: the reader fills in the parts in braces. */
  readonly path: string
  /** The environment variable that has the key or the token. */
  readonly bearer?: 'PIXELMILL_KEY' | 'PIXELMILL_TOKEN' | undefined
  /** Names of files by form field. */
  readonly files?: Readonly<Record<string, string>> | undefined
  readonly params?: Readonly<Record<string, string | number | boolean>> | undefined
  readonly json?: Json | undefined
  /** Where the answer goes, when it is a file. */
  readonly output?: string | undefined
  /** The answer is a stream of events. */
  readonly isStream?: boolean | undefined
}

export type Json = string | number | boolean | null | Picture | readonly Json[] | { readonly [name: string]: Json }

/** A placeholder in a JSON body for a file as a Base64 data URI. */
export class Picture {
  readonly file: string

  constructor(file: string) {
    this.file = file
  }
}

const mediaTypes: Readonly<Record<string, string>> = { jpg: 'image/jpeg', tif: 'image/tiff', svg: 'image/svg+xml' }

/** The media type of a file by its extension. */
export function mediaTypeOf(file: string): string {
  const extension = /\.(\w+)$/.exec(file)?.[1]?.toLowerCase() ?? 'jpeg'
  return mediaTypes[extension] ?? `image/${extension}`
}

/** The names in braces. */
export const placeholders = (path: string): readonly string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '')

/** curl uses POST by default for a request with a body. */
export const hasBody = ({ files, params, json }: SampleRequest): boolean =>
  json !== undefined || files !== undefined || params !== undefined
