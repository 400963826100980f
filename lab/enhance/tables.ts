import type { Bitmap } from '@pixelmill/codecs/reader'
import type { Mode } from '@pixelmill/vision/enhance/choose'
import { enhance } from '@pixelmill/vision/enhance/enhance'
import type { Table } from '../bench/report/table.ts'
import { asJpeg, blur, type Damage, noDamage, noisy, pixelsOf, shaken } from './damage.ts'
import { decibels, gainsOf, mean, psnr } from './gains.ts'
import { decode } from './pictures.ts'

interface Repair {
  readonly what: string
  readonly mode: Mode
  readonly damage: Damage
  readonly jpegQuality?: number
  /** dB, the mean over all pictures. */
  readonly bar: number
}

const repairs: readonly Repair[] = [
  { what: 'noise 5', mode: 'denoise', damage: noisy(5), bar: Number.NaN },
  { what: 'noise 10', mode: 'denoise', damage: noisy(10), bar: 5.5 },
  { what: 'noise 20', mode: 'denoise', damage: noisy(20), bar: 7.5 },
  { what: 'JPEG 30', mode: 'denoise', damage: asJpeg(30), jpegQuality: 30, bar: 0 },
  { what: 'JPEG 65', mode: 'denoise', damage: asJpeg(65), jpegQuality: 65, bar: 0 },
  { what: 'blur 0.8, noise 2', mode: 'deblur', damage: blur(0.8, 2), bar: 2.5 },
  { what: 'blur 1.2, noise 2', mode: 'deblur', damage: blur(1.2, 2), bar: 2 },
  { what: 'blur 2, noise 2', mode: 'deblur', damage: blur(2, 2), bar: 1.2 },
]

const verdict = (value: number, bar: number) => (Number.isNaN(bar) ? '' : `${bar} ${value >= bar ? 'met' : 'MISSED'}`)

export async function repairTable(pictures: readonly Bitmap[], set: string): Promise<Table> {
  const rows: string[][] = []
  for (const { what, mode, damage, jpegQuality, bar } of repairs) {
    const results = await gainsOf(pictures, damage, mode, jpegQuality)
    const gains = results.map(({ gain }) => gain)
    const before = mean(results.map((result) => result.before))
    const similar = [results.map(({ ssimBefore }) => ssimBefore), results.map(({ ssimAfter }) => ssimAfter)].map(mean)
    rows.push([
      what,
      mode,
      ...[before, mean(gains), Math.min(...gains), Math.max(...gains)].map(decibels),
      ...similar.map((value) => value.toFixed(3)),
      verdict(mean(gains), bar),
    ])
  }
  return {
    title: `Repair, ${pictures.length} pictures ${set}: PSNR won, dB`,
    columns: ['damage', 'mode', 'before', 'mean', 'least', 'most', 'SSIM before', 'after', 'bar'],
    rows,
    notes: ['Intensity 2. Deviations of noise on a scale of 0–255, of blur in pixels.'],
  }
}

/** Two ways to halve the size: soft and sharp. */
const halvings = {
  'a triangle filter': (picture: Bitmap) =>
    pixelsOf(picture).resize(picture.width / 2, picture.height / 2, { fit: 'fill', kernel: 'linear' }),
  'Lanczos-3': (picture: Bitmap) =>
    pixelsOf(picture).resize(picture.width / 2, picture.height / 2, { fit: 'fill', kernel: 'lanczos3' }),
} as const

async function even(picture: Bitmap): Promise<Bitmap> {
  const width = picture.width & ~1
  const height = picture.height & ~1
  return decode(pixelsOf(picture).extract({ left: 0, top: 0, width, height }))
}

export async function upscaleTable(pictures: readonly Bitmap[], set: string): Promise<Table> {
  const rows: string[][] = []
  for (const [name, halve] of Object.entries(halvings)) {
    const gains: number[][] = []
    for (const clean of await Promise.all(pictures.map(even))) {
      const small = await decode(halve(clean))
      const { width, height } = clean
      const plain = psnr((await decode(pixelsOf(small).resize(width, height, { fit: 'fill' }))).data, clean.data)
      const ours = ([1, 2, 3] as const).map((intensity) => enhance(small, { mode: 'upscale', intensity }).picture)
      gains.push([plain, ...ours.map(({ data }) => psnr(data, clean.data) - plain)])
    }
    const columns = [0, 1, 2, 3].map((at) => mean(gains.map((gain) => gain[at] ?? 0)))
    rows.push([name, ...columns.map(decibels), verdict(columns[2] ?? 0, 2.8)])
  }
  return {
    title: `Upscale × 2, ${pictures.length} pictures ${set}: PSNR won over sharp.resize, dB`,
    columns: ['made small by', 'sharp.resize', 'intensity 1', '2', '3', 'bar'],
    rows,
  }
}

const conditions: Readonly<Record<string, Damage>> = {
  'as it is': noDamage,
  'JPEG 95': asJpeg(95),
  'JPEG 75': asJpeg(75),
  'JPEG 50': asJpeg(50),
  'noise 1': noisy(1),
  'noise 2': noisy(2),
  'noise 4': noisy(4),
  'noise 10': noisy(10),
  'blur 0.5, noise 1': blur(0.5, 1),
  'blur 1, noise 1': blur(1, 1),
  'blur 1.5, noise 6': blur(1.5, 6),
  'shaken by 7, noise 2': shaken(7, 2),
}

/** This table shows whether auto makes any input worse, which it must not. */
export async function autoTable(pictures: readonly Bitmap[], set: string): Promise<Table> {
  const rows: string[][] = []
  for (const [what, damage] of Object.entries(conditions)) {
    const results = await gainsOf(pictures, damage, 'auto')
    const gains = results.map(({ gain }) => gain)
    const counts = Object.entries(Object.groupBy(results, ({ operations }) => operations))
    const operationCounts = counts.map(([operations, { length } = []]) => `${length} × ${operations}`).join('; ')
    rows.push([what, operationCounts, ...[mean(gains), Math.min(...gains)].map(decibels), verdict(Math.min(...gains), -0.3)])
  }
  return {
    title: `Auto, ${pictures.length} pictures ${set}: what it does, and what it wins, dB`,
    columns: ['picture', 'done', 'mean', 'least', 'bar'],
    rows,
  }
}
