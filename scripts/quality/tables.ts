import type { Table } from '../../bench/report/table.ts'
import { onScale, type QualityScale } from '../../src/codecs/scales.ts'
import { type Encoder, references, scaled } from './encoders.ts'
import { type Likeness, likeness } from './likeness.ts'
import type { Photograph } from './photographs.ts'

type Photographs = readonly Photograph[]

const promised = [50, 75, 90] as const
const rowsOfScale = [10, 25, 50, 75, 90, 95] as const
/** Close enough together that the curve between them is nearly straight. */
const tried = [5, 10, 17, 25, 37, 50, 62, 75, 82, 90, 95, 98] as const

/** The target of a quality is halfway between JPEG and WebP at that quality. */
async function goal(photographs: Photographs, quality: number): Promise<number> {
  let sum = 0
  for (const { at } of references) sum += (await likeness(photographs, at(quality))).ssim
  return sum / references.length
}

const cell = ({ ssim, bytes }: Likeness): string => `${ssim.toFixed(4)}, ${(bytes / 1000).toFixed(0)} kB`

/** SSIM and bytes of every encoder at the qualities that should look alike. */
export async function servedTable(photographs: Photographs, side: number): Promise<Table> {
  const rows: string[][] = []
  const goals = new Map<number, number>()
  for (const quality of promised) goals.set(quality, await goal(photographs, quality))
  for (const { name, at } of [...references, ...scaled]) {
    const row = [name]
    for (const quality of promised) {
      const found = await likeness(photographs, at(quality))
      row.push(cell(found), (found.ssim - (goals.get(quality) ?? 0)).toFixed(4))
    }
    rows.push(row)
  }
  return {
    title: `${photographs.length} photographs, longest side up to ${side} px`,
    columns: ['', ...promised.flatMap((quality) => [`quality ${quality}`, 'off by'])],
    rows,
    notes: ['SSIM of luma over blocks of 8 × 8, mean bytes; "off by" is from halfway between JPEG and WebP.'],
  }
}

/** The setting at which an encoder reaches each target, starting from its current `scale`: the corrected scale. */
async function fitting({ at }: Encoder, scale: QualityScale, sets: readonly Photographs[]): Promise<readonly string[]> {
  const cells: string[] = []
  const curves: (readonly number[])[] = []
  for (const photographs of sets) {
    const curve: number[] = []
    for (const quality of tried) curve.push((await likeness(photographs, at(quality))).ssim)
    curves.push(curve)
  }
  for (const quality of rowsOfScale) {
    const own: number[] = []
    for (const [index, photographs] of sets.entries()) {
      own.push(onScale(scale, reaching(curves[index] ?? [], await goal(photographs, quality))))
    }
    cells.push(`${onScale(scale, quality)} → ${own.join(', ')}`)
  }
  return cells
}

/** The quality, interpolated between those tried, at which a rising curve reaches a value. */
function reaching(curve: readonly number[], value: number): number {
  const above = Math.max(
    1,
    curve.findIndex((ssim) => ssim >= value),
  )
  const [low, high] = [curve[above - 1] ?? 0, curve[above] ?? 1]
  const [from, to] = [tried[above - 1] ?? 1, tried[above] ?? 100]
  return from + ((value - low) / (high - low)) * (to - from)
}

export async function fittingTable(sets: readonly Photographs[]): Promise<Table> {
  const rows: string[][] = []
  for (const encoder of scaled) {
    if (encoder.scale) rows.push([encoder.name, ...(await fitting(encoder, encoder.scale, sets))])
  }
  return {
    title: "The encoders' own numbers: now → what would fit, by size",
    columns: ['', ...rowsOfScale.map((quality) => `quality ${quality}`)],
    rows,
  }
}
