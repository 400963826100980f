import { type Html, html } from './html.ts'

/** A step is a fifth higher than the one before, the first is 20 rem, the last holds the longest endpoint twice. */
const heights = Array.from({ length: 30 }, (_, step) => Math.round(20 * 1.2 ** step))

/** The style sheet has these, since the pages' policy forbids a style at an element. */
export const sizeRules = heights.map((rem, step) => `[data-size="${step}"]{--height:${rem}rem}`).join('\n')

/** Of what is closed only the summary is seen, of the languages only one. */
const UNSEEN = /(?<=<\/summary>).*?(?=<\/details>)|<figure class="code" data-language="(typescript|python)".*?<\/figure>/gs

const BLOCK = /<(p|d[dt]|h\d|li|summary|figcaption|pre)\b[^>]*>(.*?)<\/\1>/gs

/** What a line of a phone holds. */
const LINE_CHARACTERS = 42

/** In rem, of one block on a phone. Code scrolls where it is long, and its lines do not wrap. */
function blockHeight(tag: string | undefined, text: string): number {
  if (tag === 'pre') return Math.min(34, 1.5 + 1.35 * text.split('\n').length) + 1
  return text === '' ? 0 : 0.6 + 1.6 * Math.ceil(text.length / LINE_CHARACTERS)
}

/** A part of a long page, which is laid out only in sight: until then it takes an estimate of its own height. */
export function pageSection(id: string, content: Html): Html {
  const blocks = content.html.replaceAll(UNSEEN, '').matchAll(BLOCK)
  const rem = blocks.reduce((sum, [, tag, inner = '']) => sum + blockHeight(tag, inner.replaceAll(/<[^>]*>/g, '')), 3)
  const step = heights.findIndex((height) => height >= rem)
  return html`
<section id="${id}" aria-labelledby="${id}-title" data-size="${step < 0 ? heights.length - 1 : step}">${content}</section>`
}
