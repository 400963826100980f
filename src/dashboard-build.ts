import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'

const DASHBOARD = join(import.meta.dirname, '../dashboard')
/** What the dashboard shares with the documentation is bundled into its pages as well. */
const SHARED = join(import.meta.dirname, 'web')
const DIST = join(DASHBOARD, 'dist')
const BUILDER = join(DASHBOARD, 'build.ts')

/** Twenty times what it takes; who waits longer is told why there are no pages. */
const BUILD_MS = 60_000

export interface BuildEvents {
  onBuilt(ms: number): void
  /** Pages of other sources are served, or none. */
  onFailed(reason: string, served: 'none' | 'older'): void
}

/**
 * The folder of the built pages, built now where they are missing or older than their sources. Undefined where they cannot be:
 * the API does not need them.
 */
export async function builtPages(events: BuildEvents): Promise<string | undefined> {
  const fresh = join(DIST, sourceHash())
  if (existsSync(fresh)) return fresh
  // The npm package has the built pages, and neither their sources nor the builder.
  if (!existsSync(BUILDER)) return await olderPages()
  const began = performance.now()
  const reason = await build()
  if (reason === undefined) {
    events.onBuilt(Math.round(performance.now() - began))
    // Sources that changed meanwhile were built under the name that they have now.
    return existsSync(fresh) ? fresh : await olderPages()
  }
  const older = await olderPages()
  events.onFailed(reason, older ? 'older' : 'none')
  return older
}

/** In a process of its own: the builder is never loaded into the server. Returns why it failed. */
async function build(): Promise<string | undefined> {
  const child = spawn(process.execPath, [BUILDER], {
    cwd: DASHBOARD,
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: BUILD_MS,
    env: { NODE_ENV: 'production' },
  })
  let told = ''
  child.stderr.on('data', (chunk: Buffer) => (told += chunk.toString()))
  try {
    const [code, signal] = await once(child, 'close')
    if (code === 0) return undefined
    return buildFault(told) || `the builder ended with ${signal ?? code}`
  } catch (error) {
    return String(error)
  }
}

/** What the builder said, for the operator: where it is not there at all, its stack says less than this. */
export const buildFault = (told: string): string =>
  told.includes("Cannot find package 'vite'")
    ? 'the builder is not installed; `npm ci` without --omit=dev brings it, or copy dashboard/dist from where it is'
    : told.trim()

/** An installation without the builder brings pages that were built before. */
async function olderPages(): Promise<string | undefined> {
  if (!existsSync(DIST)) return undefined
  const [name] = (await readdir(DIST)).filter((entry) => !entry.startsWith('.'))
  return name && join(DIST, name)
}

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
export function sourceHash(folders: readonly string[] = [DASHBOARD, SHARED]): string {
  const hash = createHash('sha256')
  for (const folder of folders) {
    for (const path of [...sourcesIn(folder)].sort()) {
      const bytes = readFileSync(path)
      hash.update(`${relative(folder, path)}\0${bytes.length}\0`).update(bytes)
    }
  }
  return hash.digest('hex').slice(0, 16)
}
