import { availableParallelism } from 'node:os'
import { quietRounds, type Watched } from '../measure/foreign-share.ts'
import { median } from '../measure/median.ts'
import { startWorkerProcess } from '../measure/worker-process.ts'
import { progress } from '../report/progress.ts'
import type { Cell } from './cells.ts'
import type { Block, Contestant } from './contestants.ts'
import type { ContestantName } from './index.ts'
import type { Score, ScoreJob } from './score.ts'
import type { Source } from './sources.ts'

export interface Result {
  /** CPU milliseconds of all its processes for each image. */
  readonly ms: number
  /** CPU relative to the service and to bare sharp, in the same round. */
  readonly ofPixelmill: number
  readonly ofBare: number
  readonly bytes: number
  readonly score: Score
}

export interface MeasuredCell {
  readonly cell: Cell
  readonly results: Partial<Record<ContestantName, Result>>
  /** The share of the machine that others used. */
  readonly foreignShare: number
}

/** A block is as long as this, and has each picture equally often. */
const blockMs = { quick: 400, whole: 1_000 } as const
const MOST_IMAGES = 240

interface Entered {
  readonly contestant: Contestant
  readonly images: number
}

type Round = ReadonlyMap<ContestantName, Block & { readonly images: number }>

/** Lets it compile and fill its caches, and finds out how many images a block has; undefined if it cannot make these pictures. */
async function enter(contestant: Contestant, pictures: number, target: number): Promise<Entered | undefined> {
  try {
    const first = await contestant.run(pictures)
    const passes = Math.floor(Math.min(target / first.wallMs, MOST_IMAGES / pictures))
    const images = pictures * Math.max(1, passes)
    // A slow one makes few pictures in any case.
    for (let warmUp = 0; passes > 0 && warmUp < contestant.warmUps; warmUp++) await contestant.run(images)
    return { contestant, images }
  } catch (error) {
    if (contestant.required) throw error
    progress(`left out: ${error instanceof Error ? error.message : error}`)
    return undefined
  }
}

async function scoresOf(entrants: readonly Entered[], { files }: Source, count: number): Promise<readonly Score[]> {
  const answers: (readonly Uint8Array[])[] = []
  for (const { contestant } of entrants) answers.push(await contestant.answers(count))
  const jobs: readonly ScoreJob[] = files
    .slice(0, count)
    .map((file, nth) => ({ file, answers: answers.map((of) => of[nth] ?? new Uint8Array()) }))
  const scores: (readonly Score[])[] = []
  let next = 0
  const lane = async () => {
    const judge = await startWorkerProcess(new URL('score-process.ts', import.meta.url))
    try {
      for (let job = jobs[next++]; job; job = jobs[next++]) scores.push(await judge.ask<readonly Score[]>(job))
    } finally {
      await judge.stop()
    }
  }
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), jobs.length) }, lane))
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  return entrants.map((_, nth) => ({
    samples: mean(scores.map((of) => of[nth]?.samples ?? Number.NaN)),
    light: mean(scores.map((of) => of[nth]?.light ?? Number.NaN)),
  }))
}

function resultsOf(entrants: readonly Entered[], rounds: readonly Watched<Round>[], scores: readonly Score[]) {
  const cost = (round: Round, name: ContestantName) => {
    const block = round.get(name)
    return block ? block.cpuMs / block.images : Number.NaN
  }
  const middle = (value: (round: Round) => number) => median(rounds.map(({ result }) => value(result)))
  return Object.fromEntries(
    entrants.map(({ contestant: { name } }, nth): [ContestantName, Result] => [
      name,
      {
        ms: middle((round) => cost(round, name)),
        ofPixelmill: middle((round) => cost(round, name) / cost(round, 'Pixelmill')),
        ofBare: middle((round) => cost(round, name) / cost(round, 'bare sharp')),
        bytes: middle((round) => (round.get(name)?.bytes ?? Number.NaN) / (round.get(name)?.images ?? Number.NaN)),
        score: scores[nth] ?? { samples: Number.NaN, light: Number.NaN },
      },
    ]),
  )
}

/** Blocks of all in a rotating order, so that a slow drift of the machine favours none; then their answers are scored. */
export async function measureCell(
  cell: Cell,
  source: Source,
  contestants: readonly Contestant[],
  quick: boolean,
): Promise<MeasuredCell> {
  const target = blockMs[quick ? 'quick' : 'whole']
  const entrants: Entered[] = []
  for (const contestant of contestants) {
    const one = await enter(contestant, source.files.length, target)
    if (one) entrants.push(one)
  }
  const rounds = await quietRounds(quick ? 1 : 3, async (round) => {
    const blocks = new Map<ContestantName, Block & { readonly images: number }>()
    for (const [at] of entrants.entries()) {
      const { contestant, images } = entrants[(at + round) % entrants.length] as Entered
      blocks.set(contestant.name, { ...(await contestant.run(images)), images })
    }
    return blocks
  })
  const scores = await scoresOf(entrants, source, quick ? 1 : cell.scored)
  return { cell, results: resultsOf(entrants, rounds, scores), foreignShare: Math.max(...rounds.map((one) => one.foreignShare)) }
}
