import { systemCode } from '../failure.ts'

/** The commands that the package of the server carries out: its module `commands` exports them as `commands`. */
export interface ServerCommands {
  /** Runs until a signal stops it. */
  serve(): Promise<void>
  /** Sets the exit code, like those below that return it. */
  health(): Promise<void>
  backup(options: BackupOptions): Promise<number>
  move(): Promise<number>
  resetPassword(options: PasswordOptions): Promise<number>
}

export interface BackupOptions {
  readonly folder: string
  readonly files: boolean
  /** How many backups stay; undefined: all. */
  readonly keep: number | undefined
}

export interface PasswordOptions {
  readonly typed: string
  readonly administrator: boolean
}

/** A variable, so that the command can be built and run without that package. */
const MODULE: string = 'pixelmill-server/commands'

/** Carries out a command of the server; where its package is missing, says what to install and sets exit code 1. */
export async function withServer(work: (commands: ServerCommands) => Promise<void>): Promise<void> {
  let commands: ServerCommands
  try {
    const serverModule = (await import(MODULE)) as { readonly commands: ServerCommands }
    commands = serverModule.commands
  } catch (error) {
    if (systemCode(error) !== 'ERR_MODULE_NOT_FOUND' || !String(error).includes("'pixelmill-server'")) throw error
    console.error('This command is one of the server, which is a package of its own: npm install pixelmill-server')
    process.exitCode = 1
    return
  }
  await work(commands)
}
