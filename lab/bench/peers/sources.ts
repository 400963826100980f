import { copyFileSync, existsSync, linkSync, mkdirSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Photographs } from '@pixelmill/codecs/test/photographs/photographs'
import sharp from 'sharp'
import type { Cell } from './cells.ts'

/** The pictures of a cell in a folder of their own. */
export interface Source {
  readonly folder: string
  /** One path of each picture. */
  readonly files: readonly string[]
  /** Names in the folder, of which several are of the same picture: servers that answer equal requests once must answer each. */
  readonly names: readonly string[]
}

const NAMES_EACH = 8

export async function sourceOf({ files, folders }: Photographs, { source }: Cell): Promise<Source> {
  const folder = join(dirname(folders.large), 'peers', source)
  mkdirSync(folder, { recursive: true })
  const kind = source === 'png' ? 'png' : 'jpg'
  const pictures: string[] = []
  for (const [nth, file] of files[source === 'large' ? 'large' : 'medium'].entries()) {
    const path = join(folder, `0-${nth}.${kind}`)
    if (!existsSync(path)) await place(file, path)
    pictures.push(path)
  }
  const names = Array.from({ length: NAMES_EACH }, (_, copy) =>
    pictures.map((picture, nth) => {
      const path = join(folder, `${copy}-${nth}.${kind}`)
      if (!existsSync(path)) linkSync(picture, path)
      return `${copy}-${nth}.${kind}`
    }),
  )
  return { folder, files: pictures, names: names.flat() }
}

async function place(file: string, path: string): Promise<void> {
  if (path.endsWith('.jpg')) return copyFileSync(file, path)
  await sharp(file).autoOrient().png().toFile(`${path}.part`)
  renameSync(`${path}.part`, path)
}
