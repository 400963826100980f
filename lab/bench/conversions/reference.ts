import type { Photographs } from '@pixelmill/codecs/test/photographs/photographs'
import type { PlannedRequest } from '../load/load-plan.ts'
import type { Conversion } from './conversion.ts'

/** Another server that makes the same pictures from files on its disk. */
export interface Reference {
  readonly name: 'ipx' | 'nginx'
  readonly pid: number
  readonly port: number
  requests(conversion: Conversion, photographs: Photographs): readonly PlannedRequest[]
  stop(): Promise<void>
}
