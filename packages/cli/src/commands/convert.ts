import type { Command } from 'commander'
import type { ConvertOptions } from '../convert/convert.ts'
import { withJobs, withRecipe } from './options.ts'
import { runCommand } from './run.ts'

const EXAMPLES = `
Examples:
  pixelmill convert ./photos --width 1600 --format avif --out ./web
  pixelmill convert s3://raw/2026/ --recipe shop.json --out s3://shop/images/
  pixelmill convert ./web --quality 75 --in-place
  pixelmill convert - --format webp --out - < photo.jpg > photo.webp

Only images that have changed since the last run are converted. Exit codes: 0 all done, 1 some images failed and are named, 2 nothing was
started, 130 interrupted. docs/cli.md has the rest.`

export function convert(program: Command): void {
  const command = program
    .command('convert')
    .description('convert files, folders and buckets, without a server or a database')
    .argument('<source...>', 'files, folders, patterns, s3://bucket/prefix, or - for standard input')
    .option('-o, --out <target>', 'folder, file, s3://bucket/prefix, or - for standard output')
    .option('--in-place', 'replace the images; each is kept until its result is safe')
  withRecipe(command)
    .option('--name <template>', 'names of results, by default {dir}/{stem}{-output}.{ext}; also {source}, {output} and {id}')
    .option('--overwrite', 'replace files that Pixelmill has not written')
    .option('--dry-run', 'convert a sample, say what all would come to, and write nothing')
  withJobs(command)
    .option('--server <url>', 'send the images to this Pixelmill instead; or PIXELMILL_SERVER')
    .option('--key <key>', 'its API key; or PIXELMILL_KEY, which other users of the machine do not see')
    .option('--json', 'write a JSON line for each image to standard output')
    .option('-q, --quiet', 'show neither progress nor a summary')
    .addHelpText('after', EXAMPLES)
    .action((sources: readonly string[], options: ConvertOptions) =>
      runCommand(command, async () => (await import('../convert/convert.ts')).convert(sources, options)),
    )
}
