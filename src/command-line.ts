import { parseArgs } from 'node:util'
import { VERSION } from './version.ts'

export type CommandLine =
  | { readonly run: 'server' | 'health' }
  /** Text that was asked for: standard output, exit code 0. */
  | { readonly print: string }
  /** A wrong call: standard error, exit code 2. Nothing is started. */
  | { readonly fault: string }

const USAGE = `Usage: node bin/pixelmill.mjs [health] [--help | --version]
       npm start

Without an argument, the server starts. Settings are environment variables, or lines of the file .env in the working
directory; docs/configuration.md lists them.

  health      ask the server of these settings on this machine whether it is ready: exit code 0 if so, else 1
  --help      print this text
  --version   print the release`

/** What the arguments of bin/pixelmill.mjs ask for. */
export function readCommandLine(args: readonly string[]): CommandLine {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { help: { type: 'boolean', short: 'h' }, version: { type: 'boolean', short: 'v' } },
    })
    if (values.help) return { print: USAGE }
    if (values.version) return { print: VERSION }
    const [command, ...rest] = positionals
    if (command === undefined) return { run: 'server' }
    if (command === 'health' && rest.length === 0) return { run: 'health' }
    return { fault: `Unknown argument: ${command === 'health' ? rest.join(' ') : command}\n${USAGE}` }
  } catch (error) {
    // parseArgs throws for an option that it does not know, and says which.
    return { fault: `${(error as Error).message}\n${USAGE}` }
  }
}
