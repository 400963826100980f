import { type Command, Option } from 'commander'
import type { ConvertOptions, OptimizeOptions, RemoveBackgroundOptions } from '../convert/convert.ts'
import { share, withFiles, withOptimization, withRecipe, withRun } from './options.ts'
import { runCommand } from './run.ts'

const END = `
Only images that have changed since the last run are converted. Exit codes: 0
all done, 1 some images failed and are named, 2 nothing was started, 130
interrupted. docs/cli.md has the rest.`

const CONVERT = `
Examples:
  pixelmill convert ./photos --width 1600 --format avif --out ./web
  pixelmill convert ./photos --widths 320,640,1280 --format avif,webp,jpeg \\
    --out ./web --html > pictures.html
  pixelmill convert s3://raw/2026/ --recipe shop.json --out s3://shop/images/
  pixelmill convert - --format webp --out - < photo.jpg > photo.webp
${END}`

const OPTIMIZE = `
Examples:
  pixelmill optimize ./web --in-place
  pixelmill optimize ./web --lossless --metadata all --out ./small
  pixelmill optimize 'web/**/*.png' --max-bytes 200kB --in-place

No result is larger than its source.
${END.trimStart()}`

const REMOVE_BACKGROUND = `
Examples:
  pixelmill remove-background chair.jpg --out chair.png
  pixelmill remove-background ./products --format webp --out ./cut

Without a model only plain backgrounds are told from subjects, and other images fail.
This puts a model into DATA_DIR: pixelmill models add isnet-general-use
${END.trimStart()}`

export function convert(program: Command): void {
  const command = program.command('convert').description('convert files, folders and buckets, without a server or a database')
  withRun(withRecipe(withFiles(command)))
    .option('--html', 'write a <picture> for each source to standard output')
    .option('--html-base <url>', 'what is put before its paths, such as /images/')
    .addHelpText('after', CONVERT)
    .action((sources: readonly string[], options: ConvertOptions) =>
      runCommand(command, async () => (await import('../convert/convert.ts')).convert(sources, options)),
    )
}

export function optimize(program: Command): void {
  const command = program
    .command('optimize')
    .description('make files, folders and buckets of images smaller in their own formats, never larger')
  withRun(withOptimization(withFiles(command)))
    .addHelpText('after', OPTIMIZE)
    .action((sources: readonly string[], options: OptimizeOptions) =>
      runCommand(command, async () => (await import('../convert/convert.ts')).optimize(sources, options)),
    )
}

export function removeBackground(program: Command): void {
  const command = program.command('remove-background').description('cut the subjects out of files, folders and buckets of images')
  withRun(
    withFiles(command)
      .addOption(new Option('--format <format>', 'png by default').choices(['png', 'webp']))
      .option('--min-confidence <share>', 'without a model, from 0 to 1: 0.7 by default', share),
  )
    .addHelpText('after', REMOVE_BACKGROUND)
    .action((sources: readonly string[], options: RemoveBackgroundOptions) =>
      runCommand(command, async () => (await import('../convert/convert.ts')).removeBackground(sources, options)),
    )
}
