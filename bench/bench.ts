import type { Photographs } from './photographs/photographs.ts'
import type { Table } from './report/table.ts'

/** What a measurement is given. */
export interface Bench {
  readonly photographs: Photographs
  readonly quick: boolean
}

/** One measurement that boots its own server and gives tables; `names` are the cells it knows. */
export interface Measurement {
  readonly names: readonly string[]
  /** Of docs/, which its tables are written into; performance.md where it is not said. */
  readonly page?: string
  measure(bench: Bench, chosen: readonly string[]): Promise<Table[]>
}
