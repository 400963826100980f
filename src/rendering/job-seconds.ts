import { limits } from '../contract/limits.ts'
import { studies } from '../studies/index.ts'
import type { Study } from '../studies/study.ts'
import type { Task } from './wire.ts'

/** Seconds that a task may take for each of its megapixels; 0 where the time-out of all images is enough. */
export const secondsPerMegapixel = (task: Task): number => ('study' in task ? of(studies[task.study]) : 0)

/** The longest that any image may take, where all may take `timeoutSeconds`. */
export const longestSeconds = (timeoutSeconds: number): number =>
  Math.max(timeoutSeconds, ...Object.values(studies).map((study) => (of(study) * limits.pixels) / 1e6))

const of = ({ secondsPerMegapixel = 0 }: Study): number => secondsPerMegapixel
