import { InvalidArgumentError } from 'commander'
import type { Environment } from '../environment.ts'
import type { Work } from '../work.ts'
import type { Engine } from './engine.ts'

export interface EngineOptions {
  readonly server?: string | undefined
  readonly key?: string | undefined
  /** Images at once; by default one for each core. */
  readonly jobs?: number | undefined
  /** Is told what concerns neither an image nor the whole run. */
  note(text: string): void
}

/**
 * The engine that the options name. It starts when the first image needs it: a run in which nothing has changed starts no renderers.
 * @throws InvalidArgumentError
 */
export function openEngine(
  { server, key, jobs, note }: EngineOptions,
  work: Work,
  { rendering, ...environment }: Environment,
): Engine {
  const url = server ?? environment.server
  const atOnce = jobs ?? rendering.RENDERERS
  if (url === undefined) {
    if (key !== undefined) throw new InvalidArgumentError('--key is for --server.')
    return lazyEngine(atOnce, async () => (await import('./local.ts')).openLocalEngine(work, rendering, atOnce, note))
  }
  const secret = key ?? environment.key
  if (!URL.canParse(url) || !/^https?:/.test(url)) throw new InvalidArgumentError(`--server: ${url} is not an http or https URL.`)
  if (secret === undefined) throw new InvalidArgumentError('--server needs --key, or PIXELMILL_KEY in the environment.')
  return lazyEngine(atOnce, async () => (await import('./remote.ts')).openRemoteEngine(work, url, secret, atOnce))
}

function lazyEngine(jobs: number, open: () => Promise<Engine>): Engine {
  let openEngine: Promise<Engine> | undefined
  return {
    jobs,
    async render(source, signal) {
      openEngine ??= open()
      return await (await openEngine).render(source, signal)
    },
    async [Symbol.asyncDispose]() {
      // A failure to open was thrown to those who asked for an image.
      const engine = await openEngine?.catch(() => undefined)
      await engine?.[Symbol.asyncDispose]()
    },
  }
}
