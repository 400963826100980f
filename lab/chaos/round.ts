import { setTimeout as sleep } from 'node:timers/promises'
import type { BatchStatusBody } from 'pixelmill-server/contract/batch-status'
import { type Archive, makeArchive, type Random } from './archives.ts'
import { faultsOfResult } from './check-result.ts'
import { type Customer, chargingFaults } from './customers.ts'
import type { Deliveries } from './deliveries.ts'
import type { Receiver } from './receiver.ts'
import type { Service } from './service.ts'
import { persist, until } from './until.ts'

export interface Round {
  /** The process that was killed, and how. */
  readonly victim: string
  /** Seconds from the first upload to the kill. */
  readonly killedAfter: number
  /** Images done by then. */
  readonly doneBefore: number
  readonly batches: number
  readonly images: number
  /** Claims beyond one for each image. */
  readonly repeatedClaims: number
  /** Seconds from the kill to the first successful interactive request. */
  readonly backAfter: number
  /** Seconds from the kill until all batches were completed. */
  readonly completedAfter: number
  readonly faults: readonly string[]
}

export interface Setting {
  readonly service: Service
  readonly receiver: Receiver
  readonly customers: readonly Customer[]
  readonly deliveries: Deliveries
  readonly pictures: Parameters<typeof makeArchive>[0]
  readonly random: Random
}

interface Sent {
  readonly customer: Customer
  readonly archive: Archive
  readonly batch: BatchStatusBody
}

/** Uploads take the first second, and an image some tenths of one. */
const MOMENT_MS = { ofUploads: 1_500, ofImages: 300 } as const
/** Time for a job whose worker died to be noticed and retried. */
const SETTLE_SECONDS = 180

/** Sends batches and loads images by URL, kills one part of the service meanwhile, and checks that every promise was kept. */
export async function runRound(setting: Setting, victim: string): Promise<Round> {
  const { service, random } = setting
  const archives = Array.from({ length: 2 + random(3) }, () => makeArchive(setting.pictures, random))
  const images = archives.reduce((sum, { good, bad }) => sum + good.size + bad.length, 0)
  const began = performance.now()
  const sending = archives.map((archive, index) => send(setting, archive, index))
  const pageLoad = setting.deliveries.loadPage(random)
  // As below.
  pageLoad.catch(() => {})
  await momentOfChance(setting, images)
  const doneBefore = await imagesDone(service).catch(() => 0)
  const strike = service.victims[victim]
  if (!strike) throw new Error(`there is no ${victim}`)
  await persist(() => strike(random))
  const killMs = performance.now()

  const since = () => (performance.now() - killMs) / 1000
  const back = until('images are converted', () => convertsOne(setting)).then(since)
  // Awaited at the end; until then a rejection must not end the process.
  back.catch(() => {})
  const batches = await Promise.all(sending)
  const endings = await Promise.all(batches.map(untilEnded))
  const completedAfter = since()
  const repeatedClaims = await persist(() => countRepeated(service, batches))
  const faults = [
    ...endings.flatMap((batch, index) => faultsOfStatus(batch, batches[index]?.archive)),
    ...(await Promise.all(batches.map(faultsOf(setting)))).flat(),
    ...(await pageLoad),
    ...(await setting.deliveries.settledFaults()),
    ...(await Promise.all(setting.customers.map((customer) => settledFaults(service, customer)))).flat(),
  ]
  await putAway(setting, batches)
  return {
    victim,
    killedAfter: (killMs - began) / 1000,
    doneBefore,
    batches: batches.length,
    images,
    repeatedClaims,
    backAfter: await back,
    completedAfter,
    faults,
  }
}

/** One time in four during uploads, otherwise during conversions, and seldom after all are done. */
async function momentOfChance({ service, random }: Setting, images: number): Promise<void> {
  const target = random(4) === 0 ? 0 : random(images)
  await until(`${target} images are done`, async () => (await imagesDone(service)) >= target)
  await sleep(random(target === 0 ? MOMENT_MS.ofUploads : MOMENT_MS.ofImages))
}

