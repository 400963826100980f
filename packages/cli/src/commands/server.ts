import type { Command } from 'commander'
import { withServer } from './server-package.ts'

export function serve(program: Command): void {
  program
    .command('serve')
    .description('run the server, as npm start does')
    .addHelpText(
      'after',
      '\nSettings are environment variables, or lines of the file .env in the working directory; docs/configuration.md lists them.',
    )
    .action(() => withServer((commands) => commands.serve()))
}

export function health(program: Command): void {
  program
    .command('health')
    .description('ask the server of these settings on this machine whether it is ready: exit code 0 if so, else 1')
    .action(() => withServer((commands) => commands.health()))
}
