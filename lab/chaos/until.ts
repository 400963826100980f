import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Polls until the condition holds; an exception, as while a process is unavailable, counts as false. @throws Error after
 * `seconds`
 */
export async function until(what: string, holds: () => Promise<boolean>, seconds = 180): Promise<void> {
  let last: unknown
  for (const end = performance.now() + seconds * 1000; performance.now() < end; await sleep(100)) {
    try {
      if (await holds()) return
      last = undefined
    } catch (error) {
      last = error
    }
  }
  throw new Error(`not within ${seconds} s: ${what}`, { cause: last })
}

/** Retries while it fails. @throws the last error, after `seconds` */
export async function persist<Result>(ask: () => Promise<Result>, seconds = 120): Promise<Result> {
  for (const end = performance.now() + seconds * 1000; ; await sleep(200)) {
    try {
      return await ask()
    } catch (error) {
      if (performance.now() > end) throw error
    }
  }
}
