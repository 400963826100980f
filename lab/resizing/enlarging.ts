import type { Size } from '@pixelmill/codecs/pixels/size'
import sharp from 'sharp'
import type { Table } from '../bench/report/table.ts'
import { exactResize, type Rgb } from './exact-resize.ts'
import { psnr } from './likeness.ts'
import { cost, decode, ours, plain, type Way } from './ways.ts'

const ways = { sharp: plain, 'the service': ours } as const satisfies Record<string, Way>
const factors = [1.25, 2, 3.7] as const
const SIDE = 1024

const png = ({ data, width, height }: Rgb) =>
  sharp(Uint8ClampedArray.from(data), { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer()

/** How far a ramp is shifted to the right, in pixels of the result; away from the edges. */
async function shift(way: Way, factor: number): Promise<number> {
  const width = 60
  const height = 12
  const slope = 4
  const ramp = {
    width,
    height,
    data: Array.from({ length: width * height * 3 }, (_, at) => slope * (Math.floor(at / 3) % width)),
  }
  const to = { width: Math.round(width * factor), height: Math.round(height * factor) }
  const { data } = await way(await png(ramp), to)
  let sum = 0
  let count = 0
  for (let x = Math.ceil(10 * factor); x < 50 * factor; x++) {
    const value = data[((to.height >> 1) * to.width + x) * 3] ?? 0
    sum += (slope * (((x + 0.5) * width) / to.width - 0.5) - value) / (slope / factor)
    count++
  }
  return sum / count
}

/** A picture is shrunk by the exact method, enlarged again, and compared with the original. */
async function scoresOf(original: Rgb, factor: number, way: Way) {
  const size: Size = { width: original.width, height: original.height }
  const small = { width: Math.round(size.width / factor), height: Math.round(size.height / factor) }
  const smallCopy = exactResize(original, small, 'light')
  const file = await png(smallCopy)
  const exact = exactResize(await decode(file), size, 'samples')
  const result = await way(file, size)
  const ms = (await cost(way, file, size)) / ((size.width * size.height) / 1e6)
  return [psnr(result, original), Math.min(psnr(result, exact), 99), ms]
}

export async function enlargingTable(photographs: readonly Buffer[]): Promise<Table> {
  const originals = await Promise.all(photographs.map(async (file) => decode(await sharp(file).resize(SIDE).png().toBuffer())))
  const rows: string[][] = []
  for (const factor of factors) {
    for (const [name, way] of Object.entries(ways)) {
      const scores: number[][] = []
      for (const original of originals) scores.push(await scoresOf(original, factor, way))
      const [before, exact, ms] = [0, 1, 2].map((at) => scores.reduce((sum, score) => sum + (score[at] ?? 0), 0) / scores.length)
      const displacement = Math.abs(await shift(way, factor))
      rows.push([`× ${factor}`, name, displacement.toFixed(2), ...[before, exact, ms].map((value) => (value ?? 0).toFixed(1))])
    }
  }
  return {
    title: 'Enlarging',
    columns: ['size', 'by', 'shifted by px', 'to the original dB', 'to exact Lanczos-3 dB', 'ms a megapixel'],
    rows,
    notes: ['Photographs that were made smaller and are enlarged again; the shift is that of a ramp, in pixels of the result.'],
  }
}
