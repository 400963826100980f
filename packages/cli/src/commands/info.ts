import type { Command } from 'commander'
import { runCommand } from './run.ts'

export function info(program: Command): void {
  const command = program
    .command('info')
    .description('say what images are and carry: format, size, colours, metadata, HDR, provenance')
    .argument('<file...>', 'files, folders, patterns, s3://bucket/prefix, or - for standard input')
    .option('--fields <list>', 'only these, divided by commas: docs/metadata.md has the list')
    .option('--json', 'a JSON line for each image')
    .action((files: readonly string[], options: { readonly fields?: string; readonly json?: boolean }) =>
      runCommand(command, async () => (await import('../info.ts')).info(files, options)),
    )
}
