/** What one server takes of the parameters that servers differ in. */
export interface Dialect {
  readonly format: 'json_schema' | 'json_object' | 'text'
  /** OpenAI's reasoning models refuse the older name; most others know only that. */
  readonly limit: 'max_tokens' | 'max_completion_tokens'
  /** Whether a temperature may be sent. */
  readonly temperature: boolean
}

/** The strictest form first: a server that enforces the schema gives the fewest answers to mend. */
const strictest: Dialect = { format: 'json_schema', limit: 'max_tokens', temperature: true }
const lessStrict = { json_schema: 'json_object', json_object: 'text', text: undefined } as const

/** What to try after a server refused a request, by the words with which it did; undefined when nothing is left. */
export function simpler(dialect: Dialect, words: string): Dialect | undefined {
  if (dialect.limit === 'max_tokens' && /max_(completion_)?tokens/.test(words))
    return { ...dialect, limit: 'max_completion_tokens' }
  if (dialect.temperature && /temperature/i.test(words)) return { ...dialect, temperature: false }
  const format = lessStrict[dialect.format]
  return format && { ...dialect, format }
}

/** The dialects of the servers that answered lately. */
export interface Dialects {
  of(server: string): Dialect
  remember(server: string, dialect: Dialect): void
}

/** @param most servers that are remembered; callers name them, so there is an end to it */
export function dialects(most = 500): Dialects {
  const known = new Map<string, Dialect>()
  return {
    of: (server) => known.get(server) ?? strictest,
    remember(server, dialect) {
      known.delete(server)
      known.set(server, dialect)
      const [oldest = server] = known.keys()
      if (known.size > most) known.delete(oldest)
    },
  }
}
