import { ImageError } from '@pixelmill/codecs/contract/image-errors'
import { limits } from '@pixelmill/codecs/contract/limits'

/** A part of the file's text, from `start` to before `end`. */
export interface Span {
  readonly start: number
  readonly end: number
}

export interface SvgAttribute extends Span {
  /** Without its prefix, in lower case. */
  readonly name: string
  /** With its references replaced. */
  readonly value: string
  /** Of the value between its quotes. */
  readonly inner: Span
}

export interface SvgElement extends Span {
  /** Without its prefix, in lower case. */
  readonly name: string
  readonly attributes: readonly SvgAttribute[]
  /** Of what is between its tags; empty for an empty element. */
  readonly content: Span
}

/** What a file consists of, as far as it matters to what may stay of it. */
export interface SvgParts {
  /** In the order of their ends. */
  readonly elements: readonly SvgElement[]
  /** Document types and processing instructions, except the declaration of XML. */
  readonly instructions: readonly Span[]
}

/** The place of a string pattern at a position of the text. */
const NAME = /[A-Za-z_\x80-\xff][\w.\x80-\xff-]*(?::[A-Za-z_\x80-\xff][\w.\x80-\xff-]*)?/y
const SPACE = /[ \t\r\n]*/y
const ATTRIBUTE =
  /[ \t\r\n]+([A-Za-z_\x80-\xff][\w.\x80-\xff-]*(?::[A-Za-z_\x80-\xff][\w.\x80-\xff-]*)?)[ \t\r\n]*=[ \t\r\n]*(?:"([^<"]*)"|'([^<']*)')/y
const REFERENCE = /&(?:#x([0-9a-fA-F]{1,6})|#(\d{1,7})|(lt|gt|amp|quot|apos));|&/g
const NAMED: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

/** In which bytes below 0x80 are always ASCII: what this reads is what every other reader sees. */
const ENCODINGS = /^(?:utf-8|us-ascii|iso-8859-\d{1,2}|windows-125\d)$/i

const refuse = (why: string): ImageError => new ImageError('invalid_image', { message: `The SVG cannot be used: ${why}.` })

/**
 * Reads the structure of an SVG more strictly than XML asks: no entities of its own, and no nesting or number of elements that a
 * drawing does not need.
 * @param text one character for each byte
 * @throws ImageError invalid_image
 */
export function scanSvg(text: string): SvgParts {
  const elements: SvgElement[] = []
  const instructions: Span[] = []
  const open: OpenElement[] = []
  let count = 0
  let at = text.startsWith('\xef\xbb\xbf') ? 3 : 0
  while (at < text.length) {
    const start = text.indexOf('<', at)
    const between = text.slice(at, start === -1 ? text.length : start)
    if (open.length === 0 && /[^ \t\r\n]/.test(between)) throw refuse('it has text outside of its root element')
    plainText(between)
    if (start === -1) break
    if (text.startsWith('<!--', start)) at = after(text, '-->', start + 4)
    else if (text.startsWith('<![CDATA[', start) && open.length > 0) at = after(text, ']]>', start + 9)
    else if (text.startsWith('<?', start) || text.startsWith('<!', start)) {
      at = instructionEnd(text, start)
      const declaration = /^<\?xml[ \t\r\n]/.test(text.slice(start, start + 6))
      if (declaration) checkEncoding(text.slice(start, at))
      else instructions.push({ start, end: at })
    } else if (text.startsWith('</', start)) {
      const name = match(NAME, text, start + 2)
      const element = open.pop()
      const end = start + 2 + name.length
      const close = end + match(SPACE, text, end).length
      if (!element || element.qualifiedName !== name || text[close] !== '>') throw refuse('its tags do not match')
      at = close + 1
      elements.push(elementOf(element, { start: element.contentStart, end: start }, at))
    } else {
      if (open.length === 0 && elements.length > 0) throw refuse('it has more than one root element')
      if (++count > limits.svg.elements) throw refuse(`it has more than ${limits.svg.elements} elements`)
      const tag = readTag(text, start)
      at = tag.contentStart
      if (tag.isEmpty) elements.push(elementOf(tag, { start: at, end: at }, at))
      else if (open.push(tag) > limits.svg.depth) throw refuse(`its elements are nested more than ${limits.svg.depth} deep`)
    }
  }
  if (open.length > 0 || elements.at(-1)?.name !== 'svg') throw refuse('it does not end with its root element, svg')
  return { elements, instructions }
}

interface OpenElement {
  readonly qualifiedName: string
  readonly attributes: readonly SvgAttribute[]
  readonly start: number
  readonly contentStart: number
  readonly isEmpty: boolean
}

const elementOf = ({ qualifiedName, attributes, start }: OpenElement, content: Span, end: number): SvgElement => ({
  name: localName(qualifiedName),
  attributes,
  start,
  end,
  content,
})

const localName = (name: string): string => name.slice(name.indexOf(':') + 1).toLowerCase()

function readTag(text: string, start: number): OpenElement {
  const qualifiedName = match(NAME, text, start + 1)
  if (qualifiedName === '') throw refuse('it is not well-formed XML')
  const attributes: SvgAttribute[] = []
  let at = start + 1 + qualifiedName.length
  for (;;) {
    ATTRIBUTE.lastIndex = at
    const [whole, name, double, single = ''] = ATTRIBUTE.exec(text) ?? []
    if (whole === undefined || name === undefined) break
    if (attributes.length === limits.svg.attributes) throw refuse('an element has too many attributes')
    const raw = double ?? single
    const end = at + whole.length
    attributes.push({
      name: localName(name),
      value: plainText(raw),
      start: at,
      end,
      inner: { start: end - 1 - raw.length, end: end - 1 },
    })
    at = end
  }
  at += match(SPACE, text, at).length
  const isEmpty = text[at] === '/'
  if (isEmpty) at++
  if (text[at] !== '>') throw refuse('it is not well-formed XML')
  return { qualifiedName, attributes, start, contentStart: at + 1, isEmpty }
}

/** Replaces the references of a text. @throws ImageError invalid_image for entities that a document declares itself */
export function plainText(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(REFERENCE, (_, hexadecimal?: string, decimal?: string, name?: string) => {
    if (name !== undefined) return NAMED[name] ?? ''
    const code = hexadecimal === undefined ? Number(decimal ?? 'NaN') : Number.parseInt(hexadecimal, 16)
    if (!(code > 0 && code <= 0x10_ff_ff)) throw refuse('it has entities of its own')
    return String.fromCodePoint(code)
  })
}

/** The end of a processing instruction or of a document type, which must declare nothing. */
function instructionEnd(text: string, start: number): number {
  if (text.startsWith('<?', start)) return after(text, '?>', start + 2)
  const end = after(text, '>', start)
  const declaration = text.slice(start, end)
  if (!/^<!DOCTYPE\s/.test(declaration)) throw refuse('it is not well-formed XML')
  if (declaration.includes('[')) throw refuse('it has entities of its own')
  return end
}

function checkEncoding(declaration: string): void {
  const [, encoding = 'utf-8'] = /encoding\s*=\s*["']([^"']*)["']/.exec(declaration) ?? []
  if (!ENCODINGS.test(encoding)) throw refuse('its encoding is not UTF-8')
}

function match(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0] ?? ''
}

function after(text: string, end: string, from: number): number {
  const at = text.indexOf(end, from)
  if (at === -1) throw refuse('it breaks off')
  return at + end.length
}
