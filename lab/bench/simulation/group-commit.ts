import type { Clock, Happening } from './clock.ts'

/** The disk of a database: commits that arrive during a flush share the next one. */
export interface GroupCommit {
  /** Calls back when the commit is on disk. */
  commit(onEnd: Happening): void
  utilisation(): number
  resetUtilisation(): void
}

export function openGroupCommit(clock: Clock, flushSeconds: number): GroupCommit {
  let waiting: Happening[] = []
  let flushing = false
  let busySeconds = 0
  let since = clock.now

  function flush(): void {
    const group = waiting
    waiting = []
    flushing = true
    clock.after(flushSeconds, () => {
      flushing = false
      busySeconds += flushSeconds
      if (waiting.length > 0) flush()
      for (const onEnd of group) onEnd()
    })
  }
  return {
    commit(onEnd) {
      waiting.push(onEnd)
      if (!flushing) flush()
    },
    utilisation: () => (clock.now > since ? Math.min(1, busySeconds / (clock.now - since)) : 0),
    resetUtilisation() {
      busySeconds = 0
      since = clock.now
    },
  }
}
