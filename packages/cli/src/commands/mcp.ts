import type { Command } from 'commander'
import { runCommand } from './run.ts'

export function mcp(program: Command): void {
  const command = program
    .command('mcp')
    .description('give an agent tools for the images of a folder, by the Model Context Protocol on standard input and output')
    .option('--root <folder>', 'the agent sees only files below it', '.')
    .addHelpText('after', '\nA server has the same tools at POST /mcp. docs/mcp.md says how agents are told of them.')
    .action((options: { readonly root: string }) => runCommand(command, async () => (await import('../mcp/mcp.ts')).mcp(options)))
}
