import { availableParallelism } from 'node:os'
import { startWorkerProcess } from '../measure/worker-process.ts'
import type { Score, ScoreJob } from './score.ts'

/**
 * Scores on all cores.
 * @param answers of each contestant, or quality, those for the first files
 * @returns the scores in the order of the answers
 */
export async function scoresOfAnswers(
  files: readonly string[],
  answers: readonly (readonly Uint8Array[])[],
): Promise<readonly (readonly Score[])[]> {
  const jobs: readonly ScoreJob[] = files
    .slice(0, answers[0]?.length)
    .map((file, nth) => ({ file, answers: answers.map((of) => of[nth] ?? new Uint8Array()) }))
  const byPicture: (readonly Score[])[] = []
  let next = 0
  const lane = async () => {
    const judge = await startWorkerProcess(new URL('score-process.ts', import.meta.url))
    try {
      while (next < jobs.length) {
        const at = next++
        const scores = await judge.ask<readonly Score[]>(jobs[at])
        byPicture[at] = scores
      }
    } finally {
      await judge.stop()
    }
  }
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), jobs.length) }, lane))
  return answers.map((_, nth) => byPicture.map((scores) => scores[nth] ?? { samples: Number.NaN, light: Number.NaN }))
}
