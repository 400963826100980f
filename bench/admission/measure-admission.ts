import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hashApiKey } from '../../src/accounts/api-keys.ts'
import { type Database, openDatabase } from '../../src/database/database.ts'
import { startEmbedded } from '../../src/database/embedded/server.ts'
import { migrate } from '../../src/database/migrate.ts'
import { type Calls, calls } from '../../src/metering/calls.ts'
import type { Measurement } from '../bench.ts'
import { median } from '../measure/median.ts'
import { ms, ratio } from '../report/numbers.ts'
import { progress } from '../report/progress.ts'
import type { Table } from '../report/table.ts'
import { makeKeys } from './make-keys.ts'

const KEYS = 100
const ACCOUNT_KINDS = { month: 'a call of the month', credit: 'a call paid by credits' } as const

/** One statement that a caller waits for, of the n-th of so many keys. */
type Step = (n: number) => Promise<unknown>

/** Milliseconds at the median, one after the other. */
async function alone(step: Step, times: number): Promise<number> {
  const taken: number[] = []
  for (let n = 0; n < times; n++) {
    const began = performance.now()
    await step(n % KEYS)
    taken.push(performance.now() - began)
  }
  return median(taken)
}

/** Steps a second with every key at once. */
async function together(step: Step, seconds: number): Promise<number> {
  const end = performance.now() + seconds * 1000
  let done = 0
  const began = performance.now()
  const caller = async (_: unknown, n: number) => {
    for (; performance.now() < end; done++) await step(n)
  }
  await Promise.all(Array.from({ length: KEYS }, caller))
  return (1000 * done) / (performance.now() - began)
}

async function admitted(books: Calls, hash: Buffer) {
  const one = await books.admit(hash)
  if (one.verdict !== 'ok') throw new Error(`a call of the bench was refused: ${one.verdict}`)
  return one.reservation
}

/** The steps that are compared; the first is the reference. */
async function stepsOf(database: Database): Promise<Readonly<Record<string, Step>>> {
  const { pool } = database
  // So many that the burst limit does its work and lets every call through.
  const books = calls(pool, { burstPerMinute: 100_000, server: 1 })
  await pool.query('create table bare (id int primary key, used bigint not null) with (fillfactor = 50)')
  const text = 'insert into bare as b values ($1, 1) on conflict (id) do update set used = b.used + 1 returning used'
  const steps: Record<string, Step> = { 'bare upsert': (n) => pool.query({ name: 'bare', text, values: [n] }) }
  for (const [kind, name] of Object.entries(ACCOUNT_KINDS)) {
    const hashes = (await makeKeys(database, KEYS, kind === 'month' ? 'team' : 'free')).map(hashApiKey)
    const hash = (n: number) => hashes[n] ?? Buffer.alloc(0)
    steps[`admission of ${name}`] = (n) => admitted(books, hash(n))
    steps[`admission and settlement of ${name}`] = async (n) => books.settle(await admitted(books, hash(n)))
  }
  return steps
}

async function measure(steps: Readonly<Record<string, Step>>, quick: boolean): Promise<Table> {
  const [times, seconds] = quick ? [200, 1] : [2_000, 5]
  const figures: { name: string; each: number; rate: number }[] = []
  for (const [name, step] of Object.entries(steps)) {
    progress(`admission: ${name}`)
    await alone(step, times / 10)
    figures.push({ name, each: await alone(step, times), rate: await together(step, seconds) })
  }
  const [reference] = figures
  return {
    title: 'Admission',
    columns: ['step', 'ms alone (median)', 'of bare', `a second, ${KEYS} keys at once`, 'of bare'],
    rows: figures.map(({ name, each, rate }) => [
      name,
      ms(each),
      ratio(each / (reference?.each ?? 1)),
      rate.toFixed(0),
      ratio(rate / (reference?.rate ?? 1)),
    ]),
    notes: [
      'On the embedded PostgreSQL with durable commits, over one pool of 8 connections; the bare upsert is one `insert … on conflict do update` of a counter, in the same run.',
      'Bar: one admission below 1 ms at the median, more than 1,500 a second with 100 keys at once.',
    ],
  }
}

/** What it costs to ask whether a caller may, beside the cheapest thing that could be asked. */
export const measureAdmission: Measurement = {
  names: ['admission'],
  async measure({ quick }) {
    const dataDir = mkdtempSync(join(tmpdir(), 'pixelmill-bench-admission-'))
    const embedded = await startEmbedded({ dataDir, onLog: () => {} })
    const database = await openDatabase(embedded, (error) => progress(`admission: ${error.message}`))
    try {
      await migrate(database)
      return [await measure(await stepsOf(database), quick)]
    } finally {
      await database.close()
      await embedded.stop()
      rmSync(dataDir, { recursive: true, force: true })
    }
  },
}
