import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** The process, as the collection of its garbage sees it. */
export interface Collected {
  /** Milliseconds of processor time since its start. */
  cpuMs(): number
  /** Bytes that V8 has reserved for its heap. */
  heapBytes(): number
  /** Collects all garbage, and returns free pages to the system. */
  collect(): void
}

const EVERY_MS = 5_000
/** The garbage of a start, 40 MB, goes as soon as the start is over. */
const FIRST_MS = 1_000

/** Of one processor. An idle server takes half of it: it looks for work of other servers, and measures the delay of its event loop. */
const IDLE_SHARE = 0.02

/** A smaller growth is not worth the tenth of a second for which requests wait meanwhile. */
const GROWN_BYTES = 12 * 1024 * 1024

/**
 * Collects garbage while the server is idle. V8 does so only when a program allocates, so that after a start 40 of 117 MB, and
 * after a burst the young generation at its largest, would stay with an idle process: docs/design/cpu-and-memory.md.
 * Returns a function that stops it.
 */
export function collectWhenIdle(collector: Collected = thisProcess, everyMs = EVERY_MS, firstMs = FIRST_MS): () => void {
  let cpuMs = collector.cpuMs()
  let heapBytes = 0
  const look = (sinceMs: number) => {
    const usedMs = collector.cpuMs() - cpuMs
    cpuMs += usedMs
    if (usedMs > IDLE_SHARE * sinceMs || collector.heapBytes() < heapBytes + GROWN_BYTES) return
    collector.collect()
    cpuMs = collector.cpuMs()
    heapBytes = collector.heapBytes()
  }
  const first = setTimeout(look, firstMs, firstMs).unref()
  const timer = setInterval(look, everyMs, everyMs).unref()
  return () => {
    clearTimeout(first)
    clearInterval(timer)
  }
}

/**
 * Growth of the heap, in percent of what is in use, after which V8 collects it again. After a last-resort collection V8 would allow
 * only a few megabytes, in which the bytes of uploads count, and collect the whole heap about every 20 uploads.
 */
const GROWTH_PERCENT = 100

type CollectGarbage = (options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void

const thisProcess: Collected = {
  cpuMs() {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  },
  heapBytes: () => getHeapStatistics().total_heap_size,
  collect() {
    // Not by --expose-gc: that would have to be given wherever the server is started, and is only needed here.
    setFlagsFromString('--expose-gc')
    const collectGarbage: CollectGarbage = runInNewContext('gc')
    setFlagsFromString('--no-expose-gc')
    setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`)
    // A regular collection keeps the size of the young generation.
    collectGarbage({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  },
}
