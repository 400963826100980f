import { availableParallelism, cpus } from 'node:os'
import sharp from 'sharp'
import { startBare } from '../bare/start-bare.ts'
import type { Bench, Measurement } from '../bench.ts'
import { ipxVersion } from '../ipx/start-ipx.ts'
import { progress } from '../report/progress.ts'
import { bootServer } from '../server/boot-server.ts'
import { type Cell, cells } from './cells.ts'
import { bareSharp, type Contestant, pixelmill } from './contestants.ts'
import { qualitiesOf } from './equal-score/qualities.ts'
import { type RowName, type Sweeper, type SweptCell, sweepCell } from './equal-score/sweep-cell.ts'
import { scoreTables } from './equal-score/tables.ts'
import { guideTables } from './guide-tables.ts'
import type { Peer } from './index.ts'
import { type KeptRuns, readRuns, withRun, writeRuns } from './kept-runs.ts'
import { type LineUp, startIpx, startPeers } from './line-up.ts'
import { type MeasuredCell, measureCell } from './measure-cell.ts'
import { sourceOf } from './sources.ts'
import { availablePeers, versionOf } from './start-peer.ts'
import { peerTables } from './tables.ts'

/** At the default quality of each, and at that of the service. */
async function measureOne(cell: Cell, { server, bare, peers }: LineUp, { photographs, quick }: Bench): Promise<MeasuredCell> {
  progress(cell.title)
  const source = await sourceOf(photographs, cell)
  const all = [pixelmill(server, cell, source), bareSharp(bare, cell, source)]
  try {
    all.push(...(await startIpx(cell, source)), ...(await startPeers(peers, cell, source)))
    return await measureCell(cell, source, all, quick)
  } finally {
    for (const { stop } of all) await stop()
  }
}

/** At several qualities of each. Efforts are compared for AVIF, where they differ most. */
async function sweepOne(cell: Cell, { server, bare, peers }: LineUp, { photographs, quick }: Bench): Promise<SweptCell> {
  progress(`${cell.title}, at equal scores`)
  const source = await sourceOf(photographs, cell)
  const { format } = cell.rendering
  const sweepers: Sweeper[] = []
  const add = (row: RowName, contestant: Contestant) =>
    sweepers.push({ row, contestant, qualities: qualitiesOf(contestant.name, format) })
  try {
    add('Pixelmill', pixelmill(server, cell, source))
    if (format === 'avif')
      for (const effort of ['fast', 'small'] as const) add(`Pixelmill ${effort}`, pixelmill(server, cell, source, effort))
    add('bare sharp', bareSharp(bare, cell, source))
    const besides = peers.filter(({ name }) => name !== 'imagor')
    for (const one of await startPeers(besides, cell, source)) add(one.name as RowName, one)
    return await sweepCell(cell, source, sweepers, quick)
  } finally {
    for (const { contestant } of sweepers) await contestant.stop()
  }
}

function circumstances(peers: readonly Peer[], origin: string): string {
  const programs = new Map(peers.map((one) => [one.name.replace(' =', ''), versionOf(one) ?? '(version unknown)']))
  const versions = { Node: process.versions.node, sharp: sharp.versions.sharp, libvips: sharp.versions.vips, ipx: ipxVersion() }
  const all = [...Object.entries(versions), ...programs].flatMap(([name, version]) => (version ? [`${name} ${version}`] : []))
  return `${availableParallelism()} cores, ${cpus()[0]?.model.trim() ?? 'unknown CPU'}; ${all.join(', ')}; ${origin}`
}

/** Adds what was measured to the kept runs. */
async function measure(bench: Bench, cellNames: readonly string[]): Promise<KeptRuns> {
  const peers = availablePeers()
  const server = await bootServer()
  const bare = await startBare()
  const lineUp = { server, bare, peers }
  const day = { date: new Date().toISOString().slice(0, 10), circumstances: circumstances(peers, bench.photographs.origin) }
  let { equalNumber, equalScore } = readRuns()
  try {
    if (cellNames.includes('peers')) {
      const measuredCells: MeasuredCell[] = []
      for (const cell of cells) measuredCells.push(await measureOne(cell, lineUp, bench))
      equalNumber = withRun(equalNumber, { ...day, cells: measuredCells })
    }
    if (cellNames.includes('peers-score')) {
      const sweptCells: SweptCell[] = []
      for (const cell of cells.filter(({ atEqualScore }) => atEqualScore)) sweptCells.push(await sweepOne(cell, lineUp, bench))
      equalScore = withRun(equalScore, { ...day, cells: sweptCells })
    }
  } finally {
    await bare.stop()
    await server.stop()
  }
  return { equalNumber, equalScore }
}

/** Beside other image servers: CPU, bytes and quality of the commonest pictures, at equal numbers and at equal scores. */
export const measurePeers: Measurement = {
  names: ['peers', 'peers-score'],
  page: 'lab/results/peers.md',
  async measure(bench, cellNames) {
    const runs = await measure(bench, cellNames)
    if (bench.write) writeRuns(runs)
    return [...peerTables(runs.equalNumber), ...scoreTables(runs.equalScore), ...guideTables(runs)]
  },
}
