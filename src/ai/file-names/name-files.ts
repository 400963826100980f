import { type WordStyle, wordStyles } from './word-styles.ts'
import { saySomething, wordsOf } from './words-of.ts'

export interface NamingRules {
  readonly prefix?: string | undefined
  readonly includeSequence: boolean
  readonly style: WordStyle
}

/** What is known of a file that is to be named. */
export interface Nameable {
  /** What it shows, the best first. */
  readonly subjects: readonly [string, ...string[]]
  readonly originalName: string
  /** Without its dot. */
  readonly extension: string
  /** Counted from 1, and of how many. */
  readonly place: number
  readonly total: number
}

export interface FileNames {
  readonly newName: string
  /** Each may be taken instead of any other name of the request, and none becomes equal to another. */
  readonly alternatives: readonly string[]
}

/** Device names of Windows. No name here has a dot but the one of its extension, or a superscript. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)$/i
const LONGEST_STEM = 80
const FEWEST_DIGITS = 2
const NAMELESS = ['image']

/**
 * Names that Windows, macOS and Linux take: a-z, A-Z, 0-9 and what the style puts between words, and one dot. No two are equal,
 * whatever their case.
 */
export function nameFiles(files: readonly Nameable[], rules: NamingRules): readonly FileNames[] {
  const taken = new Set<string>()
  // First what is offered first: an alternative takes no other file's name away.
  const newNames = files.map((file) => claim(taken, file, bestWords(file), rules))
  return files.map((file, nth) => {
    const [, ...further] = usable(file)
    return { newName: newNames[nth] ?? '', alternatives: further.map((words) => claim(taken, file, words, rules)) }
  })
}

const bestWords = (file: Nameable): readonly string[] => usable(file)[0] ?? originalWords(file)

/** The subjects of which words are left, each once. */
function usable({ subjects }: Nameable): readonly (readonly string[])[] {
  const words = subjects.map(wordsOf).filter(saySomething)
  return [...new Map(words.map((each) => [each.join(' '), each])).values()]
}

function originalWords({ originalName }: Nameable): readonly string[] {
  const words = wordsOf(originalName.replace(/\.[^.]*$/, ''))
  return saySomething(words) ? words : NAMELESS
}

function claim(taken: Set<string>, { place, total, extension }: Nameable, words: readonly string[], rules: NamingRules): string {
  const { prefix = '', includeSequence, style } = rules
  const digits = Math.max(FEWEST_DIGITS, String(total).length)
  const sequence = includeSequence ? [String(place).padStart(digits, '0')] : []
  for (let copy = 1; ; copy++) {
    const name = `${stemOf([...wordsOf(prefix), ...words], [...sequence, ...(copy > 1 ? [String(copy)] : [])], style)}.${extension}`
    if (taken.has(name.toLowerCase())) continue
    taken.add(name.toLowerCase())
    return name
  }
}

/** Words are left out from behind until the numbers have room. */
function stemOf(words: readonly string[], numbers: readonly string[], style: WordStyle): string {
  const join = (kept: readonly string[]): string => wordStyles[style]([...kept, ...numbers])
  let kept = words
  while (kept.length > 1 && join(kept).length > LONGEST_STEM) kept = kept.slice(0, -1)
  const excess = Math.max(0, join(kept).length - LONGEST_STEM)
  const stem = join(kept.map((word) => word.slice(0, word.length - excess)))
  return DEVICE.test(stem) ? join(['image', ...kept]) : stem
}
