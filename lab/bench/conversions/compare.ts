import type { Photographs } from '@pixelmill/codecs/test/photographs/photographs'
import type { BareResult } from '../bare/bare-render.ts'
import type { Bare } from '../bare/start-bare.ts'
import type { LoadResult } from '../load/load-plan.ts'
import { runLoad } from '../load/run-load.ts'
import { quietRounds, type Watched } from '../measure/foreign-share.ts'
import { type PerRole, roles, sumOf, treeCpu } from '../measure/tree-usage.ts'
import type { Server } from '../server/boot-server.ts'
import { type Conversion, closedLoopOf, uploads } from './conversion.ts'
import type { Reference } from './reference.ts'

/** The servers to compare; all run at the same time, one of them works. */
export interface Contestants {
  readonly server: Server
  readonly bare: Bare
  readonly references: readonly Reference[]
}

interface Referred {
  /** CPU milliseconds for each image. */
  readonly ms: number
  readonly load: LoadResult
}

export interface Round {
  /** CPU milliseconds for each image. */
  readonly ours: PerRole
  readonly load: LoadResult
  readonly bare: BareResult
  readonly bareMs: number
  readonly references: { readonly [Name in Reference['name']]?: Referred }
}

const concurrency = 8
/** Slow conversions, for which two passes over the twelve pictures are enough. */
const mostOfReferences = 24

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

async function runReference(reference: Reference, photographs: Photographs, conversion: Conversion): Promise<Referred> {
  const images = Math.min(conversion.block, mostOfReferences)
  const before = sumOf(treeCpu(reference.pid))
  const requests = reference.requests(conversion, photographs)
  const load = await runLoad({ ...closedLoopOf(requests, concurrency, images), port: reference.port })
  if (load.succeeded < images) throw new Error(`${reference.name}: ${JSON.stringify(load.statuses)} instead of ${images} images`)
  return { ms: (sumOf(treeCpu(reference.pid)) - before) / images, load }
}

async function runReferences({ references }: Contestants, photographs: Photographs, conversion: Conversion) {
  const all: { [Name in Reference['name']]?: Referred } = {}
  for (const one of references) all[one.name] = await runReference(one, photographs, conversion)
  return { references: all }
}

/** One block of each in a rotating order, so that a slow drift of the machine favours none. */
async function compareOnce(all: Contestants, photographs: Photographs, conversion: Conversion, round: number): Promise<Round> {
  const block = conversion.block
  if (round % 2) {
    const references = await runReferences(all, photographs, conversion)
    const bare = await runBare(all, photographs, conversion, block)
    return { ...references, ...bare, ...(await runOurs(all, photographs, conversion, block)) }
  }
  const ours = await runOurs(all, photographs, conversion, block)
  const bare = await runBare(all, photographs, conversion, block)
  return { ...ours, ...bare, ...(await runReferences(all, photographs, conversion)) }
}

/** Warm-up blocks of our server: V8 compiles during the first hundreds of images, in processes that then run for weeks. */
const WARM_UP_BLOCKS = 3

/** Lets all of them compile their hot code, then compares them in rounds. */
export async function compare(
  all: Contestants,
  photographs: Photographs,
  conversion: Conversion,
  rounds: number,
): Promise<Watched<Round>[]> {
  await runOurs(all, photographs, conversion, conversion.block * WARM_UP_BLOCKS)
  await runBare(all, photographs, conversion, conversion.block)
  await runReferences(all, photographs, conversion)
  return quietRounds(rounds, (round) => compareOnce(all, photographs, conversion, round))
}
