/** What people call what they asked for. */
const names: Readonly<Record<string, string>> = {
  '/api/v1/convert': 'Convert',
  '/api/v1/resize': 'Resize',
  '/api/v1/crop': 'Crop',
  '/api/v1/watermark': 'Watermark',
  '/api/v1/optimize': 'Optimize',
  '/api/background-remove': 'Remove background',
  '/api/v2/batch': 'Batch',
  '/v1/ai/alt-text': 'AI: alt text',
  '/v1/ai/rename': 'AI: file names',
  '/v1/ai/smart-crop': 'AI: smart crop',
  '/v1/ai/enhance': 'AI: enhance',
  '/v1/ai/recommend': 'AI: recommend',
}

export const endpointName = (path: string): string => names[path] ?? path
