import { readFileSync } from 'node:fs'
import { writeHeic } from '@pixelmill/codecs/heic/write-heic'
import type { Photographs } from '@pixelmill/codecs/test/photographs/photographs'
import { damage, promisingFiles, randomFrom } from '@pixelmill/codecs/test/support/damage'
import sharp from 'sharp'

/** The files to send, by name. */
export interface SoakPictures {
  readonly small: readonly Buffer[]
  readonly heic: Buffer
  readonly medium: readonly Buffer[]
  /** Damaged files, and files whose header claims more than they hold. */
  readonly hostile: readonly Buffer[]
}

const variants = 24
const headBytes = 400

/** Small ones in every format that sharp writes, some photographs, and damaged files, in a fixed order. */
export async function soakPictures({ files: { medium } }: Photographs): Promise<SoakPictures> {
  const photographs = medium.slice(0, 4).map((file) => readFileSync(file))
  const [first = Buffer.alloc(0)] = photographs
  const thumb = (width: number) => sharp(first).resize(width, Math.round(width * 0.75), { fit: 'fill' })
  const small = await Promise.all([
    thumb(320).jpeg().toBuffer(),
    thumb(256).png().toBuffer(),
    thumb(300).webp().toBuffer(),
    thumb(200).avif({ effort: 1 }).toBuffer(),
    thumb(160).gif().toBuffer(),
    thumb(240).tiff({ compression: 'lzw' }).toBuffer(),
    thumb(180).ensureAlpha(0.5).png({ palette: true }).toBuffer(),
  ])
  const random = randomFrom(9)
  const broken = Array.from({ length: variants }, (_, nth) => damage(small[nth % small.length] ?? first, random, headBytes))
  const { bytes: heic } = await writeHeic(thumb(320))
  return { small, heic, medium: photographs, hostile: [...broken, ...Object.values(await promisingFiles())] }
}
