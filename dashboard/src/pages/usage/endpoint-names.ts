/** What people call what they asked for, where it is no image operation. */
const names: Readonly<Record<string, string>> = {
  '/api/background-remove': 'Remove background',
  '/api/v2/batch': 'Batch',
  '/v1/ai/alt-text': 'AI: alt text',
  '/v1/ai/rename': 'AI: file names',
  '/v1/ai/smart-crop': 'AI: smart crop',
  '/v1/ai/enhance': 'AI: enhance',
  '/v1/ai/recommend': 'AI: recommend',
}

/** Image operations are called by the end of their path: /api/v1/convert is Convert. */
function operationName(path: string): string | undefined {
  const name = /^\/api\/v1\/([a-z]+)$/.exec(path)?.[1]
  return name && name.charAt(0).toUpperCase() + name.slice(1)
}

export const endpointName = (path: string): string => names[path] ?? operationName(path) ?? path
