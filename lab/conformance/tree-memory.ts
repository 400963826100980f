import { readFileSync } from 'node:fs'

const SAMPLE_MS = 100

function children(pid: number): readonly number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)
  } catch {
    // As below.
    return []
  }
}

/** Proportional set size: shared pages, such as PostgreSQL's, count once. */
function ownBytes(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0) * 1024
  } catch {
    // It ended after it was listed; or there is no /proc.
    return 0
  }
}

const bytesOf = (pid: number): number => children(pid).reduce((sum, child) => sum + bytesOf(child), ownBytes(pid))

/** Bytes; 0 without /proc. */
export interface Memory {
  /** Maximum of all processes together. */
  readonly peak: number
  /** The memory of the API process only, after a quarter of the time and at the end: a difference shows a leak. */
  readonly early: number
  readonly late: number
}

/** Samples the memory of a process and its descendants until `stop`. */
export function watchMemory(pid: number): { stop(): Memory } {
  let peak = 0
  const alone: number[] = []
  const timer = setInterval(() => {
    peak = Math.max(peak, bytesOf(pid))
    alone.push(ownBytes(pid))
  }, SAMPLE_MS)
  return {
    stop() {
      clearInterval(timer)
      const tenth = Math.ceil(alone.length / 10)
      const mean = (samples: readonly number[]) => samples.reduce((sum, bytes) => sum + bytes, 0) / (samples.length || 1)
      return { peak, early: mean(alone.slice(2 * tenth, 3 * tenth)), late: mean(alone.slice(-tenth)) }
    },
  }
}
