/** A call of the API, independent of a language. The playground and the reference show it in the same way. */
export interface SampleRequest {
  readonly method: string
  /** `http://127.0.0.1:3000`, or a variable of the reader's: `$PIXELMILL_URL`. */
  readonly origin: string
  /** The path as OpenAPI writes it, `/api/v2/batch/{id}/status`: the reader fills in the parts in braces. */
  readonly path: string
  /** The environment variable that has the key or the token. */
  readonly bearer?: 'PIXELMILL_KEY' | 'PIXELMILL_TOKEN' | undefined
  /** Names of files by form field. */
  readonly files?: Readonly<Record<string, string>> | undefined
  readonly params?: Readonly<Record<string, string | number | boolean>> | undefined
  readonly json?: Json | undefined
  /** A file that is the body. */
  readonly body?: { readonly file: string; readonly type: string } | undefined
  /** Besides those of the credential and the body. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Where the answer goes, when it is a file. */
  readonly output?: string | undefined
  /** What the answer is, when it is no file; JSON unless it is given. */
  readonly answer?: 'json' | 'text' | 'events' | 'headers' | 'nothing' | undefined
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

/** Files of a JSON body, in order. */
export const picturesIn = (json: Json | undefined): readonly Picture[] => {
  if (json instanceof Picture) return [json]
  return typeof json === 'object' && json !== null ? Object.values(json).flatMap(picturesIn) : []
}

/** curl uses POST by default for a request with a body. */
export const hasBody = ({ files, params, json, body }: SampleRequest): boolean =>
  [files, params, json, body].some((part) => part !== undefined)
