type PathItem = Readonly<Record<string, { readonly tags?: readonly string[] }>>

/** The places of an OpenAPI document that are read here. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, PathItem>>
  readonly webhooks?: Readonly<Record<string, object>>
  readonly components: { readonly schemas: Readonly<Record<string, object>> }
}

/**
 * The document with only the operations that have one of the tags, and without the schemas that only other operations refer to.
 * Schemas of texts and files, which nothing refers to, stay.
 */
export function partOfDocument(document: ApiDocument, tags: readonly string[]): ApiDocument {
  const { webhooks = {}, components } = document
  const paths = pathsWith(document.paths, tags)
  const inUse = namesOfSchemas({ paths: document.paths, webhooks }, components.schemas)
  const orphans = Object.fromEntries(Object.entries(components.schemas).filter(([name]) => !inUse.has(name)))
  const names = namesOfSchemas({ paths, webhooks, unused: orphans }, components.schemas)
  const schemas = Object.fromEntries(Object.entries(components.schemas).filter(([name]) => names.has(name) || name in orphans))
  return { ...document, paths, components: { ...components, schemas } }
}

function pathsWith(paths: ApiDocument['paths'], tags: readonly string[]): ApiDocument['paths'] {
  const items = Object.entries(paths).map(([path, item]) => {
    const operations = Object.entries(item).filter(([, operation]) => operation.tags?.some((tag) => tags.includes(tag)))
    return [path, Object.fromEntries(operations)] as const
  })
  return Object.fromEntries(items.filter(([, item]) => Object.keys(item).length > 0))
}

const SCHEMA = '#/components/schemas/'

/** The names of all schemas that a part of the document refers to, directly or through other schemas. */
function namesOfSchemas(part: object, schemas: ApiDocument['components']['schemas']): ReadonlySet<string> {
  const names = new Set<string>()
  const toVisit: unknown[] = [part]
  while (toVisit.length > 0) {
    const value = toVisit.pop()
    if (typeof value !== 'object' || value === null) continue
    toVisit.push(...Object.values(value))
    if (!('$ref' in value) || typeof value.$ref !== 'string' || !value.$ref.startsWith(SCHEMA)) continue
    const name = value.$ref.slice(SCHEMA.length)
    if (names.has(name)) continue
    names.add(name)
    toVisit.push(schemas[name])
  }
  return names
}
