import type { Photographs, Size } from '@pixelmill/codecs/test/photographs/photographs'
import type { LoadPlan, PlannedRequest } from '../load/load-plan.ts'
import type { Rendering } from '../rendering.ts'

/** One conversion, measured on the service and on the references. */
export interface Conversion {
  readonly name: string
  readonly title: string
  readonly size: Size
  readonly rendering: Rendering
  /** Images in one interleaved block, and in one throughput run; multiples of the twelve pictures. */
  readonly block: number
  readonly sweep: number
}

export const uploads = ({ size, rendering: { format, width } }: Conversion, { files }: Photographs): PlannedRequest[] =>
  files[size].map((image) => ({
    path: '/api/v1/convert',
    files: { image },
    fields: { format, ...(width && { width: String(width) }) },
  }))

export const closedLoopOf = (requests: readonly PlannedRequest[], concurrency: number, images: number) =>
  ({ requests, concurrency, until: { images }, retry: 'wait' }) satisfies Omit<LoadPlan, 'port'>
