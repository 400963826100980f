import { join } from 'node:path'
import { StartError } from '@pixelmill/codecs/contract/start-error'
import type { KeySecret } from '../../ai/key-vault.ts'
import { readSecrets, SECRET_FILE } from '../../ai/secret-file.ts'
import { openFolder } from '../../blobs/folder/folder-store.ts'
import { openBlobs } from '../../blobs/index.ts'
import type { Config } from '../../config.ts'
import { type Database, openDatabase } from '../../database/database.ts'
import { openOwnDatabase } from '../own-database.ts'
import type { OperatorAction } from '../run-command.ts'
import { moveDatabase } from './move-database.ts'
import { moveFiles } from './move-files.ts'

/**
 * Moves an installation from DATA_DIR to the settings of a cluster: the database to DATABASE_URL, files to S3_BUCKET. DATA_DIR
 * stays unchanged. docs/backup.md explains how to use it.
 */
export const move: OperatorAction = async (_none, config, openedStack) => {
  const { DATABASE_URL: url, S3_BUCKET: bucket } = config
  if (url === undefined && bucket === undefined)
    throw new StartError('Nothing says where to: set DATABASE_URL or S3_BUCKET or both, as docs/backup.md says.')
  const { dataDir, database, served } = await openOwnDatabase(config.DATA_DIR, openedStack)
  if (served) throw new StartError('The server is running: stop it first, or what it does meanwhile stays behind.')
  if (url !== undefined) await toDatabase(database, url, openedStack)
  if (bucket !== undefined) await toBucket(database, dataDir, config, openedStack)
  if (url !== undefined) await tellOfSecret(database, dataDir, config.AI_KEY_ENCRYPTION_SECRET)
}

const seconds = (began: number): string => `${((performance.now() - began) / 1000).toFixed(1)} s`

async function toDatabase(source: Database, url: string, openedStack: AsyncDisposableStack): Promise<void> {
  const began = performance.now()
  const target = await openDatabase({ url }, (error) => console.error(`A connection broke: ${error.message}`))
  openedStack.defer(() => target.close())
  const movedTables = await moveDatabase(source, target)
  if (movedTables) console.log(`database: ${movedTables.rows} rows of ${movedTables.tables} tables, ${seconds(began)}`)
  else console.log('database: DATABASE_URL has this installation already, and nothing was copied')
}

async function toBucket(source: Database, dataDir: string, config: Config, openedStack: AsyncDisposableStack): Promise<void> {
  const began = performance.now()
  const { rows } = await source.pool.query<{ id: string }>('select id from installation')
  const from = await openFolder({ root: join(dataDir, 'blobs'), reserveBytes: 0 })
  const to = await openBlobs(dataDir, config)
  openedStack.defer(() => to.close())
  const copiedCount = await moveFiles(from, to, rows[0]?.id ?? '')
  console.log(`files: ${copiedCount} copied, ${seconds(began)}`)
}

/** With DATABASE_URL, servers read no secret file: its contents have to be in their setting. */
async function tellOfSecret(source: Database, dataDir: string, setting: readonly KeySecret[] = []): Promise<void> {
  const path = join(dataDir, SECRET_FILE)
  const inFile = (await readSecrets(path)) ?? []
  const isSet = inFile.every(({ id, secret }) =>
    setting.some((givenSecret) => givenSecret.id === id && givenSecret.secret === secret),
  )
  const { rowCount } = await source.pool.query('select from ai_key')
  if (isSet || !rowCount) return
  const where =
    setting.length > 0
      ? 'add the line in this file to AI_KEY_ENCRYPTION_SECRET, behind a comma'
      : 'set AI_KEY_ENCRYPTION_SECRET to the line in this file'
  console.log(`AI keys: ${rowCount} saved, encrypted with ${path}. On every server, ${where}.`)
}
