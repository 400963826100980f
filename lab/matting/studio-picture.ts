import sharp from 'sharp'
import { generatedCutOuts } from './cut-outs.ts'

/** A drawn bottle on a gradient, with camera noise, of this size: JPEG. */
export async function studioPicture(width: number, height: number): Promise<Buffer> {
  const [bottle] = (await generatedCutOuts([])).filter(({ name }) => name === 'bottle')
  const large = await sharp(bottle?.bytes)
    .resize(width, Math.round(height * 0.9), { fit: 'inside' })
    .png({ compressionLevel: 1 })
    .toBuffer()
  const ground = Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="300"><radialGradient id="g"><stop stop-color="#8ba"/>
    <stop offset="1" stop-color="#576"/></radialGradient><rect width="400" height="300" fill="url(#g)"/></svg>`,
  )
  const create = {
    width: 512,
    height: 512,
    channels: 3,
    background: '#808080',
    noise: { type: 'gaussian', mean: 128, sigma: 4 },
  } as const
  const grain = await sharp({ create }).png().toBuffer()
  const backdrop = await sharp(ground)
    .resize(width, height, { fit: 'fill' })
    .removeAlpha()
    .png({ compressionLevel: 1 })
    .toBuffer()
  return sharp(backdrop, { limitInputPixels: false })
    .composite([{ input: large }, { input: grain, tile: true, blend: 'soft-light' }])
    .jpeg({ quality: 90 })
    .toBuffer()
}
