import type { Photographs } from '@pixelmill/codecs/test/photographs/photographs'
import type { Table } from './report/table.ts'

/** The parameters of a measurement. */
export interface Bench {
  readonly photographs: Photographs
  readonly quick: boolean
}

/** A measurement that starts its own server and returns tables; `names` are its cells. */
export interface Measurement {
  readonly names: readonly string[]
  /** The page of docs/ for its tables; decisions/0029-compare-with-a-bare-loop.md by default. */
  readonly page?: string
  measure(bench: Bench, chosen: readonly string[]): Promise<Table[]>
}
