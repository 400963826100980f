/** The languages of numbers and dates: the browser's, in their order. Words of the pages stay English. */
export const locale: readonly string[] = navigator.languages

/** Writes numbers as the user does. A browser takes milliseconds to make a format: each is made when it is first needed. */
export function numberFormat(options: Intl.NumberFormatOptions): (value: number) => string {
  let format: Intl.NumberFormat | undefined
  return (value) => {
    format ??= new Intl.NumberFormat(locale, options)
    return format.format(value)
  }
}

/** Writes instants, which are ISO 8601, as the user does; each format is made when it is first needed. */
export function dateFormat(options: Intl.DateTimeFormatOptions): (at: string) => string {
  let format: Intl.DateTimeFormat | undefined
  return (at) => {
    format ??= new Intl.DateTimeFormat(locale, options)
    return format.format(new Date(at))
  }
}
