const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Trusted HTML: escaped, or written in the source. */
export interface Html {
  readonly html: string
}

type Part = Html | readonly Html[] | string | number

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)

function render(part: Part): string {
  if (typeof part === 'string') return escapeHtml(part)
  if (typeof part === 'number') return String(part)
  return 'html' in part ? part.html : part.map(({ html }) => html).join('')
}

/** A template whose values are escaped unless they are Html themselves. */
export const html = (strings: TemplateStringsArray, ...parts: readonly Part[]): Html => ({
  html: strings.map((text, index) => text + (index < parts.length ? render(parts[index] ?? '') : '')).join(''),
})

/** Text with `code` between backticks. */
export const prose = (text: string): Html => ({ html: escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>') })
