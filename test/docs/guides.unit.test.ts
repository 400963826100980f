import assert from 'node:assert/strict'
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, test } from 'node:test'
import { documentationHits } from '@pixelmill/dashboard/src/search/documentation'
import { excerptOf } from '@pixelmill/dashboard/src/search/excerpt'
import { queryWords } from '@pixelmill/dashboard/src/search/ranked'
import type { DocumentationPart } from '@pixelmill/dashboard/web/documentation-part'
import { readMarkdown, relink } from 'pixelmill-server/pages/markdown'
import { documentedRoutes, routes } from 'pixelmill-server/routes'

const root = join(import.meta.dirname, '../..')
const files = readdirSync(join(root, 'docs')).filter((file) => file.endsWith('.md'))
const names = files.map((file) => file.replace(/\.md$/, '')).filter((name) => name !== 'errors')

const get = async (path: string, parameters: Readonly<Record<string, string>> = {}) => {
  const route = routes.find((each) => each.path === path) ?? assert.fail(path)
  // These routes read nothing of their call but a header and the path.
  const { body, headers } = await route.handle({ path: parameters, request: { header: () => undefined } } as never)
  return { text: String(body), headers }
}
const guide = (name: string) => get('/docs/guides/:name', { name })

describe('guides', () => {
  test('every file of the folder docs is served, and listed on each page', async () => {
    const list = (await get('/docs/guides')).text
    for (const name of names) {
      assert.match((await guide(name)).text, /<h1 tabindex="-1">[^<]+<\/h1>/, name)
      assert.ok(list.includes(`href="/docs/guides/${name}"`), name)
    }
    assert.ok((await get('/docs')).text.includes('href="/docs/guides"'))
    await assert.rejects(guide('no-such-guide'), { code: 'not_found' })
  })

  test('every link of a guide leads to something: a page that is served, and a part that is there', async () => {
    const pages = new Map<string, string>()
    for (const name of names) pages.set(`/docs/guides/${name}`, (await guide(name)).text)
    for (const path of ['/docs', '/docs/errors', '/docs/guides']) pages.set(path, (await get(path)).text)
    const others = ['/', '/openapi.json']
    for (const [path, text] of pages) {
      if (!path.startsWith('/docs/guides/')) continue
      for (const [, href = ''] of text.matchAll(/<a [^>]*href="([^"]*)"/g)) {
        if (/^https?:/.test(href) || others.includes(href)) continue
        const { pathname, hash } = new URL(href, `http://localhost${path}`)
        const target = pages.get(pathname) ?? assert.fail(`${path} links to ${href}`)
        if (hash !== '') assert.ok(target.includes(`id="${decodeURIComponent(hash.slice(1))}"`), `${path} links to ${href}`)
      }
    }
  })

  test('a guide has no script, style or picture of its own, and its policy lets none in', async () => {
    for (const name of names) {
      const { text, headers } = await guide(name)
      assert.doesNotMatch(text, /<script|<img|<iframe| style="| on[a-z]+="|javascript:|@import|url\(/, name)
      assert.match(headers['content-security-policy'] ?? '', /^default-src 'none'; style-src 'sha256-[^']+'; script-src 'self'; /)
      const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
      assert.equal(new Set(ids).size, ids.length, name)
    }
  })

  test('the search finds what readers type, though a letter is wrong, and shows where it is', async () => {
    const parts: readonly DocumentationPart[] = JSON.parse((await get('/docs/search.json')).text)
    const pagesFor = (query: string) => documentationHits(parts, queryWords(query)).map(({ page }) => page)
    for (const [query, page] of [
      ['cloudinary', 'Moving from Cloudinary'],
      ['cloudinray', 'Moving from Cloudinary'],
      ['nextjs', 'Frameworks'],
      ['next.js', 'Frameworks'],
      ['responsive', 'A shop, in five tasks'],
      ['srcset', 'Images by URL'],
      ['nginx', 'HTTPS'],
      ['tinypng', 'From Tinify (TinyPNG)'],
      ['resize', 'Reference'],
      ['rate_limited', 'Errors'],
      ['pg_restore', 'Back up, restore, upgrade, move, rotate'],
      ['favicon', 'Formats'],
    ] as const)
      assert.ok(pagesFor(query).slice(0, 4).includes(page), `${query}: ${pagesFor(query).join(', ')}`)
    assert.deepEqual(pagesFor('zebra stripes'), [])
    const [hit] = documentationHits(parts, ['pgrestore'])
    assert.ok(excerptOf(hit?.text ?? '', ['pgrestore']).some(({ text, isHit }) => isHit && text === 'pg_restore'))
    for (const { href } of parts.filter((part) => part.href.startsWith('/docs/guides/'))) {
      const [path = '', id] = href.split('#')
      const { text } = await guide(path.replace('/docs/guides/', ''))
      assert.ok(id === undefined || text.includes(`<section id="${id}"`), href)
    }
  })

  test('every guide is served as Markdown, which its page names, with links to the Markdown of other guides', async () => {
    const texts = new Map<string, string>()
    for (const name of names) texts.set(`/docs/guides/${name}.md`, (await get('/docs/guides/:name.md', { name })).text)
    texts.set('/docs/errors.md', (await get('/docs/errors.md')).text)
    for (const [path, text] of texts) {
      assert.match(text, /^# ./, path)
      // Lines of code may have brackets too.
      const prose = text.replaceAll(/^```[\s\S]*?^```|`[^`\n]*`/gm, '')
      for (const [, href = ''] of prose.matchAll(/\]\(([^)\s]+)\)/g)) {
        const [target = ''] = href.split('#')
        assert.match(href, /^(https?:|#|\/)/, `${path} links to ${href}`)
        if (target.endsWith('.md') && target.startsWith('/')) assert.ok(texts.has(target), `${path} links to ${href}`)
      }
    }
    assert.ok([...texts.values()].some((text) => text.includes('](/docs/guides/configuration.md')))
    for (const path of ['/docs/guides/tls', '/docs/errors']) {
      const page = path === '/docs/errors' ? await get(path) : await guide('tls')
      assert.ok(page.text.includes(`<link rel="alternate" type="text/markdown" href="${path}.md">`), path)
    }
    const { headers } = await get('/docs/guides/:name.md', { name: 'tls' })
    assert.equal(headers['content-type'], 'text/markdown; charset=utf-8')
    await assert.rejects(get('/docs/guides/:name.md', { name: 'no-such-guide' }), { code: 'not_found' })
  })

  test('llms.txt lists everything that programs can read', async () => {
    const { text, headers } = await get('/llms.txt')
    assert.equal(headers['content-type'], 'text/plain; charset=utf-8')
    assert.match(text, /^# Pixelmill\n\n> [^\n]+\n\n## /)
    const links = [...text.matchAll(/^- \[[^\]]+\]\((\/[^)]+)\): [^\n]*[\w)][.)]$/gm)].map(([, href]) => href)
    assert.equal(links.length, text.split('\n').filter((line) => line.startsWith('- ')).length, 'each link has a description')
    for (const name of names) assert.ok(links.includes(`/docs/guides/${name}.md`), name)
    for (const { tag } of documentedRoutes) assert.ok(links.includes(`/openapi.json?tags=${tag}`), tag)
    for (const path of ['/openapi.json', '/docs/errors.md', '/mcp']) assert.ok(links.includes(path), path)
  })

  test('the image of a container has them', () => {
    assert.match(readFileSync(join(root, 'Dockerfile'), 'utf8'), /^COPY --from=pages \/opt\/pixelmill\/docs \.\/docs$/m)
    assert.match(readFileSync(join(root, '.dockerignore'), 'utf8'), /^!docs\/\*\.md$/m)
  })
})

/** A path from the root of this repository, or the name alone after another test of the same folder. */
const TEST_NAME = /(?<![\w.*/-])(?:[\w-]+\/)*[\w-]+(?:\.unit|\.slow)?\.test\.ts\b/g

test('every test that a document or a comment names is there', () => {
  const tests = globSync(
    ['{lab/,}test/**/*.test.ts', '{packages,apps,clients}/*/test/**/*.test.ts', 'apps/server/src/*/test/**/*.test.ts'],
    {
      cwd: root,
    },
  )
  const basenames = new Set(tests.map((path) => basename(path)))
  const texts = globSync(
    [
      '*.md',
      'docs/**/*.md',
      '{packages,apps,clients}/*/{*.md,{src,test,migrations}/**/*.{ts,sql}}',
      '{lab,test,scripts}/**/*.ts',
    ],
    { cwd: root },
  )
  assert.ok(texts.length > 500)
  const missing = texts
    .filter((path) => path !== 'CHANGELOG.md')
    .flatMap((path) => {
      const names = readFileSync(join(root, path), 'utf8').match(TEST_NAME) ?? []
      return names
        .filter((name) =>
          /^(?:test|packages|apps|clients|lab)\//.test(name) ? !tests.includes(name) : !basenames.has(basename(name)),
        )
        .map((name) => `${path}: ${name}`)
    })
  assert.deepEqual(missing, [])
})

describe('Markdown', () => {
  const read = (text: string) => readMarkdown(text, (href) => (href.startsWith('https:') ? href : undefined))

  test('HTML is shown as text, and a link of another kind than those served is only text', () => {
    const { introduction } = read(
      '# T\n\n<b onclick="x()">a</b> [b](javascript:x) ![c](https://example.com/c.png) [d](https://example.com/"d)\n',
    )
    assert.equal(
      introduction.html,
      '<p>&lt;b onclick=&quot;x()&quot;&gt;a&lt;/b&gt; b c <a href="https://example.com/&quot;d">d</a></p>\n',
    )
  })

  test('as Markdown, links are resolved and pictures are their words; code stays as it is', () => {
    const text =
      '# T\n\n[`a`](a.md#b) `[c](c.md)` ![d](d.png) [e](/e)\n\n| [f](f.md) |\n|---|\n| [g](a.md) |\n\n```\n[h](h.md)\n```\n'
    assert.equal(
      relink(text, (href) => (href.startsWith('a.md') ? `/guides/${href}` : href.startsWith('/') ? href : undefined)),
      '# T\n\n[`a`](/guides/a.md#b) `[c](c.md)` d [e](/e)\n\n| f |\n|---|\n| [g](/guides/a.md) |\n\n```\n[h](h.md)\n```\n',
    )
  })

  test('parts begin at headings of the second level, and equal headings have different anchors', () => {
    const { title, parts } = read(
      '# The `T`\n\n## One & two\n\nText `code`.\n\n### Again\n\n## Again\n\n| a |\n|---|\n| cell |\n',
    )
    assert.equal(title, 'The T')
    assert.deepEqual(
      parts.map(({ id, heading }) => [id, heading]),
      [
        ['one--two', 'One & two'],
        ['again-1', 'Again'],
      ],
    )
    assert.match(parts[0]?.body.html ?? '', /<h3 id="again">Again<\/h3>/)
    assert.match(parts[0]?.text ?? '', /Text code/)
    assert.match(parts[1]?.text ?? '', /cell/)
  })
})
