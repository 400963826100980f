import type { ServerCommands } from 'pixelmill/commands/server-package'

/** The commands of `pixelmill` that need a server's settings or data. Each loads what it does when it runs. */
export const commands: ServerCommands = {
  async serve() {
    if (!('setFromBase64' in Uint8Array.prototype)) {
      console.error(`The server needs Node 26 or newer; this is ${process.version}.`)
      process.exitCode = 1
      return
    }
    await import('./main.ts')
  },
  async health() {
    await import('./health.ts')
  },
  async backup(options) {
    const { runOperator } = await import('./operator/run-command.ts')
    const { backup } = await import('./operator/backup/backup.ts')
    return await runOperator(backup, options)
  },
  async move() {
    const { runOperator } = await import('./operator/run-command.ts')
    const { move } = await import('./operator/move/move.ts')
    return await runOperator(move, undefined)
  },
  async resetPassword(options) {
    const { runOperator } = await import('./operator/run-command.ts')
    const { resetPassword } = await import('./operator/reset-password.ts')
    return await runOperator(resetPassword, options)
  },
}
