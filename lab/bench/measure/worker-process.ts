import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'

export interface WorkerProcess {
  readonly pid: number
  /** One question at a time; rejects if the process dies or takes longer than ten minutes. */
  ask<Reply>(question: unknown): Promise<Reply>
  stop(): Promise<void>
}

const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

const answerFrom = async (child: ChildProcess, file: URL) => {
  const stop = new AbortController()
  const { signal } = stop
  const death = once(child, 'exit', { signal }).then(([code]) => {
    throw new Error(`${file.pathname.split('/').at(-1)} ended with code ${code} before it answered`)
  })
  const late = AbortSignal.timeout(600_000)
  const answer = once(child, 'message', { signal: AbortSignal.any([signal, late]) })
  try {
    return (await Promise.race([answer, death]))[0]
  } finally {
    death.catch(() => undefined)
    stop.abort()
  }
}

/** Forks a benchmark file into a process of its own, so that its CPU time is measured separately. */
export async function startWorkerProcess(file: URL, env: Record<string, string> = {}): Promise<WorkerProcess> {
  const child = fork(file, { serialization: 'advanced', env: { ...process.env, ...env } })
  running.add(child)
  child.once('exit', () => running.delete(child))
  await answerFrom(child, file) // Its first message says that it is ready.
  const ask = async <Reply>(question: unknown) => {
    child.send(question as object)
    return (await answerFrom(child, file)) as Reply
  }
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exit = once(child, 'exit')
    child.kill('SIGKILL') // It has no state to save.
    await exit
  }
  return { pid: child.pid ?? 0, ask, stop }
}

/** The child's side: answers each message of the parent with the result of `reply`. */
export function answerParent<Question>(reply: (question: Question) => Promise<unknown>): void {
  process.on('message', async (question) => process.send?.(await reply(question as Question)))
  process.send?.('ready')
}
