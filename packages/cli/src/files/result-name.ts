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
  /** The format's name; empty while it is not known. */
  readonly format: string
  /** The size of the result; undefined while it is not known. */
  readonly width: number | undefined
  readonly height: number | undefined
  /** SHA-256 of the source's content and all that was done; empty while the content is not known. */
  readonly id: string
}

const placeholders = {
  dir: ({ path }) => path.slice(0, Math.max(0, path.lastIndexOf('/'))),
  stem: ({ path }) => fileOf(path).replace(/(?<=.)\.[^.]*$/s, ''),
  source: ({ path }) => /(?<=.)\.([^.]*)$/s.exec(fileOf(path))?.[1]?.toLowerCase() ?? '',
  output: ({ output }) => output,
  '-output': ({ output, several }) => (several ? `-${output}` : ''),
  width: ({ width }) => String(width ?? ''),
  height: ({ height }) => String(height ?? ''),
  format: ({ format }) => format,
  ext: ({ extension }) => extension,
  id: ({ id }) => id,
} as const satisfies Readonly<Record<string, (parts: NameParts) => string>>

const fileOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** The placeholders that a template may have, for the help. */
export const placeholderNames: readonly string[] = Object.keys(placeholders)

/** What tells the results of one image apart. */
export type Difference = 'none' | 'output' | 'width' | 'format'

/** The placeholders of which a template needs one, and names without a template. */
const differences: Readonly<
  Record<Difference, { readonly needs: readonly string[]; readonly because: string; readonly template: string }>
> = {
  none: { needs: [], because: '', template: '{dir}/{stem}.{ext}' },
  output: {
    needs: ['output', '-output', 'id'],
    because: 'The recipe has several outputs',
    template: '{dir}/{stem}{-output}.{ext}',
  },
  width: {
    needs: ['width', 'height', 'output', '-output', 'id'],
    because: 'Each image gets several widths',
    template: '{dir}/{stem}-{width}.{ext}',
  },
  format: { needs: [], because: '', template: '{dir}/{stem}.{ext}' },
}

export const defaultName = (difference: Difference): string => differences[difference].template

/** A template that was read. */
export interface ResultName {
  /** The path of a result below the target. @throws ImageFailure if it leads out of it */
  of(parts: NameParts): string
  /** Whether it depends on the content of the source. */
  readonly hasId: boolean
  /** Whether it depends on the size of the result. */
  readonly hasSize: boolean
}

const PLACEHOLDER = /\{([^{}]*)\}/g

/**
 * Reads a template such as `{dir}/{stem}.{ext}`.
 * @param difference what tells the results of one image apart, whose names must differ
 * @throws InvalidArgumentError
 */
export function resultName(template: string, difference: Difference): ResultName {
  const names = [...template.matchAll(PLACEHOLDER)].map(([, name = '']) => name)
  const unknownName = names.find((name) => !(name in placeholders))
  if (unknownName !== undefined)
    throw new InvalidArgumentError(
      `{${unknownName}} is not known: use ${placeholderNames.map((name) => `{${name}}`).join(', ')}.`,
    )
  if (!names.includes('ext')) throw new InvalidArgumentError('A name needs {ext}, the extension of the format.')
  const { needs, because } = differences[difference]
  if (needs.length > 0 && !needs.some((name) => names.includes(name)))
    throw new InvalidArgumentError(`${because}: a name needs ${orList(needs)}.`)
  const of = (parts: NameParts): string => {
    const resultPath = template.replaceAll(PLACEHOLDER, (_, name: keyof typeof placeholders) => placeholders[name](parts))
    const segments = resultPath.split('/').filter((segment) => segment !== '' && segment !== '.')
    if (segments.includes('..') || resultPath.includes('\0') || resultPath.includes('\ufffd'))
      throw new ImageFailure('invalid_name')
    return segments.join('/')
  }
  return { of, hasId: names.includes('id'), hasSize: names.includes('width') || names.includes('height') }
}

/** Such as `{output}, {-output} or {id}`. */
function orList(names: readonly string[]): string {
  const placeholderList = names.map((name) => `{${name}}`)
  return `${placeholderList.slice(0, -1).join(', ')} or ${placeholderList.at(-1)}`
}
