import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { ROOT } from '@pixelmill/codecs/installation'
import type { Document } from './markdown.ts'

export interface Guide extends Document {
  /** The name of its file, without the extension. */
  readonly name: string
  /** As it is served: its links lead to the Markdown of other guides. */
  readonly markdown: string
}

export interface Guides {
  /** In the order of the list, without the errors, which have a generated page of their own. */
  readonly all: readonly Guide[]
  readonly errors: Guide
}

const FOLDER = join(ROOT, 'docs')
const EXTENSION = '.md'

/** First in the list, in this order; the others follow by title. */
const FIRST = ['deployment', 'tls', 'backup', 'python']

const ERRORS = 'errors'

export const pathOf = (name: string): string => (name === ERRORS ? '/docs/errors' : `/docs/guides/${name}`)

export const markdownPathOf = (name: string): string => pathOf(name) + EXTENSION

/** Reads the guides at the first call, and again after a failure. */
export function guideReader(): () => Promise<Guides> {
  let reading: Promise<Guides> | undefined
  return () =>
    (reading ??= readGuides().catch((error: unknown) => {
      reading = undefined
      throw error
    }))
}

/** A link that is named after the file of a guide. */
const FILE_LINK = /\[[\w-]+\.md\]\(([\w-]+)\.md/g

/** As descriptions of settings name a guide. */
const FILE_PATH = /\bdocs\/([\w-]+)\.md/g

/** Reads every guide. The Markdown library is loaded here, only when a guide is requested. */
async function readGuides(): Promise<Guides> {
  const { readMarkdown, relink } = await import('./markdown.ts')
  const names = (await readdir(FOLDER)).filter((file) => file.endsWith(EXTENSION)).map((file) => basename(file, EXTENSION))
  const texts = new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(join(FOLDER, name + EXTENSION), 'utf8')] as const)),
  )
  const titleOf = (name: string) => /^# (.+)$/m.exec(texts.get(name) ?? '')?.[1] ?? name
  const guides = [...texts].map(([name, source]) => {
    // In the repository a file is known by its name, here by its title.
    const text = source
      .replaceAll(FILE_LINK, (_, target) => `[${titleOf(target)}](${target}${EXTENSION}`)
      .replaceAll(FILE_PATH, (_, target) => `[${titleOf(target)}](${target}${EXTENSION})`)
    return {
      name,
      ...readMarkdown(text, (href) => resolveLink(href, names, pathOf)),
      markdown: relink(text, (href) => resolveLink(href, names, markdownPathOf)),
    }
  })
  const place = ({ name }: Guide) => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length)
  const errors = guides.find(({ name }) => name === ERRORS)
  if (!errors) throw new Error(`${join(FOLDER, ERRORS + EXTENSION)} is missing`)
  return {
    all: guides
      .filter((guide) => guide !== errors)
      .sort((one, other) => place(one) - place(other) || one.title.localeCompare(other.title, 'en')),
    errors,
  }
}

/** Links between the files lead to what is served of them; files that are only in the repository are not served. */
function resolveLink(href: string, names: readonly string[], addressOf: (name: string) => string): string | undefined {
  if (/^(https?:|#|\/)/.test(href)) return href
  const [file = '', anchor] = href.split('#')
  const name = basename(file, EXTENSION)
  if (file !== name + EXTENSION || !names.includes(name)) return undefined
  return addressOf(name) + (anchor === undefined ? '' : `#${anchor}`)
}
