import { ImageError } from '@pixelmill/codecs/contract/image-errors'
import { limits } from '@pixelmill/codecs/contract/limits'
import { plainText, type Span, type SvgAttribute, type SvgElement, scanSvg } from './scan.ts'

/**
 * The same SVG without what could run, or read something else than the file itself: scripts, event handlers, elements of HTML,
 * references to other addresses, document types and processing instructions. A file that has none of it stays as it is.
 * @throws ImageError invalid_image, image_too_large
 */
export function cleanSvg(bytes: Buffer): Buffer {
  if (bytes.length > limits.svg.bytes)
    throw new ImageError('image_too_large', { message: `An SVG may have at most ${limits.svg.bytes / 1e6} MB.` })
  const text = bytes.toString('latin1')
  const { elements, instructions } = scanSvg(text)
  const edits: Edit[] = instructions.map((span) => ({ ...span, text: '' }))
  for (const element of elements) edits.push(...editsOf(element, text))
  return edits.length === 0 ? bytes : Buffer.from(applyEdits(text, edits), 'latin1')
}

interface Edit extends Span {
  readonly text: string
}

/** What runs, or loads something, in any namespace. */
const REFUSED =
  'script handler listener foreignobject iframe frame embed object applet portal audio video source track link meta base form include tref cursor'.split(
    ' ',
  )

/** Elements that give another element's attribute a value. */
const ANIMATIONS: readonly string[] = ['set', 'animate', 'animatemotion', 'animatetransform', 'animatecolor', 'discard']

function editsOf(element: SvgElement, text: string): readonly Edit[] {
  if (REFUSED.includes(element.name) || (ANIMATIONS.includes(element.name) && isDangerousAnimation(element)))
    return [{ start: element.start, end: element.end, text: '' }]
  const edits: Edit[] = []
  for (const attribute of element.attributes) {
    if (isRefusedAttribute(element.name, attribute)) edits.push({ start: attribute.start, end: attribute.end, text: '' })
    else edits.push(...withoutAddresses(text, attribute.inner, attribute))
  }
  if (element.name === 'style') edits.push(...withoutAddresses(text, element.content, element))
  return edits
}

/** One that could change where something is read from, or what runs. */
const isDangerousAnimation = ({ attributes }: SvgElement): boolean =>
  attributes.some(({ name, value }) => name === 'attributename' && /(?:^|:)(?:href|src|on\w*|style)$/i.test(value.trim()))

function isRefusedAttribute(element: string, { name, value }: SvgAttribute): boolean {
  if (name.startsWith('on')) return true
  if (!['href', 'src', 'data', 'action', 'formaction', 'srcset', 'ping', 'base'].includes(name)) return false
  const address = value.replaceAll(/[\p{Cc} ]/gu, '')
  if (address.startsWith('#') || EMBEDDED_IMAGE.test(address)) return false
  // A link is followed by a person.
  return !(element === 'a' && name === 'href' && /^https?:/i.test(address))
}

const EMBEDDED_IMAGE = /^data:image\/(?:png|jpe?g|gif|webp|avif)[;,]/i

/** Of CSS: rules that load another sheet, and functions with an address that is neither in the file nor an embedded file. */
const ADDRESSES = /@import\b[^;{}]*;?|(?:url|image|image-set|src)\(\s*(?!\s|["']?(?:#|data:))[^)]*\)/gi

/** @param whole what is removed where the addresses are hidden in references of XML */
function withoutAddresses(text: string, { start, end }: Span, whole: Span): readonly Edit[] {
  const css = text.slice(start, end)
  const hasHidden = css.includes('&') && countOf(plainText(css)) > countOf(css)
  if (hasHidden) return [{ start: whole.start, end: whole.end, text: '' }]
  return [...css.matchAll(ADDRESSES)].map(({ 0: address, index }) => ({
    start: start + index,
    end: start + index + address.length,
    text: address.startsWith('@') ? '' : 'none',
  }))
}

const countOf = (css: string): number => css.match(ADDRESSES)?.length ?? 0

/** Edits inside of others are part of them. */
function applyEdits(text: string, edits: readonly Edit[]): string {
  const parts: string[] = []
  let at = 0
  for (const { start, end, text: replacement } of edits.toSorted(
    (one, other) => one.start - other.start || other.end - one.end,
  )) {
    if (end <= at) continue
    parts.push(text.slice(at, start), replacement)
    at = end
  }
  parts.push(text.slice(at))
  return parts.join('')
}
