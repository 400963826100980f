import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SweptCell } from './equal-score/sweep-cell.ts'
import type { MeasuredCell } from './measure-cell.ts'

/** What was measured on one day, as the tables need it. */
export interface Run<Measured> {
  /** YYYY-MM-DD. */
  readonly date: string
  /** Machine, versions and pictures. */
  readonly circumstances: string
  readonly cells: readonly Measured[]
}

/** The last run of each of the last two days, newest first: how far they differ says how exact the tables are. */
export interface KeptRuns {
  readonly equalNumber: readonly Run<MeasuredCell>[]
  readonly equalScore: readonly Run<SweptCell>[]
}

const DAYS = 2
const path = join(import.meta.dirname, '../../results/peers.json')

export const readRuns = (): KeptRuns =>
  existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as KeptRuns) : { equalNumber: [], equalScore: [] }

export const writeRuns = (runs: KeptRuns): void => writeFileSync(path, `${JSON.stringify(runs)}\n`)

/** In place of an earlier run of the same day. */
export const withRun = <Measured>(runs: readonly Run<Measured>[], run: Run<Measured>): readonly Run<Measured>[] =>
  [run, ...runs.filter(({ date }) => date !== run.date)].slice(0, DAYS)
