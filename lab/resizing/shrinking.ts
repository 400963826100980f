import type { Size } from '@pixelmill/codecs/pixels/size'
import type { Table } from '../bench/report/table.ts'
import { exactResize } from './exact-resize.ts'
import { likeness, psnr } from './likeness.ts'
import type { Kind } from './pictures.ts'
import { cost, decode, light, ours, plain, type Way } from './ways.ts'

const ways = { plain, light, ours } as const satisfies Record<string, Way>
const factors = [2, 4, 8, 16] as const

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

interface Score {
  readonly psnr: number
  readonly ssim: number
  readonly ms: number
}

/** Similarity of each method to the exact result, and its cost, for one file. */
async function scoresOf(file: Buffer, factor: number): Promise<readonly Score[]> {
  const source = await decode(file)
  const to: Size = { width: Math.round(source.width / factor), height: Math.round(source.height / factor) }
  const exact = exactResize(source, to, 'light')
  const scores: Score[] = []
  for (const way of Object.values(ways)) {
    const result = await way(file, to)
    scores.push({ psnr: psnr(result, exact), ssim: likeness(result, exact), ms: await cost(way, file, to) })
  }
  return scores
}

async function row({ name, files }: Kind, factor: number): Promise<readonly string[]> {
  const scores: (readonly Score[])[] = []
  for (const file of files) scores.push(await scoresOf(file, factor))
  const cells = Object.keys(ways).map((_, at) => {
    const of = (key: keyof Score) => mean(scores.map((file) => file[at]?.[key] ?? Number.NaN))
    return [of('psnr').toFixed(1), of('ssim').toFixed(3), of('ms').toFixed(0)]
  })
  return [name, `1/${factor}`, ...cells.flat()]
}

export async function shrinkingTable(kinds: readonly Kind[]): Promise<Table> {
  const rows: (readonly string[])[] = []
  for (const kind of kinds) for (const factor of factors) rows.push(await row(kind, factor))
  return {
    title: 'Shrinking',
    columns: ['pictures', 'size', 'sharp dB', 'SSIM', 'ms', 'all by light dB', 'SSIM', 'ms', 'the service dB', 'SSIM', 'ms'],
    rows,
    notes: [
      'Likeness to Lanczos-3 of the light, computed in double precision from the decoded file; ms are CPU, decoding included.',
      '"sharp" is its resize and nothing else; the drawings and texts are 1920 × 1280 pixels.',
    ],
  }
}
