const PLAIN = /^[\w@%+=:,./-]+$/

/** Quotes a word for a shell where needed. */
export const forShell = (text: string): string => (PLAIN.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`)

/** Quotes a file name for curl's -F, where `;` and `,` would end it. */
export const forCurlForm = (name: string): string =>
  PLAIN.test(name) && !/[,]/.test(name) ? name : `"${name.replaceAll(/["\\]/g, '\\$&')}"`

/** A string literal of JavaScript. */
export const forScript = (text: string): string => `'${text.replaceAll(/['\\]/g, '\\$&').replaceAll('\n', '\\n')}'`

/** A file name for a shell redirection; it may begin with a dash. */
export const forShellFile = (name: string): string => forShell(name.startsWith('-') ? `./${name}` : name)

/** A string literal of Python, which knows all escapes of JSON; in other quotation marks where that needs no escapes. */
export function forPython(text: string): string {
  const literal = JSON.stringify(text)
  const isPlainJson = text.includes('"') && !text.includes("'") && literal.slice(1, -1).replaceAll('\\"', '"') === text
  return isPlainJson ? `'${text}'` : literal
}
