import { existsSync } from 'node:fs'
import { type Config, readConfig } from '../../src/config.ts'
import { StartError } from '../../src/contract/start-error.ts'

/** What an operator typed is not how the command is called. */
export class UsageError extends Error {
  override name = 'UsageError' as const
}

/**
 * Runs a command of the operator's with the settings that the server has, `.env` included; what it opened is closed in any case.
 * Ends with 0, with 1 and one line where the operator can mend it, with 2 after a wrong call.
 */
export async function runCommand(
  usage: string,
  act: (config: Config, opened: AsyncDisposableStack) => Promise<void>,
): Promise<void> {
  try {
    if (existsSync('.env')) process.loadEnvFile('.env')
    await using opened = new AsyncDisposableStack()
    await act(readConfig(process.env), opened)
  } catch (error) {
    const wrongCall = error instanceof UsageError || (error instanceof TypeError && 'code' in error)
    if (wrongCall) console.error(`${error.message}\nUsage: ${usage}`)
    else console.error(error instanceof StartError ? error.message : error)
    process.exitCode = wrongCall ? 2 : 1
  }
}
