import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { ROOT } from '@pixelmill/codecs/installation'

const DASHBOARD = join(ROOT, 'apps/dashboard')
/** The client and what compares pictures, which are bundled into the pages as well. */
const SHARED = ['clients/typescript/src', 'packages/kernels/src', 'packages/vision/src/likeness/ssimulacra2'].map((folder) =>
  join(ROOT, folder),
)
const DIST = join(DASHBOARD, 'dist')
const BUILDER = join(DASHBOARD, 'build.ts')

/** Twenty times the usual build time; after that the server starts without pages. */
const BUILD_MS = 60_000

export interface BuildEvents {
  onBuilt(ms: number): void
  /** Older pages are served, or none. */
  onFailed(reason: string, pages: 'none' | 'older'): void
}

/**
 * The folder of the built pages; they are built now where they are missing or outdated. Undefined where the build fails: the API works
 * without pages.
 */
export async function builtPages(events: BuildEvents): Promise<string | undefined> {
  // The npm package has the built pages, and neither their sources nor the builder.
  if (!existsSync(BUILDER)) return await olderPages()
  const fresh = join(DIST, sourceHash())
  if (existsSync(fresh)) return fresh
  const began = performance.now()
  const reason = await build()
  if (reason === undefined) {
    events.onBuilt(Math.round(performance.now() - began))
    // If the sources changed meanwhile, the build has the name of the new sources.
    return existsSync(fresh) ? fresh : await olderPages()
  }
  const older = await olderPages()
  events.onFailed(reason, older ? 'older' : 'none')
  return older
}

/** Builds in a separate process, so that the builder is never loaded into the server. Returns the error. */
async function build(): Promise<string | undefined> {
  const child = spawn(process.execPath, [BUILDER], {
    cwd: DASHBOARD,
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: BUILD_MS,
    env: { NODE_ENV: 'production' },
  })
  let stderr = ''
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  try {
    const [code, signal] = await once(child, 'close')
    if (code === 0) return undefined
    return buildFault(stderr) || `the builder ended with ${signal ?? code}`
  } catch (error) {
    return String(error)
  }
}

/** The error of the builder for the operator. Where it is not installed, a hint is clearer than its stack. */
export const buildFault = (stderr: string): string =>
  stderr.includes("Cannot find package 'vite'")
    ? 'the builder is not installed; `npm ci` without --omit=dev brings it, or copy apps/dashboard/dist from where it is'
    : stderr.trim()

/** An installation without the builder comes with built pages. */
async function olderPages(): Promise<string | undefined> {
  if (!existsSync(DIST)) return undefined
  const [name] = (await readdir(DIST)).filter((entry) => !entry.startsWith('.'))
  return name && join(DIST, name)
}

/** Folders that are not sources. */
const IGNORED = ['node_modules', 'dist', '.svelte-kit']

function* sourcesIn(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (IGNORED.includes(entry.name)) continue
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* sourcesIn(path)
    else yield path
  }
}

/** The name of the build for the current sources. By content, as a checkout changes file times. */
export function sourceHash(folders: readonly string[] = [DASHBOARD, ...SHARED]): string {
  const hash = createHash('sha256')
  for (const folder of folders) {
    for (const path of [...sourcesIn(folder)].sort()) {
      const bytes = readFileSync(path)
      hash.update(`${relative(folder, path)}\0${bytes.length}\0`).update(bytes)
    }
  }
  return hash.digest('hex').slice(0, 16)
}
