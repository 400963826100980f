import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'

/** What the builder emits. */
const MIMES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.jpg': 'image/jpeg',
}

/** In the order in which they are preferred: the smallest first. */
export const ENCODINGS = [
  { name: 'br', suffix: '.br' },
  { name: 'gzip', suffix: '.gz' },
] as const

export interface PageFile {
  readonly mime: string
  /** Without quotation marks. */
  readonly etag: string
  readonly bytes: Buffer
  /** Made at the build, where smaller. */
  readonly encoded: ReadonlyMap<string, Buffer>
}

/** The built pages, in memory: a third of a mebibyte. */
export interface Pages {
  readonly index: PageFile
  /** By name; each name has the hash of its contents. */
  readonly assets: ReadonlyMap<string, PageFile>
  /** Addresses that are pages, as routes write them. */
  readonly paths: readonly string[]
  /** The address of the script for the documentation, which is no page of these. */
  readonly referenceScript: string | undefined
}

/** As the builder names the entry `reference`. */
const REFERENCE_SCRIPT = /^reference-[\w-]+\.js$/

async function readPageFile(path: string): Promise<PageFile> {
  const mime = MIMES[extname(path)]
  if (!mime) throw new Error(`a page of unknown type was built: ${path}`)
  const bytes = await readFile(path)
  const encoded = new Map<string, Buffer>()
  for (const { name, suffix } of ENCODINGS) if (existsSync(path + suffix)) encoded.set(name, await readFile(path + suffix))
  return { mime, bytes, encoded, etag: createHash('sha256').update(bytes).digest('base64url').slice(0, 16) }
}

/** Reads what `dashboard/build.ts` wrote. */
export async function readPages(folder: string): Promise<Pages> {
  const assets = join(folder, 'assets')
  const names = (await readdir(assets)).filter((name) => !ENCODINGS.some(({ suffix }) => name.endsWith(suffix)))
  return {
    index: await readPageFile(join(folder, 'index.html')),
    assets: new Map(await Promise.all(names.map(async (name) => [name, await readPageFile(join(assets, name))] as const))),
    referenceScript: names.filter((name) => REFERENCE_SCRIPT.test(name)).map((name) => `/assets/${name}`)[0],
    paths: JSON.parse(await readFile(join(folder, 'paths.json'), 'utf8')),
  }
}
