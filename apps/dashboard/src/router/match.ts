/** The values of `:name` parts when a path fits a pattern; undefined when it does not. */
export function match(pattern: string, path: string): Readonly<Record<string, string>> | undefined {
  const patternParts = pattern.split('/')
  const pathParts = path.split('/')
  if (patternParts.length !== pathParts.length) return undefined
  const values: Record<string, string> = {}
  for (const [index, part] of patternParts.entries()) {
    const value = pathParts[index] ?? ''
    if (part.startsWith(':')) values[part.slice(1)] = decodeURIComponent(value)
    else if (part !== value) return undefined
  }
  return values
}
