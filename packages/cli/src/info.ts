import type { Pixelmill } from '@pixelmill/engine/library/calls'
import type { ImageInfo, InfoField } from '@pixelmill/engine/library/types'
import { infoFields } from '@pixelmill/engine/tasks/info'
import { InvalidArgumentError } from 'commander'
import { openLocalMill } from './engine/local.ts'
import { readEnvironment } from './environment.ts'
import { EXIT, untilInterrupted } from './exit.ts'
import { imageError, type ReportedError } from './failure.ts'
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
export async function info(places: readonly string[], { fields, json = false }: InfoOptions): Promise<number> {
  const askedFields = fieldsOf(fields)
  const environment = readEnvironment()
  using interrupt = untilInterrupted()
  await using resources = new AsyncDisposableStack()
  const sources = await Promise.all(places.map((each) => sourcesOf(each, environment, resources)))
  const mill = resources.use(await openLocalMill(environment.rendering, 1, (text) => console.error(text)))
  let hasFailed = false
  for (const each of sources)
    for await (const source of each.list()) {
      if (interrupt.signal.aborted) return EXIT.interrupted
      const verdict = await inspect(source, mill, askedFields, interrupt.signal)
      if (verdict === undefined) return EXIT.interrupted
      hasFailed ||= 'error' in verdict
      if (json) console.log(JSON.stringify({ source: source.name, ...verdict }))
      else if ('error' in verdict) console.error(`${nameText(source.name)}: ${nameText(verdict.error.message)}`)
      else console.log([nameText(source.name), ...linesOf(verdict.info)].join('\n'))
    }
  return hasFailed ? EXIT.someFailed : EXIT.done
}

/** @throws InvalidArgumentError */
function fieldsOf(list: string | undefined): readonly InfoField[] | undefined {
  if (list === undefined) return undefined
  return list.split(',').map((text) => {
    const field = infoFields.find((name) => name === text.trim())
    if (field === undefined) throw new InvalidArgumentError(`--fields: ${text} is none of ${infoFields.join(', ')}.`)
    return field
  })
}

/** The facts; undefined if the command was interrupted. */
async function inspect(
  source: Listed,
  mill: Pixelmill,
  fields: readonly InfoField[] | undefined,
  signal: AbortSignal,
): Promise<{ readonly info: ImageInfo } | { readonly error: ReportedError } | undefined> {
  try {
    if ('failure' in source) throw source.failure
    return { info: await mill.info(await source.read(), { fields, signal }) }
  } catch (cause) {
    const error = imageError(cause)
    if (error) return { error }
    if (!signal.aborted) throw cause
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
