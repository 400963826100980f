import type { Clock, Happening } from './clock.ts'

/** The processors of a machine: concurrent jobs share them equally, none gets more than one. */
export interface SharedCores {
  /** Calls back when this many seconds of one processor were spent on it. */
  work(seconds: number, onEnd: Happening): void
  /** Share of all processors' time since the last reset: 0 to 1. */
  utilisation(): number
  resetUtilisation(): void
}

const NANOSECOND = 1e-9

/**
 * Processor sharing by virtual time, which advances as fast as each job progresses: the virtual end of a job is fixed when it
 * arrives, however many others come and go.
 */
export function openSharedCores(clock: Clock, cores: number): SharedCores {
  const ends: number[] = []
  const dones: Happening[] = []
  let virtual = 0
  let changeSeconds = clock.now
  let since = clock.now
  let busySeconds = 0
  let version = 0
  /** When the next job ends, at the current rate. */
  let expected = Number.POSITIVE_INFINITY

  function advance(): void {
    const elapsedSeconds = clock.now - changeSeconds
    changeSeconds = clock.now
    if (ends.length === 0 || elapsedSeconds === 0) return
    virtual += elapsedSeconds * Math.min(1, cores / ends.length)
    busySeconds += elapsedSeconds * Math.min(cores, ends.length)
  }
  function swap(a: number, b: number): void {
    const end = ends[a] as number
    const onEnd = dones[a] as Happening
    ends[a] = ends[b] as number
    dones[a] = dones[b] as Happening
    ends[b] = end
    dones[b] = onEnd
  }
  function add(end: number, onEnd: Happening): void {
    ends.push(end)
    dones.push(onEnd)
    for (let at = ends.length - 1; at > 0; ) {
      const parent = (at - 1) >> 1
      if ((ends[parent] as number) <= (ends[at] as number)) return
      swap(at, parent)
      at = parent
    }
  }
  function takeFirst(): Happening {
    swap(0, ends.length - 1)
    ends.pop()
    const onEnd = dones.pop() as Happening
    for (let at = 0; ; ) {
      const left = 2 * at + 1
      const right = 2 * at + 2
      let least = at
      if (left < ends.length && (ends[left] as number) < (ends[least] as number)) least = left
      if (right < ends.length && (ends[right] as number) < (ends[least] as number)) least = right
      if (least === at) return onEnd
      swap(at, least)
      at = least
    }
  }
  /** Cancels the previously expected event, unless it is at the same time, which is the usual case without contention. */
  function expect(): void {
    const first = ends[0]
    const moment =
      first === undefined ? Number.POSITIVE_INFINITY : clock.now + (first - virtual) / Math.min(1, cores / ends.length)
    if (Math.abs(moment - expected) < NANOSECOND) return
    expected = moment
    const mine = ++version
    if (first === undefined) return
    clock.after(Math.max(0, moment - clock.now), () => {
      if (mine !== version) return
      advance()
      // May be slightly less because of floating-point rounding.
      virtual = Math.max(virtual, ends[0] as number)
      expected = Number.NaN
      const onEnd = takeFirst()
      expect()
      onEnd()
    })
  }

  return {
    work(seconds, onEnd) {
      advance()
      add(virtual + seconds, onEnd)
      expect()
    },
    utilisation() {
      advance()
      return clock.now > since ? busySeconds / (cores * (clock.now - since)) : 0
    },
    resetUtilisation() {
      advance()
      busySeconds = 0
      since = clock.now
    },
  }
}
