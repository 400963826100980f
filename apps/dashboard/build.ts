import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build } from 'vite'
import { sourceHash } from './dashboard-build.ts'
import { paths } from './src/pages/paths.ts'

/** Builds the pages into `dist/<hash of the sources>`: a folder of that name is whole, whoever else builds at the same time. */

const dist = join(import.meta.dirname, 'dist')
const name = sourceHash()
const target = join(dist, `.${name}-${process.pid}`)

const TEXT = /\.(html|js|css|svg|wasm)$/

/** What does not get smaller, such as a photograph, is left alone. */
async function compress(path: string): Promise<void> {
  const bytes = await readFile(path)
  const smallest = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } })
  const widest = gzipSync(bytes, { level: 9 })
  if (smallest.length < bytes.length) await writeFile(`${path}.br`, smallest)
  if (widest.length < bytes.length) await writeFile(`${path}.gz`, widest)
}

if (!existsSync(join(dist, name))) await buildPages()

async function buildPages(): Promise<void> {
  await mkdir(dist, { recursive: true })
  try {
    await build({ root: import.meta.dirname, logLevel: 'error', build: { outDir: target, emptyOutDir: true } })
    const files = await readdir(target, { recursive: true })
    for (const file of files.filter((each) => TEXT.test(each))) await compress(join(target, file))
    await writeFile(join(target, 'paths.json'), JSON.stringify(paths))
    if (sourceHash() !== name) throw new Error('The sources changed while they were built; start again.')
    // The loser of a race leaves the winner's, which is the same.
    await rename(target, join(dist, name)).catch((error: unknown) => {
      if (!existsSync(join(dist, name))) throw error
    })
    // Servers have their pages in memory, so older builds are not read again.
    for (const older of await readdir(dist)) {
      if (older !== name && !older.startsWith('.')) await rm(join(dist, older), { recursive: true, force: true })
    }
  } finally {
    await rm(target, { recursive: true, force: true })
  }
}
