import { createHash } from 'node:crypto'

/** A file of a form: the chunks it came in, or the SHA-256 that was taken of it as it passed. */
export type FingerprintedFile = { readonly chunks: readonly Buffer[] } | { readonly sha256: string }

/** Everything of a request that decides what it does. */
export interface FingerprintedRequest {
  readonly method: string
  /** With the query. */
  readonly url: string
  /** The parsed JSON body: parsing has put its fields into the schema's order and dropped what is ignored. */
  readonly body: unknown
  readonly fields: ReadonlyMap<string, readonly string[]>
  readonly files: ReadonlyMap<string, FingerprintedFile>
}

/** SHA-256 of a request. A form's boundary and the order of its parts do not count. */
export function fingerprint({ method, url, body, fields, files }: FingerprintedRequest): Buffer {
  const digests = [...files].map(([name, file]) => [name, 'sha256' in file ? file.sha256 : digest(file.chunks)])
  const parts = [method, url, body ?? null, byName([...fields]), byName(digests)]
  return createHash('sha256').update(JSON.stringify(parts)).digest()
}

const byName = <Value>(entries: readonly Value[]): readonly Value[] =>
  entries.toSorted((one, other) => (String(one) < String(other) ? -1 : 1))

function digest(chunks: readonly Buffer[]): string {
  const hash = createHash('sha256')
  for (const chunk of chunks) hash.update(chunk)
  return hash.digest('hex')
}
