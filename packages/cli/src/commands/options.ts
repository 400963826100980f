import { limits } from '@pixelmill/codecs/contract/limits'
import { formatAliases, writtenFormats } from '@pixelmill/codecs/image-formats'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { placeholderNames } from '../files/result-name.ts'

const aliasesOf = (name: string) => [...formatAliases].filter(([, format]) => format === name).map(([alias]) => alias)

/** Values of options that a shell completes. `packages/cli/test/options.unit.test.ts` compares them with the recipe's. */
export const CHOICES = {
  fit: ['inside', 'outside', 'cover', 'contain', 'fill'],
  format: ['same', 'auto', 'best', ...writtenFormats.flatMap((name) => [name, ...aliasesOf(name)])],
  metadata: ['none', 'copyright', 'all', 'all+gps'],
  effort: ['fast', 'balanced', 'small'],
} as const

const WIDTHS = 'several widths, such as 320,640,1280: an image for each'

/** Declares the options that say what is done to an image. */
export const withRecipe = (command: Command): Command =>
  command
    .option('--width <pixels>', 'width of the box that the image is fitted into')
    .option('--height <pixels>', 'height of the box; one side is enough')
    .option('--widths <list>', WIDTHS)
    .addOption(new Option('--fit <fit>', 'how it is fitted into the box: inside by default').choices(CHOICES.fit))
    .option('--gravity <place>', 'with --fit cover, which part is kept: center, a compass point, subject, or x,y from 0 to 1')
    .option('--enlarge', 'make images larger that are smaller than asked')
    .addOption(formatOption())
    .option('--quality <1-100>', 'looks alike in every format')
    .option('--visual-quality <score>', 'the SSIMULACRA2 score to reach, instead of a quality')
    .option('--max-bytes <bytes>', 'the best quality that fits; 200kB is 200000', byteCount)
    .addOption(
      new Option('--effort <effort>', 'CPU that may be spent on fewer bytes: balanced by default').choices(CHOICES.effort),
    )
    .addOption(metadataOption())
    .option('--recipe <file>', 'a recipe as JSON, instead of the options above: docs/recipes.md')
    .option('--preset <name|file>', 'favicon, or a file with a preset as GET /api/user/presets has it')

/** Declares what optimizing takes. */
export const withOptimization = (command: Command): Command =>
  command
    .option('--quality <1-100>', `looks alike in every format: ${limits.quality.default} by default`)
    .option('--lossless', 'change no pixel')
    .option('--visual-quality <score>', 'the SSIMULACRA2 score to reach, instead of a quality')
    .option('--max-bytes <bytes>', 'the best quality that fits; 200kB is 200000', byteCount)
    .addOption(metadataOption())

const metadataOption = () => new Option('--metadata <which>', 'what is kept: none by default').choices(CHOICES.metadata)

/** A list of formats; `choices` is what a shell completes, and the help shows. */
function formatOption(): Option {
  const option = new Option('--format <formats>', 'format of the result, or several: avif,webp,jpeg; same by default')
  return option.choices(CHOICES.format).argParser((text: string) => {
    const unknownName = text.split(',').find((name) => !(CHOICES.format as readonly string[]).includes(name.trim()))
    if (unknownName !== undefined) throw new InvalidArgumentError(`Allowed choices are ${CHOICES.format.join(', ')}.`)
    return text
  })
}

/** Declares where images come from and go to: the same for all commands that work on many. */
export const withFiles = (command: Command): Command =>
  command
    .argument('<source...>', 'files, folders, patterns, s3://bucket/prefix, or - for standard input')
    .option('-o, --out <target>', 'folder, file, s3://bucket/prefix, or - for standard output')
    .option('--in-place', 'replace the images; each is kept until its result is safe')

/** Declares how a run goes, and what it says. */
export const withRun = (command: Command): Command =>
  withJobs(
    command
      .option('--name <template>', `names of results, such as {dir}/{stem}-{width}.{ext}; all: ${placeholderText}`)
      .option('--overwrite', 'replace files that Pixelmill has not written')
      .option('--keep-times', 'give results the time of the last change of their sources')
      .option('--prune', 'remove results whose sources are gone, unless they were changed')
      .option('--watch', 'go on, and convert what changes; Ctrl-C ends it')
      .option('--dry-run', 'convert a sample, say what all would come to, and write nothing'),
  )
    .option('--max-cpu <percent>', 'of all processors of this machine, which then pause', wholeNumber(1, 100))
    .option('--server <url>', 'send the images to this Pixelmill instead; or PIXELMILL_SERVER')
    .option('--key <key>', 'its API key; or PIXELMILL_KEY, which other users of the machine do not see')
    .option('--json', 'write a JSON line for each image to standard output')
    .addOption(new Option('--sort <order>', 'saved: lines at the end, what saved most first').choices(['saved']))
    .option('-q, --quiet', 'show neither progress nor a summary')

const placeholderText = placeholderNames.map((name) => `{${name}}`).join(' ')

export const withJobs = (command: Command): Command =>
  command.option('--jobs <n>', 'images at once; by default one for each core', wholeNumber(1, 256))

const UNITS: Readonly<Record<string, number>> = { '': 1, k: 1e3, m: 1e6, g: 1e9 }

/** Bytes as digits, of a number that may have a decimal unit, in whatever case; what is no such number is refused where it is used. */
export function byteCount(text: string): string {
  const [, number = '', unit = ''] = /^(\d{1,12}(?:\.\d{1,3})?) ?([kmg]?)b?$/i.exec(text.trim()) ?? []
  return number === '' ? text : String(Math.round(Number(number) * (UNITS[unit.toLowerCase()] ?? 1)))
}

/** A parser of a whole number. */
export const wholeNumber =
  (min: number, max: number) =>
  (text: string): number => {
    if (!/^\d{1,15}$/.test(text) || Number(text) < min || Number(text) > max)
      throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`)
    return Number(text)
  }

/** A number from 0 to 1. */
export function share(text: string): number {
  if (!/^(0|1|0?\.\d{1,6}|1\.0{1,6})$/.test(text)) throw new InvalidArgumentError('It must be a number from 0 to 1.')
  return Number(text)
}
