import { existsSync } from 'node:fs'
import { type Config, readConfig } from '../../src/config.ts'
import { StartError } from '../../src/contract/start-error.ts'
import { closeInherited } from '../../src/inherited-descriptors.ts'

/** The arguments of a command are wrong. */
export class UsageError extends Error {
  override name = 'UsageError' as const
}

/** The usage line of a command. */
interface Call<Wanted> {
  readonly usage: string
  /** Reads the arguments. @throws UsageError, or an error of `parseArgs` */
  wanted(): Wanted
}

/**
 * Runs an operator's command with the server's settings, including `.env`; resources are closed in any case. Exits with 0, with 1
 * and one line if the operator can fix the error, or with 2 after wrong arguments, which start nothing.
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

/** Node's parseArgs throws a TypeError with a code for unknown arguments. */
function readCall<Wanted>(wanted: () => Wanted): Wanted {
  try {
    return wanted()
  } catch (error) {
    if (error instanceof TypeError && 'code' in error) throw new UsageError(error.message)
    throw error
  }
}
