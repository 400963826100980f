import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'

/** Links between documents, and what code cites of docs/, lead to something: a file that is there, and a heading in it. */

const root = join(import.meta.dirname, '../..')
const filesOf = (patterns: readonly string[]): readonly string[] =>
  globSync(patterns, { cwd: root, exclude: ['**/node_modules', '**/dist'] }).sort()
const read = (path: string): string => readFileSync(join(root, path), 'utf8')

// What stood in a release stays in the changelog, wherever its page has gone.
const documents = filesOf(['*.md', 'docs/**/*.md', '{packages,apps,clients,engines}/*/*.md', 'lab/**/*.md']).filter(
  (path) => path !== 'CHANGELOG.md',
)
const sources = filesOf([
  '{packages,apps,clients,engines}/*/**/*.{ts,svelte,sql,py}',
  '{lab,test,scripts}/**/*.{ts,sh}',
  '{deploy,monitoring}/**/*.yaml',
  'compose.yaml',
])

/** As GitHub makes it, and the pages that the server makes of guides. */
const anchorOf = (heading: string): string =>
  heading
    .replaceAll(/[`*]|\]\([^)]*\)|\[/g, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-')

const anchors = new Map<string, ReadonlySet<string>>()
function anchorsOf(path: string): ReadonlySet<string> {
  const cachedAnchors = anchors.get(path)
  if (cachedAnchors) return cachedAnchors
  const prose = read(path).replaceAll(/^```[\s\S]*?^```/gm, '')
  const ownAnchors = new Set([...prose.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => anchorOf(heading)))
  anchors.set(path, ownAnchors)
  return ownAnchors
}

/** Why a link leads nowhere. */
function faultOf(target: string, anchor: string | undefined): string | undefined {
  if (!existsSync(join(root, target))) return 'no such file'
  // The generated list has an anchor for each error.
  if (anchor === undefined || !target.endsWith('.md') || target === 'docs/errors.md') return undefined
  return anchorsOf(target).has(anchor) ? undefined : 'no such heading'
}

test('every link of a document leads to a file and a heading', () => {
  const faults = documents.flatMap((path) => {
    const prose = read(path).replaceAll(/^[ \t]*```[\s\S]*?^[ \t]*```|`[^`\n]*`/gm, '')
    return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, href = '']) => {
      if (/^(https?:|mailto:|\/)/.test(href)) return []
      const [file = '', anchor] = href.split('#')
      const fault = faultOf(file === '' ? path : join(dirname(path), file), anchor)
      return fault === undefined ? [] : [`${path}: ${href}: ${fault}`]
    })
  })
  assert.ok(documents.length > 50, String(documents.length))
  assert.deepEqual(faults, [])
})

test('every page of docs/ that code or a manifest cites is there', () => {
  const faults = sources.flatMap((path) =>
    [...read(path).matchAll(/(?<![\w/.])docs\/([\w-]+(?:\/[\w-]+)*\.md)(?:#([\w-]+))?/g)].flatMap(
      ([citation, page = '', anchor]) => {
        const fault = faultOf(`docs/${page}`, anchor)
        return fault === undefined ? [] : [`${path}: ${citation}: ${fault}`]
      },
    ),
  )
  assert.ok(sources.length > 1_000, String(sources.length))
  assert.deepEqual(faults, [])
})
