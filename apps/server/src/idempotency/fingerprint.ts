import { createHash } from 'node:crypto'

/** A file of a form: its chunks, or the SHA-256 computed while it was streamed. */
export type FingerprintedFile = { readonly chunks: readonly Buffer[] } | { readonly sha256: string }

/** Everything that determines the effect of a request. */
interface FingerprintedRequest {
  readonly method: string
  /** With the query. */
  readonly url: string
  /** The parsed JSON body: its fields are in the order of the schema, without ignored ones. */
  readonly body: unknown
  readonly fields: ReadonlyMap<string, readonly string[]>
  readonly files: ReadonlyMap<string, FingerprintedFile>
}

/** SHA-256 of a request, independent of the form's boundary and the order of its parts. */
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
