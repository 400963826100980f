import { setTimeout as pause } from 'node:timers/promises'

/** Asks every `everyMs` until the answer is yes (true) or `timeoutMs` have passed (false). Asks at least once. */
export async function waitUntil(
  isSo: () => boolean | Promise<boolean>,
  { timeoutMs, everyMs }: { readonly timeoutMs: number; readonly everyMs: number },
): Promise<boolean> {
  const deadline = performance.now() + timeoutMs
  while (!(await isSo())) {
    if (performance.now() >= deadline) return false
    await pause(everyMs)
  }
  return true
}
