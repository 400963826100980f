import type { Plan } from './cluster.ts'
import { database, network } from './measured-costs.ts'

/** The proposal of docs/scaling.md for a number of renderers. */
export interface Proposal extends Plan {
  readonly name: string
}

/** Renderers of one process, and processors of its machine: beyond it, Node's single thread becomes the bottleneck. */
const EACH = 8
/** The service's defaults of RENDER_QUEUE and of its pool (packages/cli/src/settings/rendering.ts, apps/server/src/database/database.ts). */
const DEFAULTS = { cores: EACH, renderers: EACH, queue: 64, pool: 8 } as const

const proposal = (name: string, renderers: number, databaseCores: number): Proposal => ({
  ...DEFAULTS,
  name,
  machines: Math.ceil(renderers / EACH),
  databaseCores,
  flushSeconds: database.flush.seconds,
  roundTripSeconds: network.roundTrip.seconds,
})

export const proposals: readonly Proposal[] = [
  proposal('16 renderers', 16, 2),
  proposal('100 renderers', 100, 4),
  proposal('1,000 renderers', 1_000, 16),
  proposal('10,000 renderers, one PostgreSQL of 16', 10_000, 16),
  proposal('10,000 renderers, one PostgreSQL of 128', 10_000, 128),
]

/** The machine of docs/performance.md: everything on two processors, including the load generator. */
export const benchMachine: Plan = {
  ...DEFAULTS,
  machines: 1,
  cores: 2,
  renderers: 2,
  databaseCores: 2,
  alone: true,
  flushSeconds: database.flush.seconds,
  roundTripSeconds: 0.0002,
}
