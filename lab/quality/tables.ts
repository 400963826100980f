import { onScale } from '@pixelmill/codecs/scales'
import type { Table } from '../bench/report/table.ts'
import { type Encoder, encoders, megapixelsOf, type Result, resultOf } from './encoders.ts'
import { openPhotograph } from './photographs.ts'

export interface Measured {
  readonly side: number
  /** Megapixels of the middle photograph. */
  readonly megapixels: number
  readonly photographs: number
  /** The result of each photograph, for each encoder by its name and for each quality. */
  readonly results: ReadonlyMap<string, ReadonlyMap<number, readonly Result[]>>
}

/** Encodes and scores photographs one after another, so that only one is in memory. */
export async function measure(paths: readonly string[], side: number, qualities: readonly number[]): Promise<Measured> {
  const results = new Map(encoders.map(({ name }) => [name, new Map(qualities.map((quality) => [quality, [] as Result[]]))]))
  const sizes: number[] = []
  for (const path of paths) {
    const photograph = await openPhotograph(path, side)
    sizes.push(megapixelsOf(photograph))
    for (const encoder of encoders) {
      let last: Result | undefined
      for (const quality of qualities) {
        last = (encoder.fixed && last) || (await resultOf(photograph, encoder, quality))
        results.get(encoder.name)?.get(quality)?.push(last)
      }
    }
  }
  return { side, megapixels: quantile(sizes, 0.5), photographs: paths.length, results }
}

/** A percentile of any number of values, interpolated between neighbours. */
function quantile(values: readonly number[], share: number): number {
  const ascending = values.toSorted((one, other) => one - other)
  const place = share * (ascending.length - 1)
  const low = ascending[Math.floor(place)] ?? Number.NaN
  const high = ascending[Math.ceil(place)] ?? Number.NaN
  return low + (place % 1) * (high - low)
}

const scoresOf = ({ results }: Measured, name: string, quality: number): readonly number[] =>
  (results.get(name)?.get(quality) ?? []).map(({ score }) => score)

function cell(measurement: Measured, name: string, quality: number): string {
  const results = measurement.results.get(name)?.get(quality) ?? []
  const [low, middle, high] = [0.1, 0.5, 0.9].map((share) => quantile(scoresOf(measurement, name, quality), share))
  const bytes = results.reduce((sum, one) => sum + one.bytes, 0) / results.length
  return `**${middle?.toFixed(1)}** (${low?.toFixed(0)}–${high?.toFixed(0)}), ${(bytes / 1000).toFixed(0)} kB`
}

/** SSIMULACRA2 and bytes of every encoder at the qualities that should look alike. */
export function servedTable(measurement: Measured, qualities: readonly number[]): Table {
  return {
    title: `${measurement.photographs} photographs, longer side at most ${measurement.side} px`,
    columns: ['', ...qualities.map((quality) => `quality ${quality}`)],
    rows: encoders.map(({ name }) => [name, ...qualities.map((quality) => cell(measurement, name, quality))]),
  }
}

/** The setting at which an encoder would reach JPEG's median score, interpolated between those of the qualities measured. */
function fitting({ name, scale = [] }: Encoder, measurement: Measured, qualities: readonly number[], quality: number): string {
  const points = qualities.map((one) => ({
    own: onScale(scale, one, measurement.megapixels),
    score: quantile(scoresOf(measurement, name, one), 0.5),
  }))
  const goal = quantile(scoresOf(measurement, 'JPEG', quality), 0.5)
  const above = points.findIndex(({ score }) => score >= goal)
  const low = points[above - 1]
  const high = points[above]
  const now = onScale(scale, quality, measurement.megapixels)
  if (!low || !high) return `${now} → ${high ? 'lower' : 'higher'}`
  return `${now} → ${(low.own + ((goal - low.score) / (high.score - low.score)) * (high.own - low.own)).toFixed(1)}`
}

export function fittingTable(measurements: readonly Measured[], qualities: readonly number[]): Table {
  return {
    title: "The encoders' own numbers: now → what would fit",
    columns: ['', ...qualities.map((quality) => `quality ${quality}`)],
    rows: encoders
      .filter(({ scale }) => scale)
      .flatMap((encoder) =>
        measurements.map((one) => [
          `${encoder.name}, ${one.side} px`,
          ...qualities.map((quality) => fitting(encoder, one, qualities, quality)),
        ]),
      ),
  }
}
