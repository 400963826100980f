import { addGrain, seededRandom } from '@pixelmill/codecs/test/photographs/random'
import sharp from 'sharp'
import { studio } from '../matting/backdrops.ts'
import type { Picture } from './pictures.ts'
import { drawing, type SubjectName, subjects } from './subjects.ts'

const WIDTH = 900
const HEIGHT = 675
/** Maximum height within the frame, with a margin. */
const SUBJECT = 520

/** Camera defects applied to a scene. */
interface Damage {
  readonly name: string
  /** Standard deviation of the blur in pixels. */
  readonly blur?: number
  /** Standard deviation of the noise, 0–255. */
  readonly noise?: number
  readonly quality: number
}

const damages: readonly Damage[] = [
  { name: 'as it is', quality: 92 },
  { name: 'noise 10', noise: 10, quality: 95 },
  { name: 'blur 1.5', blur: 1.5, quality: 95 },
  { name: 'noise 20', noise: 20, quality: 95 },
  { name: 'blur 2, noise 3', blur: 2, noise: 3, quality: 95 },
]

const paints = [...Object.values(studio.tuning), ...Object.values(studio['held out'])]

/** Twenty still lifes, the same in every run: each subject once, backdrops and defects in rotation. */
export async function* drawnScenes(): AsyncGenerator<Picture> {
  for (const [at, name] of (Object.keys(subjects) as SubjectName[]).entries()) {
    const damage = damages[at % damages.length]
    const paint = paints[(at * 5) % paints.length]
    if (!damage || !paint) return
    yield {
      name: [name, damage.name],
      file: await photograph(name, paint(seededRandom(at + 1), WIDTH, HEIGHT), damage, at),
    }
  }
}

async function photograph(name: SubjectName, behind: Buffer, { blur, noise, quality }: Damage, seed: number): Promise<Buffer> {
  const raw = { width: WIDTH, height: HEIGHT, channels: 3 } as const
  const left = Math.round((WIDTH - SUBJECT) * (0.35 + 0.3 * seededRandom(seed)()))
  const top = Math.round((HEIGHT - SUBJECT) * 0.6)
  const subject = await sharp(Buffer.from(drawing(name, SUBJECT)))
    .png()
    .toBuffer()
  const scene = await sharp(behind, { raw })
    .composite([
      { input: await shadow(left, top), left: 0, top: 0 },
      { input: subject, left, top },
    ])
    .removeAlpha()
    .raw()
    .toBuffer()
  const soft = blur ? await sharp(scene, { raw }).blur(blur).raw().toBuffer() : scene
  if (noise) addGrain(soft, seed, noise)
  return sharp(soft, { raw }).jpeg({ quality, chromaSubsampling: '4:4:4' }).toBuffer()
}

/** The shadow of a lamp from above. */
function shadow(left: number, top: number): Promise<Buffer> {
  const x = left + SUBJECT * 0.54
  const y = top + SUBJECT * 0.92
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}"><ellipse cx="${x}" cy="${y}" rx="${SUBJECT * 0.36}" ry="${SUBJECT * 0.05}" fill="#000" opacity=".4"/></svg>`
  return sharp(Buffer.from(svg)).blur(12).png().toBuffer()
}
