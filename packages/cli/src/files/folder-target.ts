import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ImageFailure, RunFailure, systemCode } from '../failure.ts'
import { makeFolder } from './make-folder.ts'
import type { FileFacts, Owner, Target } from './target.ts'

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
  const folders = new Set<string>()
  let writeCount = 0
  try {
    removeAbandoned(state)
    makeFolder(incomplete)
  } catch (error) {
    throw new RunFailure(`${root} cannot be written (${systemCode(error)}).`, { cause: error })
  }

  function makeOnce(path: string): void {
    if (folders.has(path)) return
    makeFolder(path)
    folders.add(path)
  }
  function holds(path: string) {
    const status = statSync(join(root, path), { throwIfNoEntry: false })
    return status && { bytes: status.size, tag: String(status.mtimeMs) }
  }
  return {
    nameOf: (path) => join(root, path),
    holds,
    versionOf: async (path) => holds(path),
    async write(path, bytes, _mime, record, facts = {}) {
      const place = join(root, path)
      const temporary = join(incomplete, String(writeCount++))
      try {
        makeOnce(dirname(place))
        const mtimeMs = await writeFile(temporary, bytes, durable, facts)
        record({ bytes: bytes.length, tag: String(mtimeMs) })
        await rename(temporary, place)
      } catch (error) {
        await rm(temporary, { force: true })
        throw faultOf(error, root)
      }
    },
    async remove(path) {
      const place = join(root, path)
      await rm(place, { force: true }).catch((error) => {
        throw new ImageFailure('unwritable', `${place} cannot be removed (${systemCode(error)})`, { cause: error })
      })
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
    const changeMs = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0
    if (changeMs < Date.now() - ABANDONED_MS) rmSync(folder, { recursive: true, force: true })
  }
}

/** Returns the time of its last change, which renaming keeps. */
async function writeFile(place: string, bytes: Buffer, durable: boolean, { owner, changedMs }: FileFacts): Promise<number> {
  await using file = await open(place, 'w')
  if (owner) await giveTo(file, owner)
  await file.writeFile(bytes)
  if (changedMs !== undefined) await file.utimes(changedMs / 1000, changedMs / 1000)
  if (durable) await file.sync()
  return (await file.stat()).mtimeMs
}

/** A file of another user stays theirs, or stays as it is. @throws the system's error, if this user may not give files away */
async function giveTo(file: FileHandle, { mode, user, group }: Owner): Promise<void> {
  const { uid, gid } = await file.stat()
  if (uid !== user || gid !== group) await file.chown(user, group)
  // After that, which takes permissions away.
  await file.chmod(mode)
}

function faultOf(error: unknown, root: string): unknown {
  const code = systemCode(error)
  const ofDisk = OF_THE_DISK[code]
  if (ofDisk !== undefined) return new RunFailure(`${ofDisk} in ${root} (${code}).`, { cause: error })
  return error instanceof Error && 'syscall' in error ? new ImageFailure('unwritable', code, { cause: error }) : error
}
