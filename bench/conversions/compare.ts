import type { BareResult } from '../bare/bare-render.ts'
import type { Bare } from '../bare/start-bare.ts'
import type { IpxServer } from '../ipx/start-ipx.ts'
import type { LoadResult } from '../load/load-plan.ts'
import { runLoad } from '../load/run-load.ts'
import { quietRounds, type Watched } from '../measure/foreign-share.ts'
import { type PerRole, roles, sumOf, treeCpu } from '../measure/tree-usage.ts'
import type { Photographs } from '../photographs/photographs.ts'
import type { Server } from '../server/boot-server.ts'
import { type Conversion, closedLoopOf, ipxRequests, uploads } from './conversion.ts'

/** What is compared; all of it runs at the same time, and one of it works. */
export interface Contestants {
  readonly server: Server
  readonly bare: Bare
  readonly ipx: IpxServer | undefined
}

export interface Round {
  /** CPU milliseconds for each image. */
  readonly ours: PerRole
  readonly load: LoadResult
  readonly bare: BareResult
  readonly bareMs: number
  readonly ipx: { readonly ms: number; readonly load: LoadResult } | undefined
}

const concurrency = 8
/** ipx is so much slower that two laps of the twelve pictures say enough. */
const ipxImages = 24

const eachOf = (cpu: PerRole, images: number) => Object.fromEntries(roles.map((role) => [role, cpu[role] / images])) as PerRole

async function runOurs({ server }: Contestants, photographs: Photographs, conversion: Conversion, images: number) {
  const plan = { ...closedLoopOf(uploads(conversion, photographs), concurrency, images), port: server.port, key: server.key }
  const { result, cpu } = await server.cpuDuring(() => runLoad(plan))
  if (result.succeeded < images)
    throw new Error(`${conversion.title}: ${JSON.stringify(result.statuses)} instead of ${images} images`)
  return { ours: eachOf(cpu, images), load: result }
}

async function runBare({ bare }: Contestants, photographs: Photographs, { size, rendering }: Conversion, images: number) {
  const result = await bare.render({ files: photographs.files[size], rendering, images })
  return { bare: result, bareMs: result.cpuMs / images }
}

async function runIpx({ ipx }: Contestants, photographs: Photographs, conversion: Conversion, most: number) {
  if (!ipx) return { ipx: undefined }
  const images = Math.min(most, ipxImages)
  const before = sumOf(treeCpu(ipx.pid))
  const load = await runLoad({ ...closedLoopOf(ipxRequests(conversion, photographs), concurrency, images), port: ipx.port })
  if (load.succeeded < images) throw new Error(`ipx: ${JSON.stringify(load.statuses)} instead of ${images} images`)
  return { ipx: { ms: (sumOf(treeCpu(ipx.pid)) - before) / images, load } }
}

/** One block of each, in an order that turns round each time, so that a slow drift of the machine favours none. */
async function compareOnce(all: Contestants, photographs: Photographs, conversion: Conversion, round: number): Promise<Round> {
  const block = conversion.block
  if (round % 2) {
    const ipx = await runIpx(all, photographs, conversion, block)
    const bare = await runBare(all, photographs, conversion, block)
    return { ...ipx, ...bare, ...(await runOurs(all, photographs, conversion, block)) }
  }
  const ours = await runOurs(all, photographs, conversion, block)
  const bare = await runBare(all, photographs, conversion, block)
  return { ...ours, ...bare, ...(await runIpx(all, photographs, conversion, block)) }
}

/** Lets all of them compile what they run often, then compares them in rounds. */
export async function compare(
  all: Contestants,
  photographs: Photographs,
  conversion: Conversion,
  rounds: number,
): Promise<Watched<Round>[]> {
  await runOurs(all, photographs, conversion, conversion.block)
  await runBare(all, photographs, conversion, conversion.block)
  await runIpx(all, photographs, conversion, conversion.block)
  return quietRounds(rounds, (round) => compareOnce(all, photographs, conversion, round))
}
