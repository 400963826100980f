import tab from '@bomb.sh/tab/commander'
import { Command, CommanderError } from 'commander'
import { VERSION } from '../version.ts'
import { commands } from './commands/index.ts'
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

/** The command line as it is declared: its commands, their arguments and options. */
export function pixelmill(): Command {
  const program = new Command('pixelmill')
    .description('Converts, compresses and edits images: as a server, or files and folders at the command line.')
    .version(VERSION, '-v, --version', 'print the release')
    .helpOption('-h, --help', 'print this text')
    .helpCommand(false)
    .addHelpText('after', '\nWithout a command the server starts. docs/cli.md explains the commands, with examples.')
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(sentence(text)) })
  for (const declare of commands) declare(program)
  tab(program, { completionCommandName: 'completions' })
  return program
}

/** Commander writes `error: unknown option '--x'`. */
function sentence(text: string): string {
  const [first = '', ...rest] = text
    .trimEnd()
    .replace(/^error: /, '')
    .split('\n')
  const ended = /[.)]$/.test(first) ? first : `${first}.`
  return `${[`${ended.charAt(0).toUpperCase()}${ended.slice(1)}`, ...rest].join('\n')}\n`
}
