import { renderersOf } from './server.ts'

export interface HaltedRenderers extends AsyncDisposable {
  readonly count: number
  /** Lets them work again. */
  resume(): void
}

/** Suspends the renderers of a server, so that calls stay at work for as long as a test needs, without work for the processor. */
export async function haltRenderers(server: number): Promise<HaltedRenderers> {
  const renderers = await renderersOf(server)
  const signal = (name: NodeJS.Signals) => renderers.filter(({ pid }) => isSignalled(pid, name)).length
  const resume = () => void signal('SIGCONT')
  return { count: signal('SIGSTOP'), resume, [Symbol.asyncDispose]: async () => resume() }
}

/** False when it has ended: the server kills a renderer that takes too long. */
function isSignalled(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
    throw error
  }
}
