const SPELLED: Readonly<Record<string, string>> = { api: 'API', ai: 'AI', openapi: 'OpenAPI' }

/** `listApiKeys` as people read it: "List API keys". */
export function endpointName(name: string): string {
  const words = name.split(/(?=[A-Z])/).map((word) => SPELLED[word.toLowerCase()] ?? word.toLowerCase())
  const text = words.join(' ')
  return (text[0] ?? '').toUpperCase() + text.slice(1)
}
