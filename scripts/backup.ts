import { realpath, rename } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { SECRET_FILE } from '../src/ai/secret-file.ts'
import { StartError } from '../src/contract/start-error.ts'
import { makeFolders } from '../src/database/data-folder.ts'
import { holdAddress, holderAddress } from '../src/database/single-holder.ts'
import { baseBackup } from './backup/base-backup.ts'
import { type Copied, copyFile, syncFolder, syncFolders, writeFile } from './backup/copy-file.ts'
import { fileBackup } from './backup/file-backup.ts'
import { keepNewest, nameAt, removeUnfinished, unfinished } from './backup/finished-backups.ts'
import { runCommand, UsageError } from './operator/command.ts'
import { openOwnDatabase } from './operator/own-database.ts'

/**
 * Backs up the embedded database, whether its server is running or not, as a complete data folder: copying it back restores it.
 * docs/backup.md explains how to use it.
 */

const USAGE = 'npm run backup -- FOLDER [--files] [--keep N]'
const MiB = 1024 * 1024

interface Wanted {
  readonly folder: string
  readonly files: boolean
  /** How many backups to keep; undefined: all. */
  readonly keep: number | undefined
}

function wanted(): Wanted {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { files: { type: 'boolean', default: false }, keep: { type: 'string' } },
  })
  const [folder, ...rest] = positionals
  if (folder === undefined || rest.length > 0) throw new UsageError('One folder must be named.')
  if (values.keep !== undefined && !/^[1-9]\d{0,5}$/.test(values.keep))
    throw new UsageError('--keep must be a whole number from 1.')
  return { folder, files: values.files, keep: values.keep === undefined ? undefined : Number(values.keep) }
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

await runCommand({ usage: USAGE, wanted }, async ({ folder: asked, files, keep }, config, opened) => {
  if (config.DATABASE_URL !== undefined)
    throw new StartError('The database is at DATABASE_URL, and not in DATA_DIR: back it up with pg_dump, as docs/backup.md says.')
  if (files && config.S3_BUCKET !== undefined)
    throw new StartError('Files are in the bucket, and not in DATA_DIR: back them up there, or leave out --files.')
  await makeBackupFolder(asked)
  const folder = await realpath(asked)
  const held = await holdAddress(holderAddress(`backup ${folder}`))
  if (!held) throw new StartError(`Another backup into ${folder} is in progress.`)
  opened.defer(() => held.release())
  await removeUnfinished(folder)
  const began = performance.now()
  const { dataDir, database } = await openOwnDatabase(config.DATA_DIR, opened)
  refuseInside(dataDir, folder)
  const connection = await database.connect()
  opened.defer(() => connection.end())
  await connection.query('set statement_timeout = 0')

  const name = nameAt(new Date())
  const to = join(folder, unfinished(name))
  const rows = below('postgres', await baseBackup(connection, join(dataDir, 'postgres'), join(to, 'postgres')))
  const blobs = files ? below('blobs', await fileBackup(join(dataDir, 'blobs'), join(to, 'blobs'))) : []
  // After the database, since a key saved meanwhile needs it.
  const secret = await copyFile(dataDir, to, SECRET_FILE)
  const copied = [...rows, ...blobs, ...(secret ? [secret] : [])]
  await writeFile(to, 'SHA256SUMS', [Buffer.from(sums(copied))])
  await syncFolders(to)
  await rename(to, join(folder, name))
  await syncFolder(folder)

  const bytes = copied.reduce((sum, file) => sum + file.bytes, 0)
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  console.log(`${join(folder, name)}: ${copied.length} files, ${(bytes / MiB).toFixed(0)} MiB, ${seconds} s`)
  if (keep !== undefined) for (const old of await keepNewest(folder, keep)) console.log(`removed ${join(folder, old)}`)
})
