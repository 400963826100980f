import { heicReader } from '@pixelmill/codecs/heic/reader'
import { writeHeic } from '@pixelmill/codecs/heic/write-heic'
import { fromBitmap } from '@pixelmill/codecs/pixels/from-bitmap'
import { ssim } from '@pixelmill/vision/likeness/ssim'
import sharp from 'sharp'
import { withTime } from './cpu.ts'
import { heifEnc } from './heif-enc.ts'

const WIDTH = 1600

const writers: readonly (readonly [name: string, write: (png: Buffer) => Promise<Buffer>])[] = [
  ['elheif', async (png) => (await writeHeic(sharp(png))).bytes],
  ...[25, 50, 75, 90].map((quality) => [`heif-enc, quality ${quality}`, (png: Buffer) => heifEnc(png, quality).done] as const),
  ...[50, 75, 90].map(
    (quality) =>
      [`JPEG (mozjpeg), quality ${quality}`, (png: Buffer) => sharp(png).jpeg({ quality, mozjpeg: true }).toBuffer()] as const,
  ),
]

const luma = (bytes: Buffer): Promise<Buffer> => sharp(bytes).toColourspace('b-w').raw().toBuffer()

/** The same picture at 1,600 px by each writer: bytes, similarity, CPU. */
export async function measureWriters(bytes: Buffer): Promise<void> {
  const small = (await fromBitmap(await heicReader.decode(bytes))).resize(WIDTH).removeAlpha().toColourspace('srgb')
  const { data: png, info } = await small.png({ compressionLevel: 1 }).toBuffer({ resolveWithObject: true })
  const original = await luma(png)
  console.log(`| ${info.width} × ${info.height} | bytes | SSIM | ms CPU |\n|---|---|---|---|`)
  for (const [name, write] of writers) {
    const { result: file, ms } = await withTime(() => write(png))
    const again = name.startsWith('JPEG') ? file : await (await fromBitmap(await heicReader.decode(file))).png().toBuffer()
    const shape = { width: info.width, height: info.height, channels: 1 }
    const likeness = ssim({ data: original, ...shape }, { data: await luma(again), ...shape })
    console.log(`| ${name} | ${file.length} | ${likeness.toFixed(4)} | ${ms.toFixed(0)} |`)
  }
}
