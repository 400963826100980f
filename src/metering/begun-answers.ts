import { mkdirSync } from 'node:fs'
import type pg from 'pg'
import { type BegunFile, type BegunFolder, pathOf, removeFile, replaceFile } from './begun-file.ts'

/** Which charged calls this process has begun to answer: the next start gives back the others (`refund-unbegun.ts`). */
export interface BegunAnswers {
  /** Right before the answer of a charged call is sent; takes some microseconds and throws nothing. */
  begin(id: string): void
  /** Of a server that ends in order nothing is given back: its answers have ended. */
  close(): Promise<void>
}

export interface BegunAnswersOptions extends BegunFolder {
  readonly pool: pg.Pool
  readonly server: number
  /** Calls that a kill leaves without an answer stay charged until it works again. */
  readonly onFault: (error: unknown) => void
  /** Between deletions of the notes of calls whose answer has begun; both lists stay at the calls of some seconds. */
  readonly everyMs?: number
}

const FORGET_EVERY_MS = 10_000

const FORGET = { name: 'forget_begun', text: 'delete from settled_call where id = any($1::uuid[])' }

export function begunAnswers({ pool, server, onFault, everyMs = FORGET_EVERY_MS, ...place }: BegunAnswersOptions): BegunAnswers {
  const path = pathOf(place, server)
  let ids: Buffer[] = []
  let file: BegunFile | undefined
  let forgetting: Promise<void> = Promise.resolve()
  let timer = setTimeout(forget, everyMs).unref()
  renew()

  /** All ids that the database may still have a note of. */
  function renew(): void {
    file?.close()
    file = undefined
    try {
      mkdirSync(place.folder, { recursive: true, mode: 0o700 })
      file = replaceFile(path, ids)
    } catch (error) {
      drop(error)
    }
  }
  /** A file that lacks an id would have its call given back although it was answered: rather none. */
  function drop(error: unknown): void {
    file?.close()
    file = undefined
    onFault(error)
    try {
      removeFile(path)
    } catch (removal) {
      onFault(removal)
    }
  }
  function forget(): void {
    forgetting = forgetBegun()
      // While the database is away nothing is settled, and the ids are kept.
      .catch(onFault)
      .finally(() => {
        timer = setTimeout(forget, everyMs).unref()
      })
  }
  async function forgetBegun(): Promise<void> {
    const begun = ids.length
    if (begun === 0) return
    await pool.query({ ...FORGET, values: [ids.map((id) => id.toString('hex'))] })
    ids = ids.slice(begun)
    renew()
  }
  return {
    begin(id) {
      const bytes = Buffer.from(id.replaceAll('-', ''), 'hex')
      ids.push(bytes)
      try {
        file?.append(bytes)
      } catch (error) {
        drop(error)
      }
    },
    async close() {
      await forgetting
      clearTimeout(timer)
      file?.close()
      file = undefined
      // The file goes in any case: without it the notes that are left are of no effect.
      removeFile(path)
      await pool.query('delete from settled_call where server = $1', [server]).catch(onFault)
    },
  }
}
