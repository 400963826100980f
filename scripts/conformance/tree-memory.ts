import { readFileSync } from 'node:fs'

const SAMPLE_MS = 100

function children(pid: number): readonly number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)
}

/** Proportional set size: pages that processes share, as PostgreSQL's do, count once. */
function bytesOf(pid: number): number {
  try {
    const kilobytes = /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]
    return children(pid).reduce((sum, child) => sum + bytesOf(child), Number(kilobytes ?? 0) * 1024)
  } catch {
    // It ended between the listing and the look.
    return 0
  }
}

/** Samples the memory of a process and all below it; `stop` tells the peak, 0 where there is no /proc. */
export function watchMemory(pid: number): { stop(): number } {
  let peak = 0
  const timer = setInterval(() => {
    peak = Math.max(peak, bytesOf(pid))
  }, SAMPLE_MS)
  return {
    stop() {
      clearInterval(timer)
      return peak
    },
  }
}
