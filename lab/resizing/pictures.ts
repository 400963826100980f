import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { seededRandom } from '@pixelmill/codecs/test/photographs/random'
import sharp from 'sharp'

/** Files of one kind, as they would be uploaded. */
export interface Kind {
  readonly name: string
  readonly files: readonly Buffer[]
}

const WIDTH = 1920
const HEIGHT = 1280

const drawing = (paper: string, things: readonly string[]) =>
  sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}"><rect width="100%" height="100%" fill="${paper}"/>${things.join('')}</svg>`,
    ),
  )
    .removeAlpha()
    .png()
    .toBuffer()

function lines(): readonly string[] {
  const random = seededRandom(1)
  const point = () => `${Math.round(random() * WIDTH)} ${Math.round(random() * HEIGHT)}`
  const line = () =>
    `<path d="M${point()} C${point()} ${point()} ${point()}" fill="none" stroke="black" stroke-width="${1 + 2 * random()}"/>`
  return Array.from({ length: 160 }, line)
}

/** Words of random letters, in any available sans-serif font. */
function text(ink: string): readonly string[] {
  const random = seededRandom(2)
  const letter = () => (random() < 0.17 ? ' ' : String.fromCharCode(97 + Math.floor(26 * random())))
  const line = (y: number) =>
    `<text x="10" y="${y}" font-family="sans-serif" font-size="14" fill="${ink}">${Array.from({ length: 260 }, letter).join('')}</text>`
  return Array.from({ length: HEIGHT / 20 }, (_, at) => line(20 * (at + 1)))
}

export async function pictures(folder: string): Promise<readonly Kind[]> {
  const jpegs = globSync('*.jpg', { cwd: folder }).sort().slice(0, 12)
  if (!jpegs.length) throw new Error('The folder has no photographs (*.jpg).')
  const photographs = jpegs.map((name) => readFileSync(join(folder, name)))
  return [
    { name: 'photographs, JPEG', files: photographs },
    { name: 'the same, PNG', files: await Promise.all(photographs.map((file) => sharp(file).png().toBuffer())) },
    { name: 'the same, WebP', files: await Promise.all(photographs.map((file) => sharp(file).webp({ quality: 90 }).toBuffer())) },
    { name: 'line drawing, PNG', files: [await drawing('white', lines())] },
    { name: 'text on white, PNG', files: [await drawing('white', text('black'))] },
    { name: 'text on black, PNG', files: [await drawing('#111', text('#ddd'))] },
  ]
}
