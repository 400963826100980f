import type { ServerResponse } from 'node:http'

/** How long a client may take nothing of an answer that waits for it, and how long once the server stops. */
export interface Patience {
  readonly seconds: number
  readonly closingSeconds: number
}

/**
 * Breaks the connection of a client that takes nothing of its answer. To be called before the answer is sent. Time in which
 * there is nothing to take, because the store is slow or an event stream is silent, is not the client's.
 */
export function breakIfStalled(answer: ServerResponse, { seconds, closingSeconds }: Patience, closing: AbortSignal): void {
  // Node counts from the last write or from when the system last took some of it; while a large write moves it calls nobody.
  answer.setTimeout(seconds * 1000, () => {
    const { socket } = answer
    if (socket && socket.writableLength > 0) socket.destroy()
  })
  const hurry = () => void answer.socket?.setTimeout(closingSeconds * 1000)
  if (closing.aborted) hurry()
  closing.addEventListener('abort', hurry)
  answer.once('close', () => closing.removeEventListener('abort', hurry))
}
