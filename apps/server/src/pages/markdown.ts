import { Marked, type RendererObject, type Token, type Tokens } from 'marked'
import { codeBlock } from './examples.ts'
import { escapeHtml, type Html } from './html.ts'

/** A part of a text: from one second-level heading to the next. */
export interface Part {
  /** The anchor, by GitHub's rule. */
  readonly id: string
  readonly heading: string
  readonly body: Html
  /** Its text without markup, for the search. */
  readonly text: string
}

export interface Document {
  readonly title: string
  /** The first sentence about the subject. */
  readonly summary: string
  /** The text before the first part. */
  readonly introduction: Html
  /** The same without markup, for the search. */
  readonly introductionText: string
  readonly parts: readonly Part[]
}

/** The address of a link, or undefined if its target is not served: then only its text is shown. */
export type ResolveLink = (href: string) => string | undefined

/** The mark of a file that scripts/docs writes: it concerns its authors, not its readers. */
const GENERATED = /^Made by `npm run docs`/

const languages: Readonly<Record<string, string>> = {
  sh: 'Shell',
  python: 'Python',
  nginx: 'nginx',
  caddy: 'Caddy',
  json: 'JSON',
}

/**
 * Renders Markdown to HTML within the documentation's content security policy: no inline style, no script, no raw HTML, no
 * images.
 */
export function readMarkdown(markdown: string, resolve: ResolveLink): Document {
  const anchor = uniqueAnchors()
  const markdownParser = new Marked({ renderer: rendererOf(resolve, anchor) })
  const tokens = markdownParser.lexer(markdown).filter((token) => token.type !== 'paragraph' || !GENERATED.test(token.raw))
  const html = (some: Token[]): Html => ({ html: markdownParser.parser(some) })
  const isPart = (token: Token): boolean => token.type === 'heading' && token.depth === 2
  const starts = tokens.flatMap((token, at) => (isPart(token) ? [at] : []))
  const title = tokens.find((token) => token.type === 'heading' && token.depth === 1)
  const before = tokens.slice(0, starts[0]).filter((token) => token !== title)
  return {
    title: title ? plainText([title]).trim() : '',
    summary: summaryOf(tokens),
    introduction: html(before),
    introductionText: plainText(before).trim(),
    parts: starts.map((start, nth) => {
      const heading = plainText(tokens.slice(start, start + 1)).trim()
      const inner = tokens.slice(start + 1, starts[nth + 1])
      return { id: anchor(heading), heading, body: html(inner), text: plainText(inner) }
    }),
  }
}

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' })

function summaryOf(tokens: readonly Token[]): string {
  const first = tokens.find((token) => token.type === 'paragraph')
  const text = first ? plainText([first]).replaceAll(/\s+/g, ' ').trim() : ''
  let summary = ''
  // A mark of a code, `?name=`, is taken for the end of a sentence.
  for (const { segment } of sentences.segment(text)) if (!/[.:]$/.test(summary.trim())) summary += segment
  return summary.trim().replace(/:$/, '.')
}

/** The text itself with other links. Of a link without an address, and of a picture, the words remain. */
export function relink(markdown: string, resolve: ResolveLink): string {
  const markdownParser = new Marked()
  let outputText = ''
  let read = 0
  markdownParser.walkTokens(markdownParser.lexer(markdown), (token) => {
    if (token.type !== 'link' && token.type !== 'image') return
    const { raw, href, text } = token as Tokens.Link | Tokens.Image
    const at = markdown.indexOf(raw, read)
    // An address that is written as it is, or what a link has in itself.
    if (at < 0 || !raw.includes('](')) return
    const address = token.type === 'link' ? resolve(href) : undefined
    outputText += markdown.slice(read, at) + (address === undefined ? text : `[${text}](${address})`)
    read = at + raw.length
  })
  return outputText + markdown.slice(read)
}

/** Anchors as on GitHub, so that links between the files work in both places: a repeated name ends in -1. */
function uniqueAnchors(): (heading: string) => string {
  const seenNumbers = new Map<string, number>()
  return (heading) => {
    const anchorText = heading.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, '')
    const anchor = anchorText.trim().replace(/\s/g, '-')
    const before = seenNumbers.get(anchor) ?? 0
    seenNumbers.set(anchor, before + 1)
    return before === 0 ? anchor : `${anchor}-${before}`
  }
}

function rendererOf(resolve: ResolveLink, anchor: (heading: string) => string): RendererObject {
  // Scrolling regions are distinguished by a number.
  let regions = 0
  return {
    html: ({ text }) => escapeHtml(text),
    image: ({ text }) => escapeHtml(text),
    link({ href, tokens }) {
      const address = resolve(href)
      const text = this.parser.parseInline(tokens)
      return address === undefined ? text : `<a href="${escapeHtml(address)}">${text}</a>`
    },
    heading({ tokens, depth }) {
      return `<h${depth} id="${escapeHtml(anchor(plainText(tokens).trim()))}">${this.parser.parseInline(tokens)}</h${depth}>\n`
    },
    code: ({ text, lang = '' }) => codeBlock(lang, languages[lang] ?? 'Text', `example ${++regions}`, text).html,
    table({ header, rows }) {
      // A header without text would be read out as an empty heading.
      const cell = ({ tokens, text }: Tokens.TableCell, tag: 'th' | 'td'): string => {
        const name = text === '' ? 'td' : tag
        return `<${name}>${this.parser.parseInline(tokens)}</${name}>`
      }
      const row = (cells: Tokens.TableCell[], tag: 'th' | 'td') => `<tr>${cells.map((each) => cell(each, tag)).join('')}</tr>\n`
      return `<div class="table" tabindex="0" role="region" aria-label="Table ${++regions}"><table><thead>${row(header, 'th')}</thead><tbody>${rows
        .map((cells) => row(cells, 'td'))
        .join('')}</tbody></table></div>\n`
    },
  }
}

const blocks: ReadonlySet<string> = new Set(['heading', 'paragraph', 'code', 'list', 'table', 'blockquote'])

/** The text of tokens and of all tokens in them, with spaces between blocks. */
function plainText(tokens: readonly Token[]): string {
  return tokens.map((token) => ownText(token) + (blocks.has(token.type) ? ' ' : '')).join('')
}

function ownText(token: Token): string {
  if (token.type === 'table')
    return [token.header, ...token.rows]
      .flat()
      .map(({ tokens }) => plainText(tokens))
      .join(' ')
  if (token.type === 'list') return token.items.map(({ tokens }: Tokens.ListItem) => plainText(tokens)).join(' ')
  if ('tokens' in token && token.tokens) return plainText(token.tokens)
  return 'text' in token && typeof token.text === 'string' ? token.text : ''
}
