import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Argument, Command } from 'commander'
import { pixelmill } from 'pixelmill/commands/index'
import { failures } from 'pixelmill/failure'
import { withTable } from './generated-table.ts'

const PAGE = join(import.meta.dirname, '../../docs/cli.md')

/** docs/cli.md with the lists of commands and of errors; the rest is written by hand. */
export function cliPage(): string {
  const program = pixelmill()
  const usage = commandsOf(program).map((command) => [usageOf(command), command.description()])
  const errors = Object.entries(failures).map(([code, text]) => [`\`${code}\``, `${text}.`])
  const tables = [
    ['commands', listOf(usage)],
    ['errors', listOf(errors)],
  ] as const
  return tables.reduce((page, [name, table]) => withTable(page, name, table), readFileSync(PAGE, 'utf8'))
}

/** Those that are carried out: a group is its commands. */
function commandsOf(group: Command): readonly Command[] {
  const commands = group.createHelp().visibleCommands(group)
  return commands.flatMap((command) => (command.commands.length > 0 ? commandsOf(command) : [command]))
}

function usageOf(command: Command): string {
  const names = [command.name()]
  for (let group = command.parent; group; group = group.parent) names.unshift(group.name())
  return `\`${[...names, ...command.registeredArguments.map(argumentText)].join(' ')}\``
}

const listOf = (rows: readonly (readonly string[])[]): string => rows.map((cells) => `- ${cells.join(': ')}`).join('\n')

function argumentText(argument: Argument): string {
  const text = `${argument.name().toUpperCase()}${argument.variadic ? '…' : ''}`
  return argument.required ? text : `[${text}]`
}
