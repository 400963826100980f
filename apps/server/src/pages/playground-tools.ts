import { altText } from '../ai/routes/alt-text.ts'
import { enhance } from '../ai/routes/enhance.ts'
import { recommend } from '../ai/routes/recommend.ts'
import { rename } from '../ai/routes/rename.ts'
import { smartCrop } from '../ai/routes/smart-crop.ts'
import { backgroundRemove } from '../background/routes/background-remove.ts'
import type { Route } from '../http/route.ts'
import { images } from '../images/images.ts'
import { info } from '../images/info.ts'
import { operationRoutes } from '../images/operations.ts'
import { previews } from '../images/previews.ts'

/** Tools of the playground that are no image operations, by their names in its address. */
export const otherTools: Readonly<Record<string, Route>> = {
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

/** Pages that try an endpoint by themselves. */
const pages: ReadonlyMap<string, string> = new Map([[images.name, '/edit/new']])

/** Where an endpoint can be tried with a picture; apps/server/test/dashboard/reference.slow.test.ts follows each of these links. */
export function triedAt(endpoint: string): string | undefined {
  const tool = toolNames.get(endpoint)
  return pages.get(endpoint) ?? (tool && `/playground?tool=${tool}`)
}
