/** Tools of the playground by the endpoint they call: test/dashboard/reference.test.ts follows each of these links. */
const tools: Readonly<Record<string, string>> = {
  convert: 'convert',
  resize: 'resize',
  crop: 'crop',
  watermark: 'watermark',
  optimize: 'optimize',
  removeBackground: 'background',
  enhance: 'enhance',
  altText: 'alt-text',
  rename: 'rename',
  smartCrop: 'smart-crop',
  recommend: 'recommend',
}

/** Where an endpoint can be tried with a picture. */
export function triedAt(endpoint: string): string | undefined {
  const tool = tools[endpoint]
  return tool && `/playground?tool=${tool}`
}
