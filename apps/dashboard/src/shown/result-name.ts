/** The name without its extension. */
export const stemOf = (name: string): string => name.replace(/(?<=.)\.[^./]*$/, '')

/** `mug-no-background.png`, of `mug.jpg` and `no-background.png`: among downloads a result is found beside its source. */
export const resultName = (source: string, result: string): string => `${stemOf(source)}-${result}`
