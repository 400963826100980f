import { availableParallelism, cpus } from 'node:os'
import sharp from 'sharp'
import { type Bare, startBare } from '../bare/start-bare.ts'
import type { Bench, Measurement } from '../bench.ts'
import { ipxVersion, openIpx } from '../ipx/start-ipx.ts'
import { progress } from '../report/progress.ts'
import { bootServer, type Server } from '../server/boot-server.ts'
import { type Cell, cells } from './cells.ts'
import { bareSharp, type Contestant, peer, pixelmill } from './contestants.ts'
import { encoderSettings } from './encoder-settings.ts'
import type { Peer } from './index.ts'
import { type MeasuredCell, measureCell } from './measure-cell.ts'
import { type Source, sourceOf } from './sources.ts'
import { availablePeers, startPeer, versionOf } from './start-peer.ts'
import { peerTables } from './tables.ts'

/** Megapixels of an answer, on which the effort of an encoder depends: its shape is 3 : 2, that of the large ones 4 : 3. */
const megapixelsOf = ({ source, rendering: { width } }: Cell) =>
  width ? (width * width * (source === 'large' ? 3 / 4 : 2 / 3)) / 1e6 : 2

/** Each runs with its own defaults. */
async function startIpx({ format, width }: Cell['rendering'], source: Source): Promise<readonly Contestant[]> {
  const server = await openIpx(source.folder)
  const path = (file: string) => `/f_${format}${width ? `,w_${width}` : ''}/${file}`
  return server ? [peer('ipx', server, (file) => ({ path: path(file) }), source)] : []
}

async function startPeers(peers: readonly Peer[], cell: Cell, source: Source): Promise<readonly Contestant[]> {
  const own = await encoderSettings(cell.rendering.format, megapixelsOf(cell)).catch((error: Error) => {
    progress(`left out: those with the service's quality: ${error.message}`)
    return undefined
  })
  const all: Contestant[] = []
  for (const one of peers.filter(({ name }) => own || !name.endsWith('='))) {
    try {
      const server = await startPeer(one, source.folder, own ?? {})
      all.push(peer(one.name, server, (file) => one.request(file, cell, own ?? {}), source))
    } catch (error) {
      progress(`left out: ${error instanceof Error ? error.message : error}`)
    }
  }
  return all
}

interface AlwaysThere {
  readonly server: Server
  readonly bare: Bare
  readonly peers: readonly Peer[]
}

async function measureOne(cell: Cell, { server, bare, peers }: AlwaysThere, { photographs, quick }: Bench) {
  progress(cell.title)
  const source = await sourceOf(photographs, cell)
  const all = [pixelmill(server, cell, source), bareSharp(bare, cell, source)]
  try {
    all.push(...(await startIpx(cell.rendering, source)), ...(await startPeers(peers, cell, source)))
    return await measureCell(cell, source, all, quick)
  } finally {
    for (const { stop } of all) await stop()
  }
}

function circumstances(peers: readonly Peer[], origin: string): string {
  const programs = new Map(peers.map((one) => [one.name.replace(' =', ''), versionOf(one) ?? '(version unknown)']))
  const versions = { Node: process.versions.node, sharp: sharp.versions.sharp, libvips: sharp.versions.vips, ipx: ipxVersion() }
  const all = [...Object.entries(versions), ...programs].flatMap(([name, version]) => (version ? [`${name} ${version}`] : []))
  const machine = `${availableParallelism()} cores, ${cpus()[0]?.model.trim() ?? 'unknown CPU'}`
  return `${new Date().toISOString().slice(0, 10)}; ${machine}; ${all.join(', ')}; ${origin}.`
}

/** Beside other image servers: CPU, bytes and quality of the commonest pictures. */
export const measurePeers: Measurement = {
  names: ['peers'],
  page: 'lab/results/peers.md',
  async measure(bench) {
    const peers = availablePeers()
    const server = await bootServer()
    const bare = await startBare()
    const all: MeasuredCell[] = []
    try {
      for (const cell of cells) all.push(await measureOne(cell, { server, bare, peers }, bench))
    } finally {
      await bare.stop()
      await server.stop()
    }
    return peerTables(all, circumstances(peers, bench.photographs.origin))
  },
}
