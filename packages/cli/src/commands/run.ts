import { StartError } from '@pixelmill/codecs/contract/start-error'
import { type Command, InvalidArgumentError } from 'commander'
import { RunFailure } from '../failure.ts'

/**
 * Runs a command that gives its own exit code. What an argument or the environment has wrong is one line, and exit code 2; anything
 * else that is thrown is a bug, and printed with its stack.
 */
export async function runCommand(command: Command, run: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await run()
  } catch (error) {
    if (error instanceof InvalidArgumentError || error instanceof StartError || error instanceof RunFailure)
      command.error(error.message, { exitCode: 2 })
    throw error
  }
}
