/** The languages of numbers and dates: the browser's, in their order. Words of the pages stay English. */
export const locale: readonly string[] = navigator.languages
