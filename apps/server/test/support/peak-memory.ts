import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { renderersOf, type Server } from './server.ts'

/**
 * The most memory of their own, in bytes, that the renderers of a server had together while this work was done, seen every
 * 20 ms. Pages of programs and libraries are not counted: renderers share them, and their number differs between machines.
 */
export async function peakMemoryDuring(server: Server, work: Promise<unknown>): Promise<number> {
  let isDone = false
  const end = work.finally(() => {
    isDone = true
  })
  let peak = 0
  for (let looks = 0; !isDone && looks < 6_000; looks++) {
    const sizes = await Promise.all((await renderersOf(server.pid)).map(({ pid }) => privateBytes(pid)))
    peak = Math.max(
      peak,
      sizes.reduce((sum, size) => sum + size, 0),
    )
    await sleep(20)
  }
  await end
  return peak
}

/** RssAnon of proc(5)'s status; 0 for a renderer that was replaced between the listing and the look. */
async function privateBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/RssAnon:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024
}
