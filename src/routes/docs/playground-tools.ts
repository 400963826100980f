import { operations } from '../../tasks/index.ts'

/** Tools of the playground by the endpoint they call: test/dashboard/reference.test.ts follows each of these links. */
const tools: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.keys(operations).map((name) => [name, name])),
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
