import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

export const DASHBOARD = join(import.meta.dirname, '../../dashboard')

/** What is no source: what was installed, and what was built. */
const OTHERS = ['node_modules', 'dist', '.svelte-kit']

function* sourcesIn(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (OTHERS.includes(entry.name)) continue
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* sourcesIn(path)
    else yield path
  }
}

/** Names what the sources of the pages would be built into. Times say nothing after a checkout, contents do. */
export function sourceHash(folder = DASHBOARD): string {
  const hash = createHash('sha256')
  for (const path of [...sourcesIn(folder)].sort()) {
    const bytes = readFileSync(path)
    hash.update(`${relative(folder, path)}\0${bytes.length}\0`).update(bytes)
  }
  return hash.digest('hex').slice(0, 16)
}
