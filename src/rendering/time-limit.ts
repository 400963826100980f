import { readFileSync } from 'node:fs'

/** How the time that one image may take is counted. */
export interface TimeLimit {
  readonly seconds: number
  /** Of work, not of waiting for a processor: for programs of a low priority, which others may keep from one. */
  readonly ofCpu: boolean
  /** How many times as long it may be by the clock, where not as many times as in the background. */
  readonly mostWaiting?: number
}

/** An image that is kept from a processor may take so many times as long by the clock; after that its renderer hangs. */
const MOST_WAITING = 10

/** Calls `end` once when a process has had its time; what is returned calls it off. */
export function limitTime(
  { seconds, ofCpu, mostWaiting = MOST_WAITING }: TimeLimit,
  pid: number | undefined,
  end: () => void,
): () => void {
  const [began, usedBefore] = [performance.now(), ofCpu ? cpuSeconds(pid) : undefined]
  const last = began + seconds * (usedBefore === undefined ? 1 : mostWaiting) * 1000
  let timer = setTimeout(look, seconds * 1000)

  function look(): void {
    const now = performance.now()
    const used = usedBefore === undefined ? undefined : cpuSeconds(pid)
    const left = used === undefined ? 0 : seconds - (used - (usedBefore ?? 0))
    if (left <= 0 || now >= last) end()
    // However little is left: a process that gets no processor is not asked in a tight loop.
    else timer = setTimeout(look, Math.min(Math.max(left, 0.1) * 1000, last - now))
  }
  return () => clearTimeout(timer)
}

/** USER_HZ is 100 on every Linux that Node runs on, whatever the kernel's own tick is. */
const TICKS_PER_SECOND = 100

/** Seconds of CPU that a process has used; undefined where the system does not tell. */
function cpuSeconds(pid: number | undefined): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name in parentheses may itself hold spaces and parentheses: the fields are counted after the last one.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
  } catch {
    return undefined
  }
}
