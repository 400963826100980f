import type { Command } from 'commander'
import { withServer } from './server-package.ts'

interface ServeOptions {
  readonly port?: string
  readonly host?: string
  readonly data?: string
}

export function serve(program: Command): void {
  program
    .command('serve')
    .description('run the server, as npm start does')
    .option('--port <n>', 'PORT: where it listens; 3000 by default, 0 takes a free one')
    .option('--host <address>', 'HOST: 0.0.0.0 for every interface; by default only this machine')
    .option('--data <folder>', 'DATA_DIR: where it keeps its data; ./data by default')
    .addHelpText(
      'after',
      '\nAll other settings are environment variables, or lines of the file .env in the working directory; docs/configuration.md lists them.',
    )
    .action(async ({ port, host, data }: ServeOptions) => {
      const { presetEnvironment } = await import('../environment.ts')
      presetEnvironment({ PORT: port, HOST: host, DATA_DIR: data })
      await withServer((commands) => commands.serve())
    })
}

export function health(program: Command): void {
  program
    .command('health')
    .description('ask the server of these settings on this machine whether it is ready: exit code 0 if so, else 1')
    .action(() => withServer((commands) => commands.health()))
}
