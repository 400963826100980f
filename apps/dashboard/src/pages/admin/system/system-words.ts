import type { Answer } from '../../../api/client.ts'

export type System = Answer<'/api/admin/system', 'get'>
export type Concern = System['concerns'][number]
export type Part = Concern['part']
export type Level = Concern['level']

/** A state in a word, with its badge and notice style. */
export const levelWords = {
  failing: { word: 'Failing', kind: 'bad' },
  warning: { word: 'Warning', kind: 'warning' },
  note: { word: 'Note', kind: 'info' },
} as const satisfies Record<Level, object>

export const partLabels: Readonly<Record<Part, string>> = {
  server: 'This server',
  servers: 'Servers',
  database: 'Database',
  renderers: 'Renderers',
  storage: 'Files',
  batches: 'Batches',
  webhooks: 'Webhooks',
  ai: 'AI model',
  background: 'Background removal',
  models: 'Models of this machine',
  housekeeping: 'Housekeeping',
  settings: 'Settings',
}

export const laneLabels = { sync: 'Short work', long: 'Long work', background: 'Background, batches', model: 'Models' } as const

/** The most severe concern of a part; undefined if there is none. */
export const levelOf = ({ concerns }: System, part: Part): Level | undefined => concerns.find((each) => each.part === part)?.level
