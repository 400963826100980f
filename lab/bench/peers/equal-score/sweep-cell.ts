import { quietRounds } from '../../measure/foreign-share.ts'
import { median } from '../../measure/median.ts'
import type { Cell } from '../cells.ts'
import type { Contestant } from '../contestants.ts'
import { enter } from '../measure-cell.ts'
import type { Score } from '../score.ts'
import { scoresOfAnswers } from '../score-answers.ts'
import type { Source } from '../sources.ts'
import { type Figure, figureAt, type Sample } from './figure-at.ts'

/** Rows of a cell: the contestants whose quality can be chosen, and the service's other efforts. */
export const rows = [
  'Pixelmill',
  'Pixelmill fast',
  'Pixelmill small',
  'bare sharp',
  'imgproxy',
  'imgproxy =',
  'oximg',
  'oximg =',
] as const
export type RowName = (typeof rows)[number]

/** 60 is medium, 75 high quality; from 85 on hardly anybody sees a difference. */
export const scores = [60, 75, 85] as const
export const lights = ['samples', 'light'] as const satisfies readonly (keyof Score)[]

type Figures = Partial<Record<(typeof scores)[number], Figure>>

export interface SweptCell {
  readonly title: string
  /** Pictures that were scored. */
  readonly pictures: number
  readonly rows: Partial<Record<RowName, Readonly<Record<(typeof lights)[number], Figures>>>>
  /** The share of the machine that others used. */
  readonly foreignShare: number
}

export interface Sweeper {
  readonly row: RowName
  readonly contestant: Contestant
  readonly qualities: readonly number[]
}

/** Three such blocks for each quality keep all cells within 20 minutes. */
const BLOCK_MS = { quick: 200, whole: 600 } as const

/** Blocks of all, at all qualities, in a rotating order; then their answers are scored, and figures read off at equal scores. */
export async function sweepCell(cell: Cell, source: Source, sweepers: readonly Sweeper[], quick: boolean): Promise<SweptCell> {
  const entrants: (Sweeper & { readonly images: number })[] = []
  for (const sweeper of sweepers) {
    const { contestant, qualities } = sweeper
    const middle = qualities[Math.floor(qualities.length / 2)]
    const entrant = await enter(contestant, source.files.length, BLOCK_MS[quick ? 'quick' : 'whole'], middle)
    if (entrant) entrants.push({ ...sweeper, images: entrant.images })
  }
  // Not counted: V8 compiles during the first hundreds of images.
  if (!quick) await sweepOnce(entrants, 0)
  const rounds = await quietRounds(quick ? 1 : 3, (round) => sweepOnce(entrants, round))
  const pictures = await scoredPictures(entrants, source, quick ? 1 : cell.scored)
  const figures = entrants.map(({ row, qualities }) => {
    const samples = qualities.map((quality): Sample => {
      const key = keyOf(row, quality)
      return { quality, ms: median(rounds.map(({ result }) => result.get(key) ?? Number.NaN)), pictures: pictures.get(key) ?? [] }
    })
    const figuresIn = (light: keyof Score): Figures =>
      Object.fromEntries(scores.map((score) => [score, figureAt(samples, light, score)]))
    return [row, { samples: figuresIn('samples'), light: figuresIn('light') }] as const
  })
  return {
    title: cell.title,
    pictures: Math.min(source.files.length, quick ? 1 : cell.scored),
    rows: Object.fromEntries(figures),
    foreignShare: Math.max(...rounds.map((one) => one.foreignShare)),
  }
}

const keyOf = (row: RowName, quality: number) => `${row} ${quality}`

/** CPU milliseconds of an image by row and quality. */
async function sweepOnce(entrants: readonly (Sweeper & { readonly images: number })[], round: number) {
  const cpu = new Map<string, number>()
  const steps = Math.max(...entrants.map(({ qualities }) => qualities.length))
  for (let step = 0; step < steps; step++) {
    for (const [at] of entrants.entries()) {
      const entrant = entrants[(at + round + step) % entrants.length]
      const quality = entrant?.qualities[step]
      if (!entrant || quality === undefined) continue
      const { cpuMs } = await entrant.contestant.run(entrant.images, quality)
      cpu.set(keyOf(entrant.row, quality), cpuMs / entrant.images)
    }
  }
  return cpu
}

/** Bytes and scores of the first pictures by row and quality. */
async function scoredPictures(entrants: readonly Sweeper[], { files }: Source, count: number) {
  const keys: string[] = []
  const answers: (readonly Uint8Array[])[] = []
  for (const { row, contestant, qualities } of entrants)
    for (const quality of qualities) {
      keys.push(keyOf(row, quality))
      answers.push(await contestant.answers(count, quality))
    }
  const ofAnswers = await scoresOfAnswers(files, answers)
  return new Map(
    keys.map((key, nth) => [
      key,
      (ofAnswers[nth] ?? []).map((score, picture) => ({ ...score, bytes: answers[nth]?.[picture]?.length ?? Number.NaN })),
    ]),
  )
}
