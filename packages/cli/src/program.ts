import { CommanderError } from 'commander'
import { pixelmill } from './commands/index.ts'
import { EXIT } from './exit.ts'

/**
 * Runs the command that the arguments name, `serve` if there are none, and sets the exit code. Arguments that are not known start
 * nothing.
 * @param args without the program's own name
 */
export async function runProgram(args: readonly string[]): Promise<void> {
  const program = pixelmill()
  try {
    await program.parseAsync(args.length === 0 ? ['serve'] : [...args], { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    // Commander has printed the help, or what is wrong.
    process.exitCode = error.exitCode === 0 ? EXIT.done : EXIT.usage
  }
}
