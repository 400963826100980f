import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Measurement } from '../bench.ts'
import { multipartBody } from '../load/multipart-body.ts'
import { median } from '../measure/median.ts'
import { progress } from '../report/progress.ts'
import type { Table } from '../report/table.ts'
import { freePort } from '../server/free-port.ts'
import { type Start, startOnce, type Way } from './start-once.ts'

const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8')) as {
  readonly scripts: { readonly start: string }
}

const barMs = 2_000
/** What `npm start` starts, without npm: "exec node …". */
const node = [process.execPath, ...manifest.scripts.start.split(' ').slice(2)]
const npm = ['npm', 'start', '--silent']

const waysWith = (url: string | undefined): readonly Way[] => [
  { name: '`npm start`', command: npm, settings: {}, signal: 'SIGTERM' },
  { name: '`npm start`, after kill -9', command: npm, settings: {}, signal: 'SIGKILL' },
  { name: '`node bin/pixelmill.mjs`', command: node, settings: {}, signal: 'SIGTERM' },
  ...(url
    ? [
        {
          name: '`node bin/pixelmill.mjs`, DATABASE_URL',
          command: node,
          settings: { DATABASE_URL: url },
          signal: 'SIGTERM' as const,
        },
      ]
    : []),
]

const seconds = (values: readonly number[]) => (median(values) / 1000).toFixed(2)

const first = (name: string) => `${name}, empty folder`

function startsTable(starts: ReadonlyMap<string, readonly Start[]>, times: number): Table {
  return {
    title: 'Cold start: seconds from the first process to the first picture (median)',
    columns: ['start', 'port accepts', 'first picture', 'slowest', 'CPU'],
    rows: [...starts].map(([name, all]) => [
      name,
      seconds(all.map(({ acceptsMs }) => acceptsMs)),
      seconds(all.map(({ imageMs }) => imageMs)),
      (Math.max(...all.map(({ imageMs }) => imageMs)) / 1000).toFixed(2),
      seconds(all.map(({ cpuMs }) => cpuMs)),
    ]),
    notes: [
      `Bar: ${barMs / 1000} s to the first picture with a data folder that is there. ${times} starts of each, alternating; the port is asked every 10 ms.`,
      'An empty folder is started once; the code is compiled then where that has not been kept.',
    ],
  }
}

/** The start and end of each phase, for one way of starting. */
function phasesTable(all: readonly Start[]): Table {
  const names = Object.keys(all[0]?.phases ?? {})
  const at = (name: string, end: 0 | 1) => Math.round(median(all.map(({ phases }) => phases[name]?.[end] ?? 0)))
  return {
    title: 'Phases of `npm start` (milliseconds since Node began, median)',
    columns: ['phase', 'from', 'to'],
    rows: names.map((name) => [name, String(at(name, 0)), String(at(name, 1))]),
  }
}

/** How soon a service that was stopped or killed converts again. */
export const measureColdStart: Measurement = {
  names: ['cold-start'],
  async measure({ photographs, quick }) {
    const times = quick ? 3 : 15
    const [image = ''] = photographs.files.medium
    const body = multipartBody({ path: '/api/v1/convert', files: { image }, fields: { format: 'webp', width: '512' } })
    if (!body) throw new Error('there is no picture to convert')
    const port = await freePort()
    const key = `sk_${randomBytes(24).toString('hex')}`
    const ways = waysWith(process.env.TEST_DATABASE_URL)
    const folders = new Map(ways.map(({ name }) => [name, mkdtempSync(join(tmpdir(), 'pixelmill-bench-start-'))]))
    const starts = new Map<string, Start[]>()
    const start = async (way: Way, row: string) => {
      progress(`cold start: ${row}`)
      const start = await startOnce(way, folders.get(way.name) ?? '', port, key, body)
      starts.set(row, [...(starts.get(row) ?? []), start])
    }
    try {
      for (const way of ways) await start(way, first(way.name))
      for (let time = 0; time < times; time++) for (const way of ways) await start(way, way.name)
    } finally {
      for (const folder of folders.values()) rmSync(folder, { recursive: true, force: true })
    }
    const columns = [first('`npm start`'), ...ways.map(({ name }) => name)]
    return [
      startsTable(new Map(columns.map((name) => [name, starts.get(name) ?? []])), times),
      phasesTable(starts.get('`npm start`') ?? []),
    ]
  },
}
