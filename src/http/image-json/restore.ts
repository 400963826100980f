import type { DamagedImage, InlineImage } from '../../contract/inline-image.ts'
import { limits } from '../../contract/limits.ts'

/** What each text of a skeleton begins with: what the caller writes cannot be taken for an image's place. */
export const tags = { text: 't', image: 'i', long: 'l' } as const

/** Longer than any field takes, as what it stands for. */
const LONG = 'x'.repeat(limits.ai.textBytes)

/** Puts the images into their places, and takes the tags off the texts. As deep as the skeleton may be, no stack ends. */
export function restore(value: unknown, images: readonly (InlineImage | DamagedImage)[]): unknown {
  if (typeof value === 'string') return original(value, images)
  if (typeof value !== 'object' || value === null) return value
  const object = value as Record<string, unknown>
  // As own properties: JSON.parse has made one of "__proto__" too.
  for (const name of Object.keys(object)) object[name] = restore(object[name], images)
  return object
}

function original(tagged: string, images: readonly (InlineImage | DamagedImage)[]): unknown {
  const rest = tagged.slice(1)
  if (tagged.startsWith(tags.text)) return rest
  return tagged.startsWith(tags.long) ? LONG : images[Number(rest)]
}
