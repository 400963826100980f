import { crc32 } from 'node:zlib'
import { planArchive } from 'pixelmill-server/archives/plan-archive'
import sharp from 'sharp'

/** Numbers from 0 up to `below`. */
export type Random = (below: number) => number

/** A picture identified by its width, which is unique. */
interface Picture {
  readonly name: string
  readonly width: number
  readonly bytes: Buffer
}

/** An archive and its expected result. */
export interface Archive {
  readonly bytes: Buffer
  /** The width of each good picture, by its path in the archive. */
  readonly good: ReadonlyMap<string, number>
  readonly bad: readonly string[]
  readonly skipped: readonly string[]
}

const PICTURES = 24
const ENDINGS = ['jpg', 'png', 'webp'] as const

/** Noise, which takes some tenths of a second each. */
export const makePictures = (): Promise<readonly Picture[]> =>
  Promise.all(
    Array.from({ length: PICTURES }, async (_, index) => {
      const width = 900 + index
      const ending = ENDINGS[index % ENDINGS.length] ?? 'jpg'
      const noise = { type: 'gaussian', mean: 100 + 4 * index, sigma: 20 } as const
      const picture = sharp({ create: { width, height: 700, channels: 3, background: '#000', noise } })
      const format = ending === 'jpg' ? 'jpeg' : ending
      return { name: `picture-${index}.${ending}`, width, bytes: await picture.toFormat(format, { quality: 80 }).toBuffer() }
    }),
  )

/** Some of the pictures in folders, a few files that are not images, and a text file. */
export function makeArchive(pictures: readonly Picture[], random: Random): Archive {
  const selection = pictures.filter(() => random(3) > 0)
  const [first] = pictures
  const good = selection.length > 0 || !first ? selection : [first]
  const damagedFiles = Array.from({ length: random(3) }, (_, index) => ({
    path: `damaged/${index}.${ENDINGS[index % ENDINGS.length]}`,
    content: Buffer.from(`this is no picture, ${index}`),
  }))
  const files = [
    ...good.map(({ name, bytes }, index) => ({ path: `folder-${index % 3}/${name}`, content: bytes })),
    ...damagedFiles,
    { path: 'README.txt', content: Buffer.from('not an image') },
  ]
  const entries = files.map((file) => ({ ...file, bytes: file.content.length, crc32: crc32(file.content) }))
  return {
    bytes: Buffer.concat(planArchive<Buffer>(entries, new Date(Date.UTC(2026, 0, 1))).segments.map(({ content }) => content)),
    good: new Map(good.map(({ name, width }, index) => [`folder-${index % 3}/${name}`, width])),
    bad: damagedFiles.map(({ path }) => path),
    skipped: ['README.txt'],
  }
}
