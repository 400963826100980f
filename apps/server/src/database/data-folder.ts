import { mkdir, open, realpath, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { StartError } from '@pixelmill/codecs/contract/start-error'
import { holdAddress, holderAddress } from './single-holder.ts'

export interface DataFolder {
  /** Absolute, with symbolic links resolved: all processes use this name for the folder. */
  readonly path: string
  release(): Promise<void>
}

/**
 * Creates the data folder if it is missing (mode 0700: it contains the database) and locks it for this process.
 * @throws StartError if it cannot be created or written, or if another server on this machine holds it
 */
export async function holdDataFolder(dir: string): Promise<DataFolder> {
  const path = await makeDataFolder(dir)
  const addressHold = await holdAddress(holderAddress(path))
  if (!addressHold) {
    throw new StartError(`Another Pixelmill server is already running on ${path}: stop it, or set DATA_DIR to another folder.`)
  }
  return { path, release: addressHold.release }
}

/** The same for a folder that several processes share. @throws StartError if it cannot be created or written */
export async function makeDataFolder(dir: string): Promise<string> {
  const path = await makeFolder(dir)
  await checkWritable(path)
  return path
}

async function makeFolder(dir: string): Promise<string> {
  try {
    await makeFolders(dir, 0o700)
    return await realpath(dir)
  } catch (error) {
    throw new StartError(
      `The data folder ${dir} cannot be made (${reason(error)}): set DATA_DIR to a folder this user may write.`,
    )
  }
}

/** By actually writing: root passes every permission check, even on a read-only disk. */
async function checkWritable(path: string): Promise<void> {
  const probe = join(path, `.write-probe-${process.pid}`)
  try {
    await (await open(probe, 'w', 0o600)).close()
    await rm(probe)
  } catch (error) {
    throw new StartError(`The data folder ${path} is not writable (${reason(error)}): give it to this user or set DATA_DIR.`)
  }
}

function reason(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code
  if (code === 'EEXIST' || code === 'ENOTDIR') return 'a file is in the way'
  return code ?? String(error)
}

/**
 * Creates a folder, and its missing parents, each with `mode`; an existing folder is left unchanged. `mkdir` of Node with
 * `recursive` never ends where a file system answers ENOENT although the parent exists, as /proc does: it retries for ever.
 * @throws Error of the system call that failed
 */
export async function makeFolders(path: string, mode: number): Promise<void> {
  if (await isFolder(path)) return
  const above = dirname(path)
  if (above !== path) await makeFolders(above, mode)
  try {
    await mkdir(path, { mode })
  } catch (error) {
    // Another process may have created it meanwhile.
    if (!(await isFolder(path))) throw error
  }
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory()
  } catch {
    // Whatever the reason: the mkdir that follows fails too and reports it.
    return false
  }
}