async function send({ customers, receiver }: Setting, archive: Archive, index: number): Promise<Sent> {
  const customer = customers[index % customers.length]
  if (!customer) throw new Error('there is no customer')
  const batch = await customer.create(archive, receiver.url)
  customer.owes(archive.good.size)
  return { customer, archive, batch }
}

async function untilEnded({ customer, batch: { id } }: Sent): Promise<BatchStatusBody> {
  let latest = await customer.status(id)
  await until(`batch ${id} ends`, async () => {
    latest = await customer.status(id)
    return latest.finishedAt !== undefined
  })
  return latest
}

function faultsOfStatus({ id, status, progress }: BatchStatusBody, archive: Archive | undefined): readonly string[] {
  const actual = JSON.stringify([status, progress.succeeded, progress.failed])
  const expected = JSON.stringify(['completed', archive?.good.size, archive?.bad.length])
  return actual === expected ? [] : [`batch ${id} is ${actual}, not ${expected}`]
}

/** Faults of one batch: in its result, and in the events about its end. */
const faultsOf =
  ({ receiver }: Setting) =>
  async ({ customer, archive, batch: { id } }: Sent): Promise<readonly string[]> => {
    const receivedTypes = () => receiver.events(id).map(({ type }) => type)
    await until(`an event of batch ${id}`, async () => receivedTypes().length > 0, SETTLE_SECONDS).catch(() => {})
    const faults =
      receivedTypes().join() === 'batch.completed' ? [] : [`batch ${id} had ${receivedTypes().length} events: ${receivedTypes()}`]
    return [...faults, ...(await faultsOfResult(archive, await customer.result(id)))]
  }

/** Reservations of interrupted requests are given back within a minute or two. */
async function settledFaults(service: Service, customer: Customer): Promise<readonly string[]> {
  let faults: readonly string[] = []
  const isSettled = async () => {
    faults = await chargingFaults(service, customer)
    return faults.length === 0
  }
  await until('all charges are settled', isSettled, SETTLE_SECONDS).catch(() => {})
  return faults
}

/** Deletes half of the batches; the others expire. */
async function putAway({ service: { database }, random }: Setting, batches: readonly Sent[]): Promise<void> {
  for (const {
    customer,
    batch: { id },
  } of batches) {
    if (random(2) === 0) await customer.remove(id)
    else await persist(() => database.pool.query(`update batch set expires_at = clock_timestamp() where id = $1`, [id]))
  }
}

async function convertsOne({ service, pictures }: Setting): Promise<boolean> {
  const body = new FormData()
  body.append('format', 'webp')
  body.append('image', new Blob([new Uint8Array(pictures[0]?.bytes ?? [])]))
  const headers = { authorization: `Bearer ${service.key}` }
  const { ok } = await fetch(`${service.url()}/api/v1/convert`, {
    method: 'POST',
    body,
    headers,
    signal: AbortSignal.timeout(30_000),
  })
  return ok
}

async function imagesDone({ database }: Service): Promise<number> {
  const { rows } = await database.pool.query<{ done: number }>(
    `select count(*)::int as done from batch_item i join batch b on b.id = i.batch_id
      where i.state in ('converted', 'failed') and (b.expires_at is null or b.expires_at > clock_timestamp())`,
  )
  return rows[0]?.done ?? 0
}

async function countRepeated({ database }: Service, batches: readonly Sent[]): Promise<number> {
  const { rows } = await database.pool.query<{ repeated: number }>(
    'select coalesce(sum(greatest(attempt - 1, 0)), 0)::int as repeated from batch_item where batch_id = any($1)',
    [batches.map(({ batch }) => batch.id)],
  )
  return rows[0]?.repeated ?? 0
}
