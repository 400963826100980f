import { quietRounds, type Watched } from '../measure/foreign-share.ts'
import { median } from '../measure/median.ts'
import { progress } from '../report/progress.ts'
import type { Cell } from './cells.ts'
import type { Block, Contestant } from './contestants.ts'
import type { ContestantName } from './index.ts'
import type { Score } from './score.ts'
import { scoresOfAnswers } from './score-answers.ts'
import type { Source } from './sources.ts'

export interface Result {
  /** CPU milliseconds of all its processes for each image. */
  readonly ms: number
  /** CPU relative to the service, in the same round. */
  readonly ofPixelmill: number
  readonly bytes: number
  readonly score: Score
}

export interface MeasuredCell {
  readonly title: string
  readonly results: Partial<Record<ContestantName, Result>>
  /** The share of the machine that others used. */
  readonly foreignShare: number
}

/** A block is as long as this, and has each picture equally often. */
const blockMs = { quick: 400, whole: 1_000 } as const
const MOST_IMAGES = 240

export interface Entrant {
  readonly contestant: Contestant
  readonly images: number
}

type Round = ReadonlyMap<ContestantName, Block & { readonly images: number }>

/** Lets it compile and fill its caches, and finds out how many images a block has; undefined if it cannot make these pictures. */
export async function enter(
  contestant: Contestant,
  pictures: number,
  target: number,
  quality?: number,
): Promise<Entrant | undefined> {
  try {
    const first = await contestant.run(pictures, quality)
    const passes = Math.floor(Math.min(target / first.wallMs, MOST_IMAGES / pictures))
    const images = pictures * Math.max(1, passes)
    // A slow one makes few pictures in any case.
    for (let warmUp = 0; passes > 0 && warmUp < contestant.warmUps; warmUp++) await contestant.run(images, quality)
    return { contestant, images }
  } catch (error) {
    if (contestant.required) throw error
    progress(`left out: ${error instanceof Error ? error.message : error}`)
    return undefined
  }
}

async function meanScores(entrants: readonly Entrant[], source: Source, count: number): Promise<readonly Score[]> {
  const answers: (readonly Uint8Array[])[] = []
  for (const { contestant } of entrants) answers.push(await contestant.answers(count))
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  return (await scoresOfAnswers(source.files, answers)).map((scores) => ({
    samples: mean(scores.map(({ samples }) => samples)),
    light: mean(scores.map(({ light }) => light)),
  }))
}

function resultsOf(entrants: readonly Entrant[], rounds: readonly Watched<Round>[], scores: readonly Score[]) {
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
  const entrants: Entrant[] = []
  for (const contestant of contestants) {
    const one = await enter(contestant, source.files.length, target)
    if (one) entrants.push(one)
  }
  const rounds = await quietRounds(quick ? 1 : 3, async (round) => {
    const blocks = new Map<ContestantName, Block & { readonly images: number }>()
    for (const [at] of entrants.entries()) {
      const { contestant, images } = entrants[(at + round) % entrants.length] as Entrant
      blocks.set(contestant.name, { ...(await contestant.run(images)), images })
    }
    return blocks
  })
  const scores = await meanScores(entrants, source, quick ? 1 : cell.scored)
  const foreignShare = Math.max(...rounds.map((one) => one.foreignShare))
  return { title: cell.title, results: resultsOf(entrants, rounds, scores), foreignShare }
}
