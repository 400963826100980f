import tab from '@bomb.sh/tab/commander'
import { VERSION } from '@pixelmill/engine/version'
import { Command } from 'commander'
import { convert, optimize, removeBackground } from './convert.ts'
import { info } from './info.ts'
import { mcp } from './mcp.ts'
import { models } from './models.ts'
import { backup, move, resetPassword } from './operator.ts'
import { health, serve } from './server.ts'
import { shard } from './shard.ts'

/**
 * Every command, in the order of the help. To add one, write a function that declares it and add its row. What a command does is
 * imported when it runs: to declare all of them takes a few milliseconds.
 */
const commands: readonly ((program: Command) => void)[] = [
  serve,
  convert,
  optimize,
  removeBackground,
  info,
  models,
  shard,
  mcp,
  health,
  backup,
  move,
  resetPassword,
]

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
  program.commands
    .find((command) => command.name() === 'completions')
    ?.description('print a script with which a shell completes commands and options')
  return program
}

/** Commander writes `error: unknown option '--x'`; our own messages are sentences. */
function sentence(text: string): string {
  const [first = '', ...rest] = text.trimEnd().split('\n')
  if (!first.startsWith('error: ')) return `${text.trimEnd()}\n`
  const words = first.slice('error: '.length)
  const sentenceWithEnd = /[.)]$/.test(words) ? words : `${words}.`
  return `${[`${sentenceWithEnd.charAt(0).toUpperCase()}${sentenceWithEnd.slice(1)}`, ...rest].join('\n')}\n`
}
