import { existsSync } from 'node:fs'
import { readdir, realpath, rename } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { StartError } from '@pixelmill/codecs/contract/start-error'
import { SECRET_FILE } from '../../ai/secret-file.ts'
import { makeFolders } from '../../database/data-folder.ts'
import { holdAddress, holderAddress } from '../../database/single-holder.ts'
import { openOwnDatabase } from '../own-database.ts'
import type { OperatorAction } from '../run-command.ts'
import { baseBackup } from './base-backup.ts'
import { type Copied, copyFile, syncFolder, syncFolders, writeFile } from './copy-file.ts'
import { keepNewest, nameAt, removeUnfinished, unfinishName } from './finished-backups.ts'

const MiB = 1024 * 1024

export interface BackupOptions {
  readonly folder: string
  readonly files: boolean
  /** How many backups to keep; undefined: all. */
  readonly keep: number | undefined
}

/**
 * Backs up the embedded database, whether its server is running or not, as a complete data folder: copying it back restores it.
 * docs/backup.md explains how to use it.
 */
export const backup: OperatorAction<BackupOptions> = async ({ folder: folderName, files, keep }, config, openedStack) => {
  if (config.DATABASE_URL !== undefined)
    throw new StartError('The database is at DATABASE_URL, and not in DATA_DIR: back it up with pg_dump, as docs/backup.md says.')
  if (files && config.S3_BUCKET !== undefined)
    throw new StartError('Files are in the bucket, and not in DATA_DIR: back them up there, or leave out --files.')
  await makeBackupFolder(folderName)
  const folder = await realpath(folderName)
  const addressHold = await holdAddress(holderAddress(`backup ${folder}`))
  if (!addressHold) throw new StartError(`Another backup into ${folder} is in progress.`)
  openedStack.defer(() => addressHold.release())
  await removeUnfinished(folder)
  const began = performance.now()
  const { dataDir, database } = await openOwnDatabase(config.DATA_DIR, openedStack)
  refuseInside(dataDir, folder)
  const connection = await database.connect()
  openedStack.defer(() => connection.end())
  await connection.query('set statement_timeout = 0')

  const name = nameAt(new Date())
  const to = join(folder, unfinishName(name))
  const rows = below('postgres', await baseBackup(connection, join(dataDir, 'postgres'), join(to, 'postgres')))
  const blobs = files ? below('blobs', await fileBackup(join(dataDir, 'blobs'), join(to, 'blobs'))) : []
  // After the database, since a key saved meanwhile needs it.
  const secret = await copyFile(dataDir, to, SECRET_FILE)
  const copiedParts = [...rows, ...blobs, ...(secret ? [secret] : [])]
  await writeFile(to, 'SHA256SUMS', [Buffer.from(sums(copiedParts))])
  await syncFolders(to)
  await rename(to, join(folder, name))
  await syncFolder(folder)

  const bytes = copiedParts.reduce((sum, file) => sum + file.bytes, 0)
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  console.log(`${join(folder, name)}: ${copiedParts.length} files, ${(bytes / MiB).toFixed(0)} MiB, ${seconds} s`)
  if (keep !== undefined) for (const old of await keepNewest(folder, keep)) console.log(`removed ${join(folder, old)}`)
}

/** In the format of `sha256sum --check`. */
const sums = (files: readonly Copied[]): string => files.map(({ path, sha256 }) => `${sha256}  ${path}\n`).join('')

const below = (folder: string, files: readonly Copied[]) => files.map((file) => ({ ...file, path: join(folder, file.path) }))

/** A target inside the copied folder would be copied into itself. */
function refuseInside(dataDir: string, folder: string): void {
  if (['postgres', 'blobs', 'run'].includes(relative(dataDir, folder).split('/')[0] ?? ''))
    throw new StartError(`${folder} is a part of what is backed up: name a folder elsewhere, best on another disk.`)
}

async function makeBackupFolder(path: string): Promise<void> {
  try {
    await makeFolders(path, 0o700)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? String(error)
    throw new StartError(`The folder ${path} cannot be made (${code}): name one that this user may write.`)
  }
}

/** Incomplete uploads, and the probe of the store. */
const LEFT_OUT = /^\./

/** Copies the files of batches. Files deleted meanwhile belong to batches that no longer need them. */
async function fileBackup(blobs: string, to: string): Promise<readonly Copied[]> {
  if (!existsSync(blobs)) return []
  const entries = await readdir(blobs, { recursive: true, withFileTypes: true })
  const copiedParts: (Copied | undefined)[] = []
  for (const entry of entries) {
    const path = relative(blobs, join(entry.parentPath, entry.name))
    if (entry.isFile() && !LEFT_OUT.test(path)) copiedParts.push(await copyFile(blobs, to, path))
  }
  return copiedParts.filter((file) => file !== undefined)
}
