import type { Photographs } from '@pixelmill/codecs/test/photographs/photographs'
import type { Table } from './report/table.ts'

/** The parameters of a measurement. */
export interface Bench {
  readonly photographs: Photographs
  readonly quick: boolean
  /** The tables are written: what later runs are compared with is kept. */
  readonly write: boolean
}

/** A measurement that starts its own server and returns tables; `names` are its cells. */
export interface Measurement {
  readonly names: readonly string[]
  /** The page for its tables without one of their own; lab/results/bench.md by default. */
  readonly page?: string
  measure(bench: Bench, cellNames: readonly string[]): Promise<readonly Table[]>
}
