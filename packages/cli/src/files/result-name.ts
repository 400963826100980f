import { InvalidArgumentError } from 'commander'
import { ImageFailure } from '../failure.ts'

/** What the name of a result can be made of. */
export interface NameParts {
  /** The path of the source, divided by `/`. */
  readonly path: string
  /** The output's name. */
  readonly output: string
  /** Whether the recipe has several outputs. */
  readonly several: boolean
  /** The extension of the result's format. */
  readonly extension: string
  /** SHA-256 of the source's content and all that was done; empty while the content is not known. */
  readonly id: string
}

const placeholders = {
  dir: ({ path }) => path.slice(0, Math.max(0, path.lastIndexOf('/'))),
  stem: ({ path }) => fileOf(path).replace(/(?<=.)\.[^.]*$/s, ''),
  source: ({ path }) => /(?<=.)\.([^.]*)$/s.exec(fileOf(path))?.[1]?.toLowerCase() ?? '',
  output: ({ output }) => output,
  '-output': ({ output, several }) => (several ? `-${output}` : ''),
  ext: ({ extension }) => extension,
  id: ({ id }) => id,
} as const satisfies Readonly<Record<string, (parts: NameParts) => string>>

const fileOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** The placeholders that a template may have, for the help. */
export const placeholderNames: readonly string[] = Object.keys(placeholders)

export const DEFAULT_NAME = '{dir}/{stem}{-output}.{ext}'

/** A template that was read. */
export interface ResultName {
  /** The path of a result below the target. @throws ImageFailure if it leads out of it */
  of(parts: NameParts): string
  /** Whether it depends on the content of the source. */
  readonly hasId: boolean
}

const PLACEHOLDER = /\{([^{}]*)\}/g

/**
 * Reads a template such as `{dir}/{stem}.{ext}`.
 * @param several whether the recipe has several outputs, whose names must differ
 * @throws InvalidArgumentError
 */
export function resultName(template: string, several: boolean): ResultName {
  const names = [...template.matchAll(PLACEHOLDER)].map(([, name = '']) => name)
  const unknownName = names.find((name) => !(name in placeholders))
  if (unknownName !== undefined)
    throw new InvalidArgumentError(
      `{${unknownName}} is not known: use ${placeholderNames.map((name) => `{${name}}`).join(', ')}.`,
    )
  if (!names.includes('ext')) throw new InvalidArgumentError('A name needs {ext}, the extension of the format.')
  if (several && !['output', '-output', 'id'].some((name) => names.includes(name)))
    throw new InvalidArgumentError('The recipe has several outputs: a name needs {output}, {-output} or {id}.')
  const of = (parts: NameParts): string => {
    const resultPath = template.replaceAll(PLACEHOLDER, (_, name: keyof typeof placeholders) => placeholders[name](parts))
    const segments = resultPath.split('/').filter((segment) => segment !== '' && segment !== '.')
    if (segments.includes('..') || resultPath.includes('\0') || resultPath.includes('\ufffd'))
      throw new ImageFailure('invalid_name')
    return segments.join('/')
  }
  return { of, hasId: names.includes('id') }
}
