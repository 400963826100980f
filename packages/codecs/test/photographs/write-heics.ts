import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import sharp from 'sharp'
import { writeHeic } from '../../src/heic/write-heic.ts'

/** The photographs as HEIC like a phone's: HEVC, in tiles of up to a megapixel. Creates missing ones. */
export async function writeHeics(sources: readonly string[], folder: string): Promise<readonly string[]> {
  mkdirSync(folder, { recursive: true })
  const files: string[] = []
  for (const source of sources) {
    const target = join(folder, `${basename(source).replace(/\.jpe?g$/i, '')}.heic`)
    if (!existsSync(target)) {
      const { bytes } = await writeHeic(sharp(source).autoOrient())
      writeFileSync(`${target}.part`, bytes)
      renameSync(`${target}.part`, target)
    }
    files.push(target)
  }
  return files
}
