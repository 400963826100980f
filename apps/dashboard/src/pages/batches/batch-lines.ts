import { forShell } from '../../../web/quoting.ts'
import type { BatchState } from './batch-follower.svelte.ts'

/** The steps of a program for a batch like this one, as shell commands. */
export function batchLines(
  origin: string,
  { id, name, format, optimize, quality, recipe }: Pick<BatchState, 'id' | 'name' | 'format' | 'optimize' | 'quality' | 'recipe'>,
) {
  const key = '-H "Authorization: Bearer $PIXELMILL_KEY"'
  const values = recipe
    ? `--form-string ${forShell(`recipe=${JSON.stringify(recipe)}`)}`
    : `-F ${optimize ? 'optimize=true' : `format=${format}`} -F quality=${quality}`
  const one = `${origin}/api/v2/batch/${id}`
  return {
    create: `curl -f ${origin}/api/v2/batch \\\n  ${key} \\\n  -F file=@pictures.zip ${values}${name ? ` \\\n  --form-string ${forShell(`name=${name}`)}` : ''}`,
    follow: `curl -fN ${one}/events \\\n  ${key}`,
    files: `curl -f ${one}/entries \\\n  ${key}`,
    download: `curl -f ${one}/result \\\n  ${key} \\\n  -OJ`,
    remove: `curl -f -X DELETE ${one} \\\n  ${key}`,
  } as const
}
