import type { Command } from 'commander'
import type { ShardOptions } from '../shard/shard.ts'
import { wholeNumber, withJobs, withRecipe } from './options.ts'
import { runCommand } from './run.ts'

const EXAMPLES = `
Examples:
  pixelmill shard --manifest s3://lists/photos.parquet --index 3 --of 1000 --recipe shop.json --out s3://shop/images/
  pixelmill shard --stdio --recipe shop.json

A bad image is a line of the verdicts, and no failure of the shard. docs/scale-out.md has the rest.`

export function shard(program: Command): void {
  const command = program
    .command('shard')
    .description("convert one part of a list of keys, or images from an engine's pipe; for Kubernetes, Ray, Spark and the like")
    .option('--manifest <uri>', 'list of keys: JSON lines or Parquet, a file or s3://bucket/key')
    .option('--index <i>', 'which part, from 0', wholeNumber(0, 1e9))
    .option('--of <n>', 'number of parts', wholeNumber(1, 1e9))
    .option('--column <name>', 'field or column of the keys', 'key')
    .option('--out <uri>', 'folder or s3://bucket/prefix of the results')
    .option('--name <template>', 'names of results: {id}.{ext} by default, as with pixelmill convert')
    .option('--verdicts <uri>', 'folder or s3://bucket/prefix of the verdicts, one file for each part; by default below --out')
    .option('--stdio', 'convert framed images from standard input to standard output instead')
  withJobs(withRecipe(command))
    .addHelpText('after', EXAMPLES)
    .action((options: ShardOptions) => runCommand(command, async () => (await import('../shard/shard.ts')).shard(options)))
}
