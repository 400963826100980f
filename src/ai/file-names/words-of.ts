import slugify from '@sindresorhus/slugify'

const LONGEST = 300
const MOST_WORDS = 10

/** The words of a text in a-z and 0-9, the only characters that every system takes and shows alike. Of Chinese, Japanese and Korean nothing is left. */
export const wordsOf = (text: string): readonly string[] =>
  slugify(text.normalize('NFC').slice(0, LONGEST)).split('-').filter(Boolean).slice(0, MOST_WORDS)

/** Whether the words say something, other than `p1000123` does. */
export const saySomething = (words: readonly string[]): boolean => words.some((word) => /[a-z]{2}/.test(word))
