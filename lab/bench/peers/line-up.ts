import type { Bare } from '../bare/start-bare.ts'
import { openIpx } from '../ipx/start-ipx.ts'
import { progress } from '../report/progress.ts'
import type { Server } from '../server/boot-server.ts'
import type { Cell } from './cells.ts'
import { type Contestant, peer } from './contestants.ts'
import { encoderSettings } from './encoder-settings.ts'
import type { Peer } from './index.ts'
import type { Source } from './sources.ts'
import { startPeer } from './start-peer.ts'

/** What runs on from cell to cell, and the programs of others. */
export interface LineUp {
  readonly server: Server
  readonly bare: Bare
  readonly peers: readonly Peer[]
}

/** Megapixels of an answer, on which the effort of an encoder depends: its shape is 3 : 2, that of the large ones 4 : 3. */
const megapixelsOf = ({ source, rendering: { width } }: Cell) =>
  width ? (width * width * (source === 'large' ? 3 / 4 : 2 / 3)) / 1e6 : 2

/** Each runs with its own defaults. */
export async function startIpx({ rendering: { format, width } }: Cell, source: Source): Promise<readonly Contestant[]> {
  const server = await openIpx(source.folder)
  const path = (file: string) => `/f_${format}${width ? `,w_${width}` : ''}/${file}`
  return server ? [peer('ipx', server, (file) => ({ path: path(file) }), source)] : []
}

/** The peers that start; says which are left out. */
export async function startPeers(peers: readonly Peer[], cell: Cell, source: Source): Promise<readonly Contestant[]> {
  const own = await encoderSettings(cell.rendering.format, megapixelsOf(cell))
  const all: Contestant[] = []
  for (const one of peers) {
    try {
      const server = await startPeer(one, source.folder, own)
      const ownQuality = one.quality?.(cell.rendering.format, own)
      all.push(peer(one.name, server, (file, quality = ownQuality) => one.request(file, cell, quality), source))
    } catch (error) {
      progress(`left out: ${error instanceof Error ? error.message : error}`)
    }
  }
  return all
}
