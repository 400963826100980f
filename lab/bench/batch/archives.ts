import { randomFillSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { extname } from 'node:path'
import { crc32 } from 'node:zlib'
import { type PlannedFile, planArchive } from 'pixelmill-server/archives/plan-archive'

const plannedFile = (path: string, content: Buffer): PlannedFile<Buffer> => ({
  path,
  content,
  bytes: content.length,
  crc32: crc32(content),
})

async function write(file: string, files: readonly PlannedFile<Buffer>[]): Promise<string> {
  await using handle: FileHandle = await open(file, 'w')
  for (const { content } of planArchive(files, new Date(0)).segments) await handle.writeFile(content)
  return file
}

/** An archive of this many photographs: the same few repeated under different names. */
export function writePhotographs(file: string, photographs: readonly string[], images: number): Promise<string> {
  const pictures = photographs.map((path) => ({ bytes: readFileSync(path), extension: extname(path) }))
  const files = Array.from({ length: images }, (_, nth) => {
    const picture = pictures[nth % pictures.length]
    return plannedFile(`${Math.floor(nth / 100)}/${nth}${picture?.extension}`, picture?.bytes ?? Buffer.alloc(0))
  })
  return write(file, files)
}

const NOISE_BYTES = 14_000_000

/** An archive of about this many bytes: one photograph, and noise, which is not an image and is skipped. */
export function writeLargeArchive(file: string, photograph: string, bytes: number): Promise<string> {
  const noise = randomFillSync(Buffer.alloc(NOISE_BYTES))
  const many = Array.from({ length: Math.floor(bytes / NOISE_BYTES) }, (_, nth) => plannedFile(`${nth}.bin`, noise))
  return write(file, [plannedFile('photograph.jpg', readFileSync(photograph)), ...many])
}
