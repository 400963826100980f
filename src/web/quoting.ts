const PLAIN = /^[\w@%+=:,./-]+$/

/** For a shell: what is not plain stands between single quotes. */
export const forShell = (text: string): string => (PLAIN.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`)

/** For curl's -F, in which `;` and `,` end a file's name unless it is quoted. */
export const forCurlForm = (name: string): string =>
  PLAIN.test(name) && !/[,]/.test(name) ? name : `"${name.replaceAll(/["\\]/g, '\\$&')}"`

/** As a literal of JavaScript. */
export const forScript = (text: string): string => `'${text.replaceAll(/['\\]/g, '\\$&').replaceAll('\n', '\\n')}'`

/** As a file that a shell reads: a name may begin with a dash. */
export const forShellFile = (name: string): string => forShell(name.startsWith('-') ? `./${name}` : name)
