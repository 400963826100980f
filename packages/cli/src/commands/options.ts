import { formatAliases, writtenFormats } from '@pixelmill/codecs/image-formats'
import { type Command, InvalidArgumentError, Option } from 'commander'

const aliasesOf = (name: string) => [...formatAliases].filter(([, format]) => format === name).map(([alias]) => alias)

/** Values of options that a shell completes. `packages/cli/test/options.unit.test.ts` compares them with the recipe's. */
export const CHOICES = {
  fit: ['inside', 'outside', 'cover', 'contain', 'fill'],
  format: ['same', 'auto', 'best', ...writtenFormats.flatMap((name) => [name, ...aliasesOf(name)])],
  metadata: ['none', 'copyright', 'all', 'all+gps'],
} as const

/** Declares the options that say what is done to an image. */
export const withRecipe = (command: Command): Command =>
  command
    .option('--width <pixels>', 'width of the box that the image is fitted into')
    .option('--height <pixels>', 'height of the box; one side is enough')
    .addOption(new Option('--fit <fit>', 'how it is fitted into the box: inside by default').choices(CHOICES.fit))
    .option('--gravity <place>', 'with --fit cover, which part is kept: center, a compass point, subject, or x,y from 0 to 1')
    .addOption(new Option('--format <format>', 'format of the result: same by default').choices(CHOICES.format))
    .option('--quality <1-100>', 'looks alike in every format')
    .option('--visual-quality <score>', 'the SSIMULACRA2 score to reach, instead of a quality')
    .option('--max-bytes <bytes>', 'the best quality that fits')
    .addOption(new Option('--metadata <which>', 'what is kept: none by default').choices(CHOICES.metadata))
    .option('--recipe <file>', 'a recipe as JSON, instead of the options above: docs/recipes.md')
    .option('--preset <file>', 'the same, as GET /api/user/presets has it')

export const withJobs = (command: Command): Command =>
  command.option('--jobs <n>', 'images at once; by default one for each core', wholeNumber(1, 256))

/** A parser of a whole number. */
export const wholeNumber =
  (min: number, max: number) =>
  (text: string): number => {
    if (!/^\d{1,15}$/.test(text) || Number(text) < min || Number(text) > max)
      throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`)
    return Number(text)
  }
