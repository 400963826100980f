import { startBare } from '../bare/start-bare.ts'
import type { Measurement } from '../bench.ts'
import { median } from '../measure/median.ts'
import { type PerRole, roles, sumOf } from '../measure/tree-usage.ts'
import { ms } from '../report/numbers.ts'
import { progress } from '../report/progress.ts'
import type { Table } from '../report/table.ts'
import { bootServer } from '../server/boot-server.ts'
import { compare, type Round } from './compare.ts'
import { icon } from './index.ts'

const mostMs = 3

function iconTable(rounds: readonly Round[]): Table {
  const role = (name: keyof PerRole) => median(rounds.map(({ ours }) => ours[name]))
  const beyond = median(rounds.map(({ ours, bareMs }) => sumOf(ours) - bareMs))
  const figures = [
    median(rounds.map(({ ours }) => sumOf(ours))),
    median(rounds.map(({ bareMs }) => bareMs)),
    beyond,
    ...roles.map(role),
  ]
  const rate = median(rounds.map(({ load }) => load.imagesPerSecond))
  return {
    title: 'CPU of a request beyond the rendering (ms), at concurrency 8',
    columns: ['conversion', 'all', 'bare loop', 'beyond', ...roles, 'bar', 'requests per second'],
    rows: [[icon.title, ...figures.map(ms), `${mostMs} ${beyond < mostMs ? 'met' : 'MISSED'}`, rate.toFixed(0)]],
  }
}

/** The service's overhead around a nearly free rendering. */
export const measureIcon: Measurement = {
  names: [icon.name],
  async measure({ photographs, quick }) {
    progress(icon.title)
    const server = await bootServer()
    const bare = await startBare()
    try {
      const rounds = await compare({ server, bare, references: [] }, photographs, icon, quick ? 2 : 5)
      return [iconTable(rounds.map(({ result }) => result))]
    } finally {
      await bare.stop()
      await server.stop()
    }
  },
}
