import { existsSync } from 'node:fs'
import { StartError } from '@pixelmill/codecs/contract/start-error'
import { type Config, readConfig } from '../config.ts'
import { closeInherited } from '../inherited-descriptors.ts'

/** An argument has the wrong form, which only the command itself can tell: exit code 2. */
export class WrongArgument extends Error {
  override name = 'WrongArgument' as const
}

/** What a command does, with the server's settings. Resources added to `opened` are closed in any case. @throws StartError */
export type OperatorAction<Options = undefined> = (
  options: Options,
  config: Config,
  openedStack: AsyncDisposableStack,
) => Promise<void>

/**
 * Runs an operator's command with the server's settings, including `.env`.
 * @returns the exit code: 0, 1 with one line on standard error if the operator can fix the error, or 2 for a wrong argument
 */
export async function runOperator<Options>(action: OperatorAction<Options>, options: Options): Promise<number> {
  closeInherited()
  try {
    if (existsSync('.env')) process.loadEnvFile('.env')
    await using openedStack = new AsyncDisposableStack()
    await action(options, readConfig(process.env), openedStack)
    return 0
  } catch (error) {
    const isWrong = error instanceof WrongArgument
    console.error(isWrong || error instanceof StartError ? error.message : error)
    return isWrong ? 2 : 1
  }
}
