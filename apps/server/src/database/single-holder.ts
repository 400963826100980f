import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Held {
  release(): Promise<void>
}

/**
 * The socket address for a name on this machine. On Linux it is an abstract socket: it has no file, and the kernel frees it
 * however the process that holds it ends.
 */
export function holderAddress(name: string, platform: NodeJS.Platform = process.platform): string {
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 32)
  if (platform === 'linux') return `\0pixelmill-${hash}`
  return platform === 'win32' ? `\\\\.\\pipe\\pixelmill-${hash}` : join(tmpdir(), `pixelmill-${hash}.sock`)
}

/** Acquires an address for this process until `release()` or the end of the process; null if another process holds it. */
export async function holdAddress(address: string): Promise<Held | null> {
  const server = (await listen(address)) ?? (await listenInPlaceOfDead(address))
  return server && { release: () => close(server) }
}

/** A socket file outlives a killed process: if no process answers on it, it may be removed. */
async function listenInPlaceOfDead(address: string): Promise<Server | null> {
  const isFile = address.startsWith('/')
  if (!isFile || (await socketAnswers(address))) return null
  await rm(address, { force: true })
  return listen(address)
}

function listen(address: string): Promise<Server | null> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy())
    server.once('error', (error: NodeJS.ErrnoException) => (error.code === 'EADDRINUSE' ? resolve(null) : reject(error)))
    server.listen({ path: address, exclusive: true }, () => resolve(server.unref()))
  })
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
  })
}

/** Whether a process listens on this unix socket. Never throws. */
export function socketAnswers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    // Only a refused connection or a missing file proves that no process listens: any other error counts as an answer.
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code !== 'ECONNREFUSED' && error.code !== 'ENOENT'))
  })
}
