import { readFileSync } from 'node:fs'

/** How the time limit of an image is measured. */
export interface TimeLimit {
  readonly seconds: number
  /** CPU time instead of wall-clock time: for low-priority processes, which others may keep from the processor. */
  readonly ofCpu: boolean
  /** Ratio of wall-clock time to CPU time at which it counts as hung, if it differs from the background's. */
  readonly mostWaiting?: number
}

/** CPU time may take this many times as long in wall-clock time; after that the renderer counts as hung. */
const MOST_WAITING = 10

/** Calls `end` once when a process has used up its time; the returned function cancels that. */
export function limitTime(
  { seconds, ofCpu, mostWaiting = MOST_WAITING }: TimeLimit,
  pid: number | undefined,
  end: () => void,
): () => void {
  const began = performance.now()
  const usedBefore = ofCpu ? cpuSeconds(pid) : undefined
  const last = began + seconds * (usedBefore === undefined ? 1 : mostWaiting) * 1000
  let timer = setTimeout(look, seconds * 1000)

  function look(): void {
    const now = performance.now()
    const usedSeconds = usedBefore === undefined ? undefined : cpuSeconds(pid)
    const left = usedSeconds === undefined ? 0 : seconds - (usedSeconds - (usedBefore ?? 0))
    if (left <= 0 || now >= last) end()
    // A minimum delay: a process that gets no processor time is not polled in a tight loop.
    else timer = setTimeout(look, Math.min(Math.max(left, 0.1) * 1000, last - now))
  }
  return () => clearTimeout(timer)
}

/** USER_HZ is 100 on every Linux that Node runs on, whatever the kernel's own tick is. */
const TICKS_PER_SECOND = 100

/** Seconds of CPU that a process has used; undefined if the system does not report them. */
function cpuSeconds(pid: number | undefined): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name in parentheses may itself contain spaces and parentheses: the fields are counted after the last one.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
  } catch {
    return undefined
  }
}
