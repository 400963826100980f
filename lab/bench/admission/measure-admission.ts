import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { limits } from '@pixelmill/codecs/contract/limits'
import { type Database, openDatabase } from 'pixelmill-server/database/database'
import { startEmbedded } from 'pixelmill-server/database/embedded/server'
import { migrate } from 'pixelmill-server/database/migrate'
import { type Calls, calls } from 'pixelmill-server/metering/calls'
import type { Measurement } from '../bench.ts'
import { median } from '../measure/median.ts'
import { ms, ratio } from '../report/numbers.ts'
import { progress } from '../report/progress.ts'
import type { Table } from '../report/table.ts'
import { makeKeys } from './make-keys.ts'

const CALLERS = 100
/**
 * Keys for each kind of account, used in turn, so that no key reaches the burst limit and every window has a realistic length.
 */
const KEYS_EACH = 30
const ACCOUNT_KINDS = { month: 'a call of the month', credit: 'a call paid by credits' } as const

/** Latency of one caller that uses all keys. */
type Step = (key: number) => Promise<unknown>

/** Median in milliseconds, sequential. */
async function alone(step: Step, times: number): Promise<number> {
  const durations: number[] = []
  for (let n = 0; n < times; n++) {
    const began = performance.now()
    await step(n % (CALLERS * KEYS_EACH))
    durations.push(performance.now() - began)
  }
  return median(durations)
}

/** Steps per second with all callers in parallel, for some seconds or once for each key. */
async function together(step: Step, seconds: number | 'once'): Promise<number> {
  const end = seconds === 'once' ? Number.POSITIVE_INFINITY : performance.now() + seconds * 1000
  const turns = seconds === 'once' ? KEYS_EACH : Number.POSITIVE_INFINITY
  let admissions = 0
  const began = performance.now()
  const caller = async (_: unknown, n: number) => {
    for (let turn = 0; turn < turns && performance.now() < end; turn++, admissions++)
      await step(n * KEYS_EACH + (turn % KEYS_EACH))
  }
  await Promise.all(Array.from({ length: CALLERS }, caller))
  return (1000 * admissions) / (performance.now() - began)
}

async function admitOnce(meter: Calls, hash: Buffer) {
  const one = await meter.admit({ keyHash: hash })
  if (one.verdict !== 'ok') throw new Error(`a call of the bench was refused: ${one.verdict}`)
  return one.reservation
}

/** The steps to compare; the first is the reference. */
async function stepsOf(database: Database): Promise<Readonly<Record<string, Step>>> {
  const { pool } = database
  const meter = calls(pool, { burstPerMinute: limits.burstPerMinute, server: 1 })
  await pool.query('create table bare (id int primary key, used bigint not null) with (fillfactor = 50)')
  const text = 'insert into bare as b values ($1, 1) on conflict (id) do update set used = b.used + 1 returning used'
  const steps: Record<string, Step> = { 'bare upsert': (n) => pool.query({ name: 'bare', text, values: [n] }) }
  for (const [kind, name] of Object.entries(ACCOUNT_KINDS)) {
    const hashes = await makeKeys(database, CALLERS * KEYS_EACH, kind === 'month' ? 'team' : 'free')
    const hash = (n: number) => hashes[n] ?? Buffer.alloc(0)
    steps[`admission of ${name}`] = (n) => admitOnce(meter, hash(n))
    steps[`admission and settlement of ${name}`] = async (n) => meter.settle(await admitOnce(meter, hash(n)))
  }
  return steps
}

async function measure(steps: Readonly<Record<string, Step>>, quick: boolean): Promise<Table> {
  const [times, seconds] = quick ? [200, 1] : [2_000, 5]
  const figures: { name: string; each: number; rate: number }[] = []
  for (const [name, step] of Object.entries(steps)) {
    progress(`admission: ${name}`)
    await together(step, 'once')
    figures.push({ name, each: await alone(step, times), rate: await together(step, seconds) })
  }
  const [reference] = figures
  return {
    title: 'Admission',
    columns: ['step', 'ms alone (median)', 'of bare', `a second, ${CALLERS} callers at once`, 'of bare'],
    rows: figures.map(({ name, each, rate }) => [
      name,
      ms(each),
      ratio(each / (reference?.each ?? 1)),
      rate.toFixed(0),
      ratio(rate / (reference?.rate ?? 1)),
    ]),
    notes: [
      'On the embedded PostgreSQL with durable commits, over one pool of 8 connections; the bare upsert is one `insert … on conflict do update` of a counter, in the same run.',
      `Bar: one admission below 1 ms at the median, more than 1,500 a second with 100 keys at once; here ${CALLERS} callers take turns with ${CALLERS * KEYS_EACH} keys, so that no key meets its burst limit.`,
    ],
  }
}

/** The cost of admission, compared with the cheapest possible statement. */
export const measureAdmission: Measurement = {
  names: ['admission'],
  async measure({ quick }) {
    const dataDir = mkdtempSync(join(tmpdir(), 'pixelmill-bench-admission-'))
    const postgres = await startEmbedded({ dataDir, onLog: () => {} })
    const database = await openDatabase(postgres, (error) => progress(`admission: ${error.message}`))
    try {
      await migrate(database)
      return [await measure(await stepsOf(database), quick)]
    } finally {
      await database.close()
      await postgres.stop()
      rmSync(dataDir, { recursive: true, force: true })
    }
  },
}
