/** Of numbers and dates: the browser's languages in their order. Words of the pages stay English. */
export const locale: readonly string[] = navigator.languages
