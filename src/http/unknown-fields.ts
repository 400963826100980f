/** Of an answer to a form: the fields that were ignored because nothing here has their name. */
export const UNKNOWN_FIELDS = 'X-Unknown-Fields'

export const unknownFieldsText =
  'Only where the request has fields that are not known here and were ignored: their names, such as qualtiy. At most 8, of 40 characters each; a character other than letters, digits, "_", "-", "." and "[]" is shown as "?".'

const [MOST_NAMES, LONGEST_NAME] = [8, 40]
const UNSAFE = /[^\w.[\]-]/g

/** The header's value; undefined where all fields are known. */
export function unknownFields(names: Iterable<string>): string | undefined {
  const shown = [...names].slice(0, MOST_NAMES).map((name) => name.slice(0, LONGEST_NAME).replaceAll(UNSAFE, '?'))
  return shown.length > 0 ? shown.join(', ') : undefined
}
