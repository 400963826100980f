import { existsSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { StartError } from '@pixelmill/codecs/contract/start-error'
import { type Database, openDatabase } from '../database/database.ts'
import { socketFolder } from '../database/embedded/address.ts'
import { startEmbedded } from '../database/embedded/server.ts'
import { holdAddress, holderAddress } from '../database/single-holder.ts'

export interface OwnDatabase {
  /** Absolute, with symbolic links resolved. */
  readonly dataDir: string
  readonly database: Database
  /** Whether a server is running on it. */
  readonly served: boolean
}

/**
 * The embedded database of a data folder: that of the running server, or one started for this command, which then keeps servers
 * from starting.
 * @throws StartError if there is none, or this user may not use it
 */
export async function openOwnDatabase(dir: string, openedStack: AsyncDisposableStack): Promise<OwnDatabase> {
  if (!existsSync(join(dir, 'postgres', 'PG_VERSION')))
    throw new StartError(`There is no database in ${dir}: set DATA_DIR as the server has it, and run this as the server's user.`)
  const dataDir = await realpath(dir)
  const addressHold = await holdAddress(holderAddress(dataDir))
  if (addressHold) openedStack.defer(() => addressHold.release())
  const database = await openDatabase({ socketDir: await socketOf(dataDir, addressHold !== null, openedStack) }, (error) => {
    console.error(`A connection to the database broke: ${error.message}`)
  })
  openedStack.defer(() => database.close())
  return { dataDir, database, served: addressHold === null }
}

async function socketOf(dataDir: string, ours: boolean, openedStack: AsyncDisposableStack): Promise<string> {
  if (!ours) return socketFolder(dataDir)
  const embeddedPostgres = await startEmbedded({ dataDir, onLog: () => {} })
  openedStack.defer(() => embeddedPostgres.stop())
  return embeddedPostgres.socketDir
}
