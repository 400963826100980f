import { globSync } from 'node:fs'
import { join } from 'node:path'
import { seededRandom } from '@pixelmill/codecs/test/photographs/random'
import sharp from 'sharp'

/** A subject with an exactly known outline. */
export interface CutOut {
  readonly name: string
  /** PNG with alpha. */
  readonly bytes: Buffer
}

const SIDE = 600
const svg = (body: string) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${SIDE}" height="${SIDE}">${body}</svg>`)

/** Thin strands in all directions: semi-transparent nearly everywhere. */
function hair(): string {
  const random = seededRandom(7)
  const strands = Array.from({ length: 420 }, () => {
    const angle = random() * 2 * Math.PI
    const bend = (random() - 0.5) * 0.8
    const reach = 150 + random() * 130
    const at = (turn: number, length: number) =>
      `${300 + Math.cos(angle + turn) * length} ${300 + Math.sin(angle + turn) * length}`
    const shade = 30 + Math.floor(random() * 70)
    return `<path d="M${at(0, 20)} Q${at(bend, reach / 2)} ${at(bend / 2, reach)}" stroke="rgb(${shade + 40},${shade},${shade / 2})"/>`
  })
  return `<circle cx="300" cy="300" r="130" fill="#5a3d22"/><g fill="none" stroke-width="2.2">${strands.join('')}</g>`
}

const drawings: Readonly<Record<string, string>> = {
  hair: hair(),
  ring: '<defs><radialGradient id="g"><stop offset=".5" stop-color="#7a2"/><stop offset="1" stop-color="#241"/></radialGradient></defs><path fill="url(#g)" fill-rule="evenodd" d="M300 40a260 260 0 1 0 .1 0zM300 190a110 110 0 1 1 -.1 0z"/>',
  letters:
    '<g font-family="sans-serif" font-weight="bold" font-size="210" fill="#a3122f"><text x="30" y="260">Oak</text><text x="30" y="480">&amp;Co</text></g>',
  bottle:
    '<defs><linearGradient id="g"><stop offset="0" stop-color="#d5d5d8"/><stop offset=".35" stop-color="#fbfbfb"/><stop offset="1" stop-color="#c4c4ca"/></linearGradient></defs><path fill="url(#g)" d="M255 120h90v90q60 30 60 110v250q0 20-20 20H215q-20 0-20-20V320q0-80 60-110z"/><rect x="248" y="60" width="104" height="62" rx="8" fill="#345"/><rect x="200" y="350" width="200" height="130" fill="#2b7a6b"/><rect x="230" y="385" width="140" height="16" fill="#fff"/>',
}

/** The drawn ones, and pieces of photographs with a wavy outline, which have real textures. */
export async function generatedCutOuts(photographs: readonly string[]): Promise<readonly CutOut[]> {
  const shapes = await Promise.all(
    Object.entries(drawings).map(async ([name, body]) => ({ name, bytes: await sharp(svg(body)).png().toBuffer() })),
  )
  const pieces = await Promise.all(photographs.map((photograph, at) => piece(photograph, at)))
  return [...shapes, ...pieces]
}

async function piece(photograph: string, at: number): Promise<CutOut> {
  const random = seededRandom(100 + at)
  const waves = Array.from({ length: 5 }, (_, n) => ({ size: (random() * 0.45) / (n + 1), phase: random() * 2 * Math.PI }))
  const points = Array.from({ length: 240 }, (_, step) => {
    const angle = (step / 240) * 2 * Math.PI
    const radius = 190 * (1 + waves.reduce((sum, { size, phase }, n) => sum + size * Math.sin((n + 1) * angle + phase), 0))
    return `${300 + Math.cos(angle) * radius},${300 + Math.sin(angle) * radius}`
  })
  const outline = svg(`<polygon points="${points.join(' ')}" fill="#fff"/>`)
  const texture = sharp(photograph).autoOrient().resize(SIDE, SIDE, { fit: 'cover' }).removeAlpha().toColourspace('srgb')
  const bytes = await sharp(await texture.png().toBuffer())
    .ensureAlpha()
    .composite([{ input: outline, blend: 'dest-in' }])
    .png()
    .toBuffer()
  return { name: `piece ${at + 1}`, bytes: await sharp(bytes).trim().png().toBuffer() }
}

export async function cutOutsIn(folder: string): Promise<readonly CutOut[]> {
  const files = globSync('*.{png,webp}', { cwd: folder }).sort()
  return Promise.all(
    files.map(async (name) => {
      const small = sharp(join(folder, name)).resize(SIDE, SIDE, { fit: 'inside' }).toColourspace('srgb').ensureAlpha()
      return { name, bytes: await small.png().toBuffer() }
    }),
  )
}
