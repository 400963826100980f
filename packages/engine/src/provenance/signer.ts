import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { programFile } from '@pixelmill/codecs/installation'
import { fairQueue } from '../concurrency/fair-queue.ts'
import type { Credential } from './credential.ts'
import type { SigningAnswer, SigningOrder } from './signing-thread.ts'

/** Adds manifests to files. */
export interface Signer {
  /** The file with a manifest, which has the source as ingredient. Accounts take turns. Rejects where it cannot be signed. */
  sign(order: SigningOrder, account?: string): Promise<Buffer>
  close(): Promise<void>
}

const THREAD = programFile(import.meta.dirname, 'signing-thread')
/** A manifest from outside may take any time. A source of 7 MB takes 20 to 30 ms. */
const LONGEST_MS = 10_000
/** The thread takes 0.1 s to start, and 54 MB. */
const IDLE_MS = 60_000

/** Signs in a thread of its own, one file at a time. The key never leaves this process. */
export function startSigner(credential: Credential): Signer {
  let thread: Worker | undefined
  let idle: NodeJS.Timeout | undefined
  const queue = fairQueue(1)
  const never = new AbortController().signal
  let last: Promise<unknown> = Promise.resolve()

  async function end(): Promise<void> {
    const oldThread = thread
    thread = undefined
    await oldThread?.terminate()
  }

  async function ask(order: SigningOrder): Promise<Buffer> {
    clearTimeout(idle)
    thread ??= new Worker(THREAD, { workerData: { credential } })
    const patience = AbortSignal.timeout(LONGEST_MS)
    try {
      thread.postMessage(order)
      // Rejects at the event error too.
      const [answer] = (await once(thread, 'message', { signal: patience })) as [SigningAnswer]
      if ('error' in answer) throw new Error(answer.error)
      idle = setTimeout(end, IDLE_MS).unref()
      return Buffer.from(answer.signed.buffer, answer.signed.byteOffset, answer.signed.byteLength)
    } catch (error) {
      await end()
      throw patience.aborted ? new Error(`signing took longer than ${LONGEST_MS / 1_000} s`) : error
    }
  }

  return {
    sign(order, account = '') {
      const answer = queue.run(account, never, () => ask(order))
      last = Promise.allSettled([last, answer])
      return answer
    },
    async close() {
      await last
      clearTimeout(idle)
      await end()
    },
  }
}
