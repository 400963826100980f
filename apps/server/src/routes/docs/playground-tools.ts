import type { Route } from '../../http/route.ts'
import { altText } from '../ai/alt-text.ts'
import { enhance } from '../ai/enhance.ts'
import { recommend } from '../ai/recommend.ts'
import { rename } from '../ai/rename.ts'
import { smartCrop } from '../ai/smart-crop.ts'
import { backgroundRemove } from '../background-remove.ts'
import { images } from '../images.ts'
import { info } from '../info.ts'
import { operationRoutes } from '../operations.ts'
import { previews } from '../previews.ts'

/** Tools of the playground that are no image operations, by their names in its address. */
export const otherTools: Readonly<Record<string, Route>> = {
  steps: images,
  background: backgroundRemove,
  enhance,
  info,
  'alt-text': altText,
  rename,
  'smart-crop': smartCrop,
  recommend,
}

const toolNames: ReadonlyMap<string, string> = new Map([
  ...operationRoutes.map(({ name }) => [name, name] as const),
  ...Object.entries(otherTools).map(([tool, { name }]) => [name, tool] as const),
  // Every tool with a slider sends these.
  [previews.name, 'convert'],
])

/** Where an endpoint can be tried with a picture; apps/server/test/dashboard/reference.slow.test.ts follows each of these links. */
export function triedAt(endpoint: string): string | undefined {
  const tool = toolNames.get(endpoint)
  return tool && `/playground?tool=${tool}`
}
