/** The head of a request, where there is nothing special about it. */
export interface HeadOfRequest {
  readonly method: string
  /** Without the query. */
  readonly path: string
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>
}

/** More is left to the HTTP server, which has a limit of its own. */
const MOST_BYTES = 8 * 1024
const REQUEST_LINE = /^([A-Z]+) (\/[^\s?]*)(?:\?\S*)? HTTP\/1\.1$/
/** RFC 9110 §5.1 and §5.5, less what is rare: no folded lines, nothing beyond ASCII. */
const FIELD = /^([A-Za-z0-9-]+):[ \t]*([\x20-\x7e]*?)[ \t]*$/

/**
 * Reads a head that came in one piece and is plain HTTP/1.1: every line ends in CRLF, no field comes twice.
 * Undefined for all others, which may be as right as this one; somebody else has to read them.
 */
export function readHead(first: Buffer): HeadOfRequest | undefined {
  const end = first.subarray(0, MOST_BYTES).indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [requestLine = '', ...lines] = first.toString('latin1', 0, end).split('\r\n')
  const [, method, path] = REQUEST_LINE.exec(requestLine) ?? []
  if (method === undefined || path === undefined) return undefined
  const headers: Record<string, string> = Object.create(null)
  for (const line of lines) {
    const [, name, value] = FIELD.exec(line) ?? []
    if (name === undefined || value === undefined) return undefined
    const key = name.toLowerCase()
    if (key in headers) return undefined
    headers[key] = value
  }
  return { method, path, headers }
}
