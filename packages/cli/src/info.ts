import { acceptedFormat } from '@pixelmill/codecs'
import { ApiError } from '@pixelmill/codecs/contract/api-error'
import type { Pool } from '@pixelmill/engine/rendering/pool'
import { type ImageInfo, type InfoField, infoFields } from '@pixelmill/engine/tasks/info'
import { InvalidArgumentError } from 'commander'
import { openPool } from './engine/pool.ts'
import { readEnvironment } from './environment.ts'
import { EXIT, untilInterrupted } from './exit.ts'
import { type ImageError, imageError } from './failure.ts'
import type { Listed } from './files/source.ts'
import { sourcesOf } from './files/sources-of.ts'
import { nameText } from './format.ts'

interface InfoOptions {
  readonly fields?: string
  readonly json?: boolean
}

/**
 * `pixelmill info`: what images are and carry.
 * @returns the exit code
 * @throws InvalidArgumentError, StartError
 */
export async function info(asked: readonly string[], { fields, json = false }: InfoOptions): Promise<number> {
  const wanted = fieldsOf(fields)
  const environment = readEnvironment()
  using interrupt = untilInterrupted()
  await using opened = new AsyncDisposableStack()
  const sources = await Promise.all(asked.map((each) => sourcesOf(each, environment, opened)))
  const { pool, close } = await openPool(environment.rendering, 1, (text) => console.error(text))
  opened.defer(close)
  let failed = false
  for (const each of sources)
    for await (const source of each.list()) {
      if (interrupt.signal.aborted) return EXIT.interrupted
      const found = await inspect(source, pool, wanted, environment.rendering.HEIC, interrupt.signal)
      if (found === undefined) return EXIT.interrupted
      failed ||= 'error' in found
      if (json) console.log(JSON.stringify({ source: source.name, ...found }))
      else if ('error' in found) console.error(`${nameText(source.name)}: ${nameText(found.error.message)}`)
      else console.log([nameText(source.name), ...linesOf(found.info)].join('\n'))
    }
  return failed ? EXIT.someFailed : EXIT.done
}

/** Places are personal data: they are shown only where they are asked for. */
function fieldsOf(list: string | undefined): InfoField[] {
  if (list === undefined) return infoFields.filter((name) => name !== 'exif.gps')
  return list.split(',').map((text) => {
    const field = infoFields.find((name) => name === text.trim())
    if (field === undefined) throw new InvalidArgumentError(`--fields: ${text} is none of ${infoFields.join(', ')}.`)
    return field
  })
}

/** Undefined if it was interrupted. */
async function inspect(
  source: Listed,
  pool: Pool,
  fields: InfoField[],
  heic: 'on' | 'off',
  signal: AbortSignal,
): Promise<{ readonly info: ImageInfo } | { readonly error: ImageError } | undefined> {
  try {
    if ('failure' in source) throw source.failure
    const bytes = await source.read()
    if (!acceptedFormat([bytes], heic)) throw new ApiError('invalid_image_type')
    const { report } = await pool.run('info', { fields }, [[bytes]], signal, 'background')
    return { info: report }
  } catch (thrown) {
    const error = imageError(thrown)
    if (error) return { error }
    if (!signal.aborted) throw thrown
    return undefined
  }
}

const NAME_COLUMNS = 20

/** A line for each field; EXIF and IPTC have one for each of theirs. */
function linesOf(facts: ImageInfo): readonly string[] {
  return Object.entries(facts).flatMap(([name, value]) => {
    const isGroup = (name === 'exif' || name === 'iptc') && typeof value === 'object' && value !== null
    const rows = isGroup ? Object.entries(value) : [[name, value] as const]
    return rows.map(([key, each]) => `  ${key.padEnd(NAME_COLUMNS)} ${nameText(textOf(each))}`)
  })
}

function textOf(value: unknown): string {
  if (value === null) return 'none'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.join(', ')
  if (typeof value !== 'object') return String(value)
  return Object.entries(value)
    .map(([key, each]) => (key === 'name' || key === 'kind' ? String(each) : `${key} ${each}`))
    .join(', ')
}
