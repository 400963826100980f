import { recognise } from '@pixelmill/codecs'
import type { Pool, TaskRunner } from '../rendering/pool.ts'
import type { Files } from '../rendering/protocol.ts'
import type { TaskName } from '../tasks/index.ts'
import type { TaskResult } from '../tasks/task.ts'
import { actionsOf, recipeOf } from './actions.ts'
import type { Signer } from './signer.ts'

/** The part of a report that is about one file. */
interface FileReport {
  readonly contentCredentials?: 'removed' | 'signed'
}

/**
 * A pool whose results carry a new manifest where their sources had one. A file that cannot be signed, or would become too large for
 * what was asked, stays as it is: without a manifest.
 */
export function signedPool(pool: Pool, signer: Signer, onFailed: (error: unknown) => void): Pool {
  async function signResult({ account, task, params, files }: Signing, result: TaskResult): Promise<TaskResult> {
    const report = result.report as FileReport & { readonly outputs?: readonly FileReport[] }
    const rows = report.outputs ?? result.files.map(() => report)
    if (!rows.some(isRemoved)) return result
    const source = Buffer.concat(files[0] ?? [])
    const signedFiles = await Promise.all(
      rows.map((row, index) => withManifest({ account, task, params, source, bytes: result.files[index], row, index })),
    )
    const after = rows.map((row, index): FileReport => ({ ...row, ...(signedFiles[index] && SIGNED) }))
    const whole = report.outputs ? { outputs: after } : signedFiles.every((bytes) => bytes) ? SIGNED : {}
    return {
      ...result,
      report: { ...result.report, ...whole },
      files: result.files.map((bytes, index) => signedFiles[index] ?? bytes),
    }
  }

  async function withManifest({ account, task, params, source, bytes, row, index }: Unsigned): Promise<Buffer | undefined> {
    const actions = isRemoved(row) ? actionsOf(task, params, index) : undefined
    const from = recognise(source)
    const to = bytes && recognise(bytes)
    // A BMP has no place for a manifest.
    if (!actions || !bytes || !from || !to?.isManifestIn) return undefined
    try {
      const order = { source: { bytes: source, mime: from.mime }, result: { bytes, mime: to.mime }, actions }
      const signedFile = await signer.sign(order, account)
      return signedFile.length <= mostBytes(task, params, index, source) ? signedFile : undefined
    } catch (error) {
      onFailed(error)
      return undefined
    }
  }

  const signing = (runner: TaskRunner, account: string): TaskRunner => ({
    async run(task, params, files, signal, lane, queueSignal) {
      const result = await runner.run(task, params, files, signal, lane, queueSignal)
      // The report is the task's, but for this word.
      return (await signResult({ account, task, params, files }, result)) as typeof result
    },
  })
  return { ...pool, ...signing(pool, ''), of: (account) => signing(pool.of(account), account) }
}

const SIGNED = { contentCredentials: 'signed' } as const
const isRemoved = ({ contentCredentials }: FileReport): boolean => contentCredentials === 'removed'

/** A task whose results may be signed. */
interface Signing {
  readonly account: string
  readonly task: TaskName
  readonly params: object
  readonly files: Files
}

interface Unsigned extends Omit<Signing, 'files'> {
  readonly source: Buffer
  readonly bytes: Buffer | undefined
  readonly row: FileReport
  readonly index: number
}

/** What the caller asked for, and of optimize the size of the source. */
function mostBytes(task: TaskName, params: object, index: number, source: Buffer): number {
  const { maxBytes = Number.POSITIVE_INFINITY, optimize } = recipeOf(task, params)?.outputs[index] ?? {}
  return Math.min(maxBytes, optimize ? source.length : Number.POSITIVE_INFINITY)
}
