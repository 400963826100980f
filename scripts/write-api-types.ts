import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Builds the types of the API for the dashboard and for the TypeScript client from docs/openapi.json. Git ignores them; `npm ci`,
 * `npm run docs`, `npm run check` and the tests build them where they are missing or older than the document.
 */

const root = join(import.meta.dirname, '..')
const DOCUMENT = 'docs/openapi.json'
/** What the types depend on: the document, this file, and the generators with their versions. */
const SOURCES = [
  DOCUMENT,
  'scripts/write-api-types.ts',
  'scripts/docs/part-of-document.ts',
  'apps/dashboard/api-types.ts',
  'apps/dashboard/package.json',
  'clients/typescript/api-types.ts',
  'clients/typescript/package.json',
]
/** The generators, and the packages that declare them. They are dependencies for development: nothing that runs needs the types. */
const GENERATORS = { 'openapi-typescript': 'apps/dashboard', '@hey-api/openapi-ts': 'clients/typescript' }
/** Of the API, what the client has types of. */
const CLIENT_TAGS = ['Images', 'Recipes', 'Batch', 'AI']
export const API_TYPES = {
  dashboard: 'apps/dashboard/src/api/schema.d.ts',
  client: 'clients/typescript/src/api-types.ts',
} as const

/** The first line of the built files, by which older ones are recognised. */
export function headerOfTypes(): string {
  const hash = createHash('sha256')
  for (const source of SOURCES) hash.update(readFileSync(join(root, source)))
  return `// Built from ${DOCUMENT} by scripts/write-api-types.ts; edits here are lost. ${hash.digest('hex').slice(0, 16)}\n\n`
}

const isCurrent = (path: string, header: string): boolean =>
  existsSync(join(root, path)) && readFileSync(join(root, path), 'utf8').startsWith(header)

/** npm installs a package below the one that declares it, or at the root. */
const hasGenerators = (): boolean =>
  Object.entries(GENERATORS).every(([name, folder]) =>
    ['', folder].some((place) => existsSync(join(root, place, 'node_modules', name, 'package.json'))),
  )

export async function writeApiTypes(): Promise<void> {
  // An image for containers has only the manifests while it installs, and an installation to run the service has no generators.
  if (!SOURCES.every((path) => existsSync(join(root, path))) || !hasGenerators()) return
  const header = headerOfTypes()
  if (Object.values(API_TYPES).every((path) => isCurrent(path, header))) return
  const { apiTypes } = await import('@pixelmill/dashboard/api-types')
  const { clientTypes } = await import('pixelmill-client/api-types')
  const { partOfDocument } = await import('./docs/part-of-document.ts')
  const document = JSON.parse(readFileSync(join(root, DOCUMENT), 'utf8'))
  writeFileSync(join(root, API_TYPES.dashboard), header + (await apiTypes(document)))
  writeFileSync(join(root, API_TYPES.client), header + (await clientTypes(partOfDocument(document, CLIENT_TAGS))))
}

if (import.meta.main) await writeApiTypes()
