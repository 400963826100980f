import { createHash } from 'node:crypto'
import { chmod, lstat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StartError } from '@pixelmill/codecs/contract/start-error'
import { makeFolders } from '../data-folder.ts'
import { giveFolder } from './run.ts'

/** PostgreSQL's superuser in the embedded cluster. Only Pixelmill can open the socket, so one role is enough. */
export const EMBEDDED_USER = 'pixelmill'

/** The name of PostgreSQL's socket, which the protocol fixes for the default port. */
export const SOCKET_FILE = '.s.PGSQL.5432'

/** How `pg` connects to the embedded PostgreSQL. Every field is set, because `pg` fills gaps from the PG… variables. */
export function embeddedAddress(socketDir: string) {
  return { host: socketDir, port: 5432, user: EMBEDDED_USER, database: 'postgres', ssl: false }
}

/** A socket address holds 108 bytes on Linux and 104 on macOS, including the final zero: the smaller limit works on both. */
const SOCKET_PATH_BYTES = 103

/**
 * Creates the folder for PostgreSQL's socket with mode 0700, which is the database's only access control.
 * @throws StartError if another user owns a folder of that name
 */
export async function makeSocketFolder(dataDir: string, owner: number): Promise<string> {
  const path = socketFolder(dataDir)
  await makeFolders(path, 0o700)
  const addressStats = await lstat(path)
  const ours = addressStats.uid === owner || addressStats.uid === process.geteuid?.() || process.geteuid?.() === 0
  if (!addressStats.isDirectory() || !ours)
    throw new StartError(`${path} belongs to another user: remove it or shorten DATA_DIR.`)
  await chmod(path, 0o700)
  await giveFolder(path, owner)
  return path
}

/** `<dataDir>/run`, or a temporary folder if that path is too long for a socket. */
export function socketFolder(dataDir: string): string {
  const near = join(dataDir, 'run')
  if (Buffer.byteLength(join(near, SOCKET_FILE)) <= SOCKET_PATH_BYTES) return near
  return join(tmpdir(), `pixelmill-${createHash('sha256').update(dataDir).digest('hex').slice(0, 32)}`)
}
