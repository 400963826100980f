/** Exit codes of every command. Interrupted runs go on where they were when they are started again. */
export const EXIT = { done: 0, someFailed: 1, usage: 2, interrupted: 130 } as const

/** Aborted by the first Ctrl-C or SIGTERM, of which a second one ends the process at once, or when the reader of the output has closed it. */
export interface Interrupt extends Disposable {
  readonly signal: AbortSignal
}

/** A repeated signal within this time was sent to the process and by its parent: Ctrl-C in a terminal, under npm. */
const SAME_SIGNAL_MS = 1_000

export function untilInterrupted(): Interrupt {
  const interrupt = new AbortController()
  let first: number | undefined
  const onSignal = () => {
    first ??= performance.now()
    if (performance.now() - first > SAME_SIGNAL_MS) process.exit(EXIT.interrupted)
    interrupt.abort()
  }
  const signals = ['SIGINT', 'SIGTERM'] as const
  for (const name of signals) process.on(name, onSignal)
  const onError = () => interrupt.abort()
  const outputs = [process.stdout, process.stderr]
  for (const stream of outputs) stream.on('error', onError)
  return {
    signal: interrupt.signal,
    [Symbol.dispose]() {
      for (const name of signals) process.off(name, onSignal)
    },
  }
}
