import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ImageFailure, RunFailure, systemCode } from '../failure.ts'
import type { Target } from './target.ts'

/** Beside the results: the journal, and results that are not complete. */
export const STATE_FOLDER = '.pixelmill'

/** Errors that all further results would meet too. */
const OF_THE_DISK: Readonly<Record<string, string>> = {
  ENOSPC: 'No space is left',
  EDQUOT: 'The quota of the disk is used up',
  EROFS: 'The file system is read-only',
  EIO: 'The disk reports an error',
}

export interface FolderOptions {
  /** Whether results survive a loss of power before they replace a file: needed where they replace the source. */
  readonly durable: boolean
}

/** Folders of incomplete results that are older were left by processes that have been killed. */
const ABANDONED_MS = 24 * 60 * 60 * 1000

/** Results as files in a folder, which is made. Several processes may write into it. @throws RunFailure */
export function folderTarget(root: string, { durable }: FolderOptions): Target {
  const state = join(root, STATE_FOLDER)
  const incomplete = join(state, `incomplete-${randomUUID()}`)
  const made = new Set<string>()
  let written = 0
  try {
    removeAbandoned(state)
    mkdirSync(incomplete, { recursive: true })
  } catch (error) {
    throw new RunFailure(`${root} cannot be written (${systemCode(error)}).`, { cause: error })
  }

  async function makeFolder(path: string): Promise<void> {
    if (made.has(path)) return
    await mkdir(path, { recursive: true })
    made.add(path)
  }
  return {
    nameOf: (path) => join(root, path),
    holds(path) {
      const found = statSync(join(root, path), { throwIfNoEntry: false })
      return found && { bytes: found.size, tag: String(found.mtimeMs) }
    },
    async write(path, bytes, _mime, record, mode) {
      const [place, temporary] = [join(root, path), join(incomplete, String(written++))]
      try {
        await makeFolder(dirname(place))
        const mtimeMs = await writeFile(temporary, bytes, durable, mode)
        record({ bytes: bytes.length, tag: String(mtimeMs) })
        await rename(temporary, place)
      } catch (error) {
        await rm(temporary, { force: true })
        throw faultOf(error, root)
      }
    },
    async [Symbol.asyncDispose]() {
      await rm(incomplete, { recursive: true, force: true })
    },
  }
}

function removeAbandoned(state: string): void {
  if (!existsSync(state)) return
  for (const name of readdirSync(state).filter((each) => each.startsWith('incomplete-'))) {
    const folder = join(state, name)
    const changed = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0
    if (changed < Date.now() - ABANDONED_MS) rmSync(folder, { recursive: true, force: true })
  }
}

/** Returns the time of its last change, which renaming keeps. */
async function writeFile(place: string, bytes: Buffer, durable: boolean, mode: number | undefined): Promise<number> {
  await using file = await open(place, 'w')
  if (mode !== undefined) await file.chmod(mode)
  await file.writeFile(bytes)
  if (durable) await file.sync()
  return (await file.stat()).mtimeMs
}

function faultOf(error: unknown, root: string): unknown {
  const code = systemCode(error)
  const ofDisk = OF_THE_DISK[code]
  if (ofDisk !== undefined) return new RunFailure(`${ofDisk} in ${root} (${code}).`, { cause: error })
  return error instanceof Error && 'syscall' in error ? new ImageFailure('unwritable', code, { cause: error }) : error
}
