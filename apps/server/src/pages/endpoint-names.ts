import type { Route } from '../http/route.ts'

const SPELLED: Readonly<Record<string, string>> = { api: 'API', ai: 'AI', openapi: 'OpenAPI', url: 'URL' }

const wordsOf = (name: string): string =>
  name
    .split(/(?=[A-Z])/)
    .map((word) => SPELLED[word.toLowerCase()] ?? word.toLowerCase())
    .join(' ')

/** The title of an endpoint: `listApiKeys` is "List API keys". */
export function endpointName(name: string): string {
  const words = wordsOf(name)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Admissions of requests that are listed on the usage page. */
const COUNTED: readonly Route['admission'][] = ['api', 'background', 'batch', 'delivery', 'ai', 'aiPlatform']

/** The names of the usage page, by path: `Convert`, `AI: smart crop`. */
export const usageNames = (routes: readonly Route[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    routes
      .filter(({ admission }) => COUNTED.includes(admission))
      .map(({ path, name, tag }) => [path, tag === 'AI' ? `AI: ${wordsOf(name)}` : endpointName(name)]),
  )
