import { createHash } from 'node:crypto'
import { chmod, lstat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StartError } from '../../contract/start-error.ts'
import { makeFolders } from '../data-folder.ts'
import { giveFolder } from './run.ts'

/** PostgreSQL's superuser in the embedded cluster: whoever can open the socket is Pixelmill, so there is one role. */
export const EMBEDDED_USER = 'pixelmill'

/** The name PostgreSQL gives its socket: fixed by the protocol for its default port. */
export const SOCKET_FILE = '.s.PGSQL.5432'

/** How `pg` reaches the embedded PostgreSQL. Every field is given, because `pg` fills gaps from the PG… variables. */
export function embeddedAddress(socketDir: string) {
  return { host: socketDir, port: 5432, user: EMBEDDED_USER, database: 'postgres', ssl: false }
}

/** A socket's address holds 108 bytes on Linux and 104 on macOS, with the closing zero: the smaller serves both. */
const SOCKET_PATH_BYTES = 103

/**
 * Makes the folder for PostgreSQL's socket, mode 0700: that mode is the database's only lock.
 * @throws StartError when somebody else made a folder of that name.
 */
export async function makeSocketFolder(dataDir: string, owner: number): Promise<string> {
  const path = socketFolder(dataDir)
  await makeFolders(path, 0o700)
  const found = await lstat(path)
  const ours = found.uid === owner || found.uid === process.geteuid?.() || process.geteuid?.() === 0
  if (!found.isDirectory() || !ours) throw new StartError(`${path} belongs to somebody else: remove it or shorten DATA_DIR.`)
  await chmod(path, 0o700)
  await giveFolder(path, owner)
  return path
}

/** `<dataDir>/run`, or a folder among the temporary files when that path is too long for a socket. */
export function socketFolder(dataDir: string): string {
  const near = join(dataDir, 'run')
  if (Buffer.byteLength(join(near, SOCKET_FILE)) <= SOCKET_PATH_BYTES) return near
  return join(tmpdir(), `pixelmill-${createHash('sha256').update(dataDir).digest('hex').slice(0, 32)}`)
}
