const EXTENSION = /[^.](\.[^./\s]{1,10})$/

/** The extension with its full stop, such as ".jpeg"; empty where there is none. */
export const extensionOf = (name: string): string => EXTENSION.exec(name)?.[1] ?? ''

/** The name without its extension. */
export const stemOf = (name: string): string => name.slice(0, name.length - extensionOf(name).length)

/** `mug-no-background.png`, of `mug.jpg` and `no-background.png`: among downloads a result is found beside its source. */
export const resultName = (source: string, result: string): string => `${stemOf(source)}-${result}`

/** A name of at most so many characters; what is left out is the end of the stem: "a-very-long-na….jpeg". */
export function shortName(name: string, most: number): string {
  if (name.length <= most) return name
  const extension = extensionOf(name)
  return `${name.slice(0, most - 1 - extension.length)}…${extension}`
}
