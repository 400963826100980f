import { type PerRole, roles } from '../measure/tree-usage.ts'
import { megabytes } from '../report/numbers.ts'
import type { Table } from '../report/table.ts'
import type { Held } from './left-over.ts'

export interface Tenth {
  /** Requests so far. */
  readonly requests: number
  readonly used: PerRole
  readonly all: number
}

const mostGrowth = 1.1

const words: Readonly<Record<keyof Held, string>> = {
  processes: 'processes but PostgreSQL’s',
  renderers: 'renderers',
  apiHandles: 'open handles of the server',
  rendererHandles: 'open handles of renderers',
  connections: 'connections to PostgreSQL',
  reservations: 'reservations',
  files: 'files in the store',
  temporary: 'temporary files',
}

/** A connection pool grows to its 8 connections with use; a client may keep its connection to the server alive. */
const slack: Partial<Record<keyof Held, number>> = { connections: 8, apiHandles: 24 }

const verdict = (name: keyof Held, before: Held, after: Held) =>
  after[name] <= before[name] + (slack[name] ?? 0) ? 'held' : 'MISSED'

export function soakTables(tenths: readonly Tenth[], before: Held, after: Held, surprises: ReadonlyMap<string, number>): Table[] {
  const growth = (tenths.at(-1)?.all ?? 0) / (tenths[1]?.all ?? 1)
  const strange = [...surprises].map(([name, times]) => `${name} (${times})`)
  return [
    {
      title: 'Soak: memory of all processes (PSS, MB, median of each tenth)',
      columns: ['requests', 'all', ...roles],
      rows: tenths.map(({ requests, used, all }) => [
        String(requests),
        megabytes(all),
        ...roles.map((role) => megabytes(used[role])),
      ]),
      notes: [
        `Bar: the last tenth takes at most ${mostGrowth} times what the second takes. It takes ${growth.toFixed(2)} times: ${growth <= mostGrowth ? 'held' : 'MISSED'}.`,
        strange.length ? `Unexpected answers: ${strange.join('; ')}.` : 'Every request was answered as it should be.',
      ],
    },
    {
      title: 'Soak: what is held at rest',
      columns: ['what', 'before', 'after', 'bar'],
      rows: (Object.keys(words) as (keyof Held)[]).map((name) => [
        words[name],
        String(before[name]),
        String(after[name]),
        verdict(name, before, after),
      ]),
      notes: [
        'Bar: no more than before; connections up to the 8 of the pool, handles up to those and the clients’ connections. `SOAK_REQUESTS` sets another number of requests.',
      ],
    },
  ]
}
