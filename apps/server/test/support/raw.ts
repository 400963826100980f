import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Writes pieces to a fresh connection, with a pause after each, and returns everything received until it closes or `ms` passed.
 */
export async function raw(url: string, pieces: readonly (string | Buffer)[], { pauseMs = 0, ms = 3_000 } = {}): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port) })
  let answer = ''
  let open = true
  socket.on('data', (chunk) => {
    answer += chunk.toString('latin1')
  })
  socket.on('close', () => {
    open = false
  })
  // A server that refuses may close while we still write; its answer before that is what counts.
  socket.on('error', () => {
    open = false
  })
  for (const piece of pieces) {
    if (!open) break
    socket.write(piece)
    if (pauseMs > 0) await sleep(pauseMs)
  }
  for (const until = performance.now() + ms; open && performance.now() < until; ) await sleep(10)
  socket.destroy()
  return answer
}
