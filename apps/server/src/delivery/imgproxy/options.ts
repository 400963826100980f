import { faultOf, type OptionRow, type Refuse } from './option.ts'
import { fileOptions } from './options/file.ts'
import { lookOptions } from './options/look.ts'
import { partOptions } from './options/part.ts'
import { sizeOptions } from './options/size.ts'
import type { ImgproxyOptions } from './requested.ts'

/** Its names are those of other options, so it is no row with the others. */
const preset = {
  names: ['preset', 'pr'],
  does: 'Of `IMGPROXY_PRESETS`, any number of them.',
} as const satisfies Pick<OptionRow, 'names' | 'does'>

const rows: readonly OptionRow[] = [...sizeOptions, ...partOptions, ...lookOptions, ...fileOptions]

/** All options of imgproxy's open-source edition, for docs/imgproxy.md and its test. */
export const imgproxyOptions: readonly Pick<OptionRow, 'names' | 'does'>[] = [...rows, preset]

const byName: ReadonlyMap<string, OptionRow> = new Map(rows.flatMap((row) => row.names.map((name) => [name, row])))

type Presets = ReadonlyMap<string, readonly string[]>

/**
 * What is asked for, with the options added in their order: `rs:fill:300:200`.
 * @throws ApiError invalid_params with the name of an option that is faulty, unknown or refused
 */
export function withOptions(
  defaults: ImgproxyOptions,
  options: readonly string[],
  presets: Presets,
  within: readonly string[] = [],
): ImgproxyOptions {
  let askedOptions = defaults
  for (const option of options) {
    const [name = '', ...args] = option.split(':')
    const refuse: Refuse = (message) => faultOf(name, message)
    if (name === 'preset' || name === 'pr') {
      askedOptions = withPresets(askedOptions, args, presets, within, refuse)
      continue
    }
    const row = byName.get(name)
    if (!row) throw refuse('Is no option of imgproxy’s open-source edition: docs/imgproxy.md lists them.')
    askedOptions = { ...askedOptions, ...row.read(args, refuse, askedOptions) }
  }
  return askedOptions
}

function withPresets(
  requestedOptions: ImgproxyOptions,
  names: readonly string[],
  presets: Presets,
  within: readonly string[],
  refuse: Refuse,
): ImgproxyOptions {
  return names.reduce((before, name) => {
    const options = presets.get(name)
    if (!options) throw refuse(`There is no preset "${name.slice(0, 40)}" in IMGPROXY_PRESETS.`)
    // imgproxy ignores a preset inside itself too.
    return within.includes(name) ? before : withOptions(before, options, presets, [...within, name])
  }, requestedOptions)
}
