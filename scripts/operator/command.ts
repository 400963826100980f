import { existsSync } from 'node:fs'
import { type Config, readConfig } from '../../src/config.ts'
import { StartError } from '../../src/contract/start-error.ts'
import { closeInherited } from '../../src/inherited-descriptors.ts'

/** What an operator typed is not how the command is called. */
export class UsageError extends Error {
  override name = 'UsageError' as const
}

/** How a command is called. */
interface Call<Wanted> {
  readonly usage: string
  /** Reads the arguments. @throws UsageError, or an error of `parseArgs` */
  wanted(): Wanted
}

/**
 * Runs a command of the operator's with the settings that the server has, `.env` included; what it opened is closed in any case.
 * Ends with 0, with 1 and one line where the operator can mend it, with 2 after a wrong call, which starts nothing.
 */
export async function runCommand<Wanted>(
  { usage, wanted }: Call<Wanted>,
  act: (wanted: Wanted, config: Config, opened: AsyncDisposableStack) => Promise<void>,
): Promise<void> {
  closeInherited()
  if (process.argv.slice(2).some((argument) => argument === '--help' || argument === '-h')) {
    console.log(`Usage: ${usage}`)
    return
  }
  try {
    const asked = readCall(wanted)
    if (existsSync('.env')) process.loadEnvFile('.env')
    await using opened = new AsyncDisposableStack()
    await act(asked, readConfig(process.env), opened)
  } catch (error) {
    const wrongCall = error instanceof UsageError
    if (wrongCall) console.error(`${error.message}\nUsage: ${usage}`)
    else console.error(error instanceof StartError ? error.message : error)
    process.exitCode = wrongCall ? 2 : 1
  }
}

/** parseArgs of Node throws a TypeError with a code for what it does not know. */
function readCall<Wanted>(wanted: () => Wanted): Wanted {
  try {
    return wanted()
  } catch (error) {
    if (error instanceof TypeError && 'code' in error) throw new UsageError(error.message)
    throw error
  }
}
