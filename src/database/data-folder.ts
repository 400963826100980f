import { mkdir, open, realpath, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { StartError } from '../contract/start-error.ts'
import { holdAddress, holderAddress } from './single-holder.ts'

export interface DataFolder {
  /** Absolute, with symbolic links resolved: the name by which every process knows the folder. */
  readonly path: string
  release(): Promise<void>
}

/**
 * Makes the data folder when it is missing (mode 0700: it holds the database) and takes it for this process.
 * @throws StartError when it cannot be made or written, or when another server on this machine has it.
 */
export async function holdDataFolder(dir: string): Promise<DataFolder> {
  const path = await makeDataFolder(dir)
  const held = await holdAddress(holderAddress(path))
  if (!held) {
    throw new StartError(`Another Pixelmill server is already running on ${path}: stop it, or set DATA_DIR to another folder.`)
  }
  return { path, release: held.release }
}

/** The same, for a folder that several processes share. @throws StartError when it cannot be made or written */
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

/** By a real write: root passes every permission check, yet not on a read-only disk. */
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
 * Makes a folder, and those above it that are missing, each with `mode`; a folder that is there is left as it is.
 * `mkdir` of Node with `recursive` never ends where a file system answers ENOENT although the folder above exists, as
 * /proc does: it makes that folder again and again.
 * @throws Error of the system call that failed
 */
export async function makeFolders(path: string, mode: number): Promise<void> {
  if (await isFolder(path)) return
  const above = dirname(path)
  if (above !== path) await makeFolders(above, mode)
  try {
    await mkdir(path, { mode })
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!(await isFolder(path))) throw error
  }
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory()
  } catch {
    // Whatever the reason is: mkdir, which comes next, fails for it too and says so.
    return false
  }
}
