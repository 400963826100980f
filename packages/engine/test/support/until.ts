import { setTimeout as sleep } from 'node:timers/promises'

/** Polls until the condition holds; false when it does not within this time, which is generous for a busy machine. */
export async function until(holds: () => Promise<boolean>, ms = 20_000): Promise<boolean> {
  for (const end = performance.now() + ms; performance.now() < end; await sleep(20)) if (await holds()) return true
  return false
}
