import type { Codec } from '@pixelmill/codecs/codec'
import slugify from '@sindresorhus/slugify'

export interface NamingRules {
  readonly prefix?: string | undefined
  readonly includeSequence: boolean
  readonly style: WordStyle
}

/** A file that is to be named. */
export interface Nameable {
  /** Place in the request, from 0. */
  readonly index: number
  /** What it shows, and alternatives, the best first. */
  readonly subject: string
  readonly alternatives: readonly string[]
  readonly originalName: string
  /** Without its dot. */
  readonly extension: string
}

export interface FileNames {
  readonly newName: string
  /** Unique too, so that each can replace the new name. */
  readonly alternatives: readonly string[]
}

/** Device names of Windows. No name here has a dot but the one of its extension, or a superscript. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)$/i
const LONGEST_STEM = 80
const FEWEST_DIGITS = 2
const NAMELESS = ['image']

/**
 * Names that are valid on Windows, macOS and Linux: a-z, A-Z, 0-9, the separators of the style, and one dot. No two are equal,
 * ignoring case.
 * @param total images of the request, including those that are not named
 */
export function nameFiles<File extends Nameable>(
  files: readonly File[],
  total: number,
  rules: NamingRules,
): readonly (Omit<File, 'subject' | 'alternatives'> & FileNames)[] {
  const takenTexts = new Set<string>()
  const claim = (file: File, words: readonly string[]) => claimName(takenTexts, file, words, { total, ...rules })
  // All first names before any alternative, which must not take another file's name.
  return files
    .map((file) => ({ file, newName: claim(file, bestWords(file)) }))
    .map(({ file, newName }) => {
      const { subject, alternatives, ...known } = file
      return {
        ...known,
        newName,
        alternatives: usable(file)
          .slice(1)
          .map((words) => claim(file, words)),
      }
    })
}

const bestWords = (file: Nameable): readonly string[] => usable(file)[0] ?? originalWords(file)

/** The distinct subjects that contain usable words. */
function usable({ subject, alternatives }: Nameable): readonly (readonly string[])[] {
  const words = [subject, ...alternatives].map(wordsOf).filter(saySomething)
  return [...new Map(words.map((each) => [each.join(' '), each])).values()]
}

function originalWords({ originalName }: Nameable): readonly string[] {
  const words = wordsOf(originalName.replace(/\.[^.]*$/, ''))
  return saySomething(words) ? words : NAMELESS
}

function claimName(
  takenTexts: Set<string>,
  { index, extension }: Nameable,
  words: readonly string[],
  { total, prefix = '', includeSequence, style }: NamingRules & { readonly total: number },
): string {
  const digits = Math.max(FEWEST_DIGITS, String(total).length)
  const sequence = includeSequence ? [String(index + 1).padStart(digits, '0')] : []
  const all = [...wordsOf(prefix), ...words]
  for (let copy = 1; ; copy++) {
    const numbers = copy === 1 ? sequence : [...sequence, String(copy)]
    const name = `${stemOf(all, numbers, style)}.${extension}`
    if (takenTexts.has(name.toLowerCase())) continue
    takenTexts.add(name.toLowerCase())
    return name
  }
}

/** Drops words from the end until the name is short enough. */
function stemOf(words: readonly string[], numbers: readonly string[], style: WordStyle): string {
  const join = (keptTexts: readonly string[]): string => wordStyles[style]([...keptTexts, ...numbers])
  let keptTexts = words
  while (keptTexts.length > 1 && join(keptTexts).length > LONGEST_STEM) keptTexts = keptTexts.slice(0, -1)
  const excess = Math.max(0, join(keptTexts).length - LONGEST_STEM)
  const stem = join(keptTexts.map((word) => word.slice(0, word.length - excess)))
  return DEVICE.test(stem) ? join(['image', ...keptTexts]) : stem
}

const LONGEST = 300
const MOST_WORDS = 10

/** The words of a text in a-z and 0-9, which every system accepts. Nothing is left of Chinese, Japanese and Korean. */
export const wordsOf = (text: string): readonly string[] =>
  slugify(text.normalize('NFC').slice(0, LONGEST)).split('-').filter(Boolean).slice(0, MOST_WORDS)

/** Whether the words mean something, unlike `p1000123`. */
const saySomething = (words: readonly string[]): boolean => words.some((word) => /[a-z]{2}/.test(word))

const capitaliseWord = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

/** How the words of a file's name are joined. */
const wordStyles = {
  kebab: (words) => words.join('-'),
  snake: (words) => words.join('_'),
  camel: ([first = '', ...others]) => first + others.map(capitaliseWord).join(''),
  pascal: (words) => words.map(capitaliseWord).join(''),
  title: (words) => words.map(capitaliseWord).join(' '),
  lower: (words) => words.join(''),
} as const satisfies Record<string, (words: readonly string[]) => string>

/** Aliases that callers send. */
export const wordStyleAliases: ReadonlyMap<unknown, WordStyle> = new Map<unknown, WordStyle>([
  ['kebab-case', 'kebab'],
  ['snake_case', 'snake'],
  ['camelCase', 'camel'],
  ['PascalCase', 'pascal'],
  ['title case', 'title'],
  ['lowercase', 'lower'],
])

export type WordStyle = keyof typeof wordStyles
export const wordStyleNames = Object.keys(wordStyles) as [WordStyle, ...WordStyle[]]

/** Promises an animation, and frames are not looked for: such a file is named .png. */
const ANIMATION = 'apng'

const LAST_EXTENSION = /\.([a-z0-9]{1,5})$/i

/** The original extension in lower case if it belongs to the format, else the format's own. Without the dot. */
export function extensionOf(originalName: string, { extensions, extension }: Pick<Codec, 'extensions' | 'extension'>): string {
  const saidText = LAST_EXTENSION.exec(originalName)?.[1]?.toLowerCase() ?? ''
  return extensions.includes(saidText) && saidText !== ANIMATION ? saidText : extension
}
