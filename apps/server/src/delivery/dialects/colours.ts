import { colourNames } from './colour-names.ts'
import { valueFault } from './values.ts'

const TRANSPARENT = '#00000000'

/** A colour as #rrggbb or #rrggbbaa, from hexadecimal digits, in the order that the dialect has for those with opacity, or a name of CSS. */
export function colourOf(parameter: string, value: string, alphaAt: 'first' | 'last'): string {
  const text = value.replace(/^#/, '').toLowerCase()
  if (text === 'transparent') return TRANSPARENT
  const namedDigits = colourNames.get(text)
  if (namedDigits !== undefined) return `#${namedDigits}`
  if (!/^(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/.test(text))
    throw valueFault(parameter, value, 'must be hexadecimal digits or the name of a colour in CSS.')
  const digits = text.length <= 4 ? [...text].map((digit) => digit + digit).join('') : text
  return `#${digits.length === 8 && alphaAt === 'first' ? digits.slice(2) + digits.slice(0, 2) : digits}`
}

/** A colour that hides what is behind it, or undefined for one that shows nothing. @throws ApiError for others */
export function solidColour(parameter: string, value: string, alphaAt: 'first' | 'last'): string | undefined {
  const colour = colourOf(parameter, value, alphaAt)
  if (isClear(colour)) return undefined
  if (colour.length === 9 && !colour.endsWith('ff'))
    throw valueFault(parameter, value, 'is not supported: it must be opaque, or wholly transparent.')
  return colour.slice(0, 7)
}

/** Whether a colour shows nothing. */
export const isClear = (colour: string): boolean => colour.length === 9 && colour.endsWith('00')
