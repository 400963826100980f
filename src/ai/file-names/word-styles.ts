const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

/** How the words of a file's name are joined. */
export const wordStyles = {
  kebab: (words) => words.join('-'),
  snake: (words) => words.join('_'),
  camel: ([first = '', ...others]) => first + others.map(capitalised).join(''),
  pascal: (words) => words.map(capitalised).join(''),
  title: (words) => words.map(capitalised).join(' '),
  lower: (words) => words.join(''),
} as const satisfies Record<string, (words: readonly string[]) => string>

/** Other names that people send for them. */
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
