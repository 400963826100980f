import './symbol-dispose.ts'
import { errorMapOf } from '@pixelmill/vision/likeness/ssimulacra2/error-map'
import { heatPixels } from './heat.ts'
import type { Likeness, ScoreAnswer, ScoreQuestion } from './scorer.ts'

interface Pixels {
  readonly width: number
  readonly height: number
  readonly channels: number
  readonly data: Uint8Array
}

/** Originals are decoded once: the picture, and the small copy of it. */
const MOST_ORIGINALS = 2
const originals = new Map<string, Promise<Pixels>>()

addEventListener('message', async ({ data }: MessageEvent<ScoreQuestion>) => {
  const answer: ScoreAnswer = { id: data.id, likeness: await likenessOf(data).catch(() => undefined) }
  postMessage(answer)
})

/** Undefined where the sizes differ. */
async function likenessOf({ original, result }: ScoreQuestion): Promise<Likeness | undefined> {
  const pixels = originals.get(original.url) ?? pixelsOf(original.blob)
  originals.delete(original.url)
  originals.set(original.url, pixels)
  for (const url of [...originals.keys()].slice(0, -MOST_ORIGINALS)) originals.delete(url)
  const [one, other] = await Promise.all([pixels, pixelsOf(result.blob)])
  if (one.width !== other.width || one.height !== other.height) return undefined
  const map = errorMapOf(one, other)
  const canvas = new OffscreenCanvas(map.columns, map.rows)
  canvas.getContext('2d')?.putImageData(new ImageData(heatPixels(map), map.columns, map.rows), 0, 0)
  return { score: map.score, heat: await canvas.convertToBlob(), columns: map.columns, rows: map.rows }
}

/** As the browser shows it: oriented, in sRGB. */
async function pixelsOf(blob: Blob): Promise<Pixels> {
  const bitmap = await createImageBitmap(blob)
  const { width, height } = bitmap
  const pen = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true })
  if (!pen) throw new Error('The browser cannot draw.')
  pen.drawImage(bitmap, 0, 0)
  bitmap.close()
  const { data } = pen.getImageData(0, 0, width, height)
  return withoutOpaqueAlpha({ width, height, channels: 4, data: new Uint8Array(data.buffer) })
}

/** A picture with alpha is compared on two backgrounds, which takes twice as long. */
function withoutOpaqueAlpha(pixels: Pixels): Pixels {
  const { data, width, height } = pixels
  const colours = new Uint8Array(3 * width * height)
  let to = 0
  for (let at = 0; at < data.length; at += 4) {
    if (data[at + 3] !== 255) return pixels
    colours[to++] = data[at] as number
    colours[to++] = data[at + 1] as number
    colours[to++] = data[at + 2] as number
  }
  return { width, height, channels: 3, data: colours }
}
