import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { drawPhotographs } from './draw-photograph.ts'
import { enlargePhotographs, recipe } from './enlarge-photograph.ts'
import { writeSmallPng } from './small-png.ts'

export type Size = 'medium' | 'large' | 'small'

export interface Photographs {
  /** Folders and files of about 2 megapixels, 12 megapixels, and the one PNG of 64 × 64 pixels. */
  readonly folders: Readonly<Record<Size, string>>
  readonly files: Readonly<Record<Size, readonly string[]>>
  /** Their origin, for readers of the tables. */
  readonly origin: string
}

const jpegsIn = (folder: string) =>
  readdirSync(folder)
    .filter((name) => /\.jpe?g$/i.test(name))
    .sort()
    .slice(0, 12)
    .map((name) => join(folder, name))

/** A folder below the system's temporary one, the same for the same sources, so that enlarged pictures are made once. */
const workFolder = (...parts: string[]) => {
  const folder = join(tmpdir(), 'pixelmill-bench', ...parts)
  mkdirSync(folder, { recursive: true })
  return folder
}

const fingerprint = (files: readonly string[]) =>
  createHash('sha256')
    .update(files.map((file) => `${file}:${statSync(file).size}`).join('\n'))
    .digest('hex')
    .slice(0, 12)

const drawMedium = async () => {
  const folder = workFolder('drawn')
  await drawPhotographs(folder, 12)
  return folder
}

/** The JPEGs of BENCH_PHOTOS, or drawn ones; the large ones are made from them. */
export async function findPhotographs(photoFolder = process.env.BENCH_PHOTOS): Promise<Photographs> {
  const medium = photoFolder ?? (await drawMedium())
  const mediumFiles = jpegsIn(medium)
  if (!mediumFiles.length) throw new Error('BENCH_PHOTOS names a folder without JPEGs.')
  const large = workFolder(fingerprint(mediumFiles), recipe)
  await enlargePhotographs(mediumFiles, large)
  const small = workFolder(fingerprint(mediumFiles), 'small')
  const png = await writeSmallPng(mediumFiles[0] ?? '', small)
  const origin = `${mediumFiles.length} ${photoFolder ? 'photographs of the folder BENCH_PHOTOS' : 'photograph-like pictures drawn from a seed'}`
  return { folders: { medium, large, small }, files: { medium: mediumFiles, large: jpegsIn(large), small: [png] }, origin }
}
