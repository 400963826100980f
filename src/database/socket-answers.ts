import { connect } from 'node:net'

/** Whether a process listens on this unix socket. Never throws. */
export function socketAnswers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    // Only a refusal or a missing file proves that nobody is there: any other error counts as an answer.
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code !== 'ECONNREFUSED' && error.code !== 'ENOENT'))
  })
}
