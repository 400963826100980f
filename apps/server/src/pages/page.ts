import { icons } from '@pixelmill/dashboard/web/icons'
import type { NotFoundPage } from '../http/request-state.ts'
import { type Html, html } from './html.ts'
import { MARK, STYLE_HASH, style } from './page-route.ts'

interface Link {
  readonly href: string
  readonly text: string
  /** A short label after the text. */
  readonly tag?: string
}

/** A heading of the navigation with its links. */
export interface ContentsGroup {
  readonly heading: string
  readonly links: readonly Link[]
  /** It stands beside the text where there is space. */
  readonly isOfPage?: boolean
}

export interface Page {
  readonly title: string
  /** What search engines show below the title. */
  readonly description: string
  readonly path: string
  /** The URL of the page as Markdown. */
  readonly markdown?: string
  /** The URL of the script for search and copying; the page is complete without it. */
  readonly script: string | undefined
  readonly groups: readonly ContentsGroup[]
  /** The plural of what the search finds: "endpoints". */
  readonly counted: string
  readonly body: Html
}

const pages = [
  { href: '/docs', text: 'Start and reference' },
  { href: '/docs/errors', text: 'Errors' },
  { href: '/docs/guides', text: 'Guides' },
  { href: '/openapi.json', text: 'OpenAPI document' },
] as const

const icon = (name: keyof typeof icons): Html =>
  html`<svg viewBox="0 0 20 20" width="18" height="18" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="${icons[name]}"/></svg>`

const brand = html`<a class="brand" href="/"><span class="mark" aria-hidden="true">${{ html: MARK }}</span>Pixelmill</a>`

const list = (links: readonly Link[], path?: string): Html =>
  html`<ul>${links.map(
    ({ href, text, tag }) =>
      html`<li><a href="${href}"${href === path ? html` aria-current="page"` : ''}><span>${text}</span>${tag ? html`<span class="method ${tag.toLowerCase()}">${tag}</span>` : ''}</a></li>`,
  )}</ul>`

/** The theme switch of the dashboard; the script of the page enables it. */
const themeSwitch = html`<fieldset class="theme" hidden><legend class="spoken">Theme</legend>${(
  [
    ['system', 'As the system', 'screen'],
    ['light', 'Light', 'sun'],
    ['dark', 'Dark', 'moon'],
  ] as const
).map(
  ([value, label, drawing]) =>
    html`<label title="${label}"><input class="spoken" type="radio" name="theme" value="${value}"><span class="face">${icon(drawing)}<span class="spoken">${label}</span></span></label>`,
)}</fieldset>`

const search = html`<search hidden><label class="spoken" for="search">Search the documentation</label><input class="control" id="search" type="search" placeholder="Search the documentation" autocomplete="off" spellcheck="false" aria-keyshortcuts="Control+K Meta+K"><p class="spoken" id="found" role="status"></p></search>`

/** The side bar; on a phone it opens over the text, without a script. */
const side = ({ groups, path }: Page): Html => html`<aside class="side" id="contents" aria-label="Navigation" popover>
<div class="top">${brand}<button class="quiet" popovertarget="contents" popovertargetaction="hide" aria-label="Close the menu">${icon('close')}</button></div>
${search}
<nav aria-label="Documentation">${list(pages, path)}</nav>
<nav class="contents" aria-label="Contents">${groups.map(({ heading, links, isOfPage }) => html`<div${isOfPage ? html` class="here"` : ''}><p class="heading">${heading}</p>${list(links, path)}</div>`)}</nav>
<div class="foot">${themeSwitch}<a class="button" href="/">To the dashboard</a></div>
</aside>`

/** A page of the documentation: nothing from other origins, nothing inline but its style, and complete without a script. */
export const documentOf = (page: Page): Html => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${page.title} · Pixelmill</title>
<meta name="description" content="${page.description}">
<link rel="icon" href="data:image/svg+xml;base64,${Buffer.from(MARK).toString('base64')}">${page.markdown ? html`\n<link rel="alternate" type="text/markdown" href="${page.markdown}">` : ''}
<style>${{ html: style }}</style>
${page.script ? html`<script type="module" blocking="render" src="${page.script}"></script>` : ''}
</head>
<body>
<a class="skip" href="#main">To the contents</a>
<header class="bar">${brand}<button class="quiet" popovertarget="contents" aria-label="Menu">${icon('menu')}</button></header>
<div class="shell">
${side(page)}
<main id="main" tabindex="-1"><div class="page">${page.body}
<div class="elsewhere" hidden><div role="status"><h2></h2></div><ul></ul></div>
<div class="nothing" hidden><h2>Nothing found</h2><p class="soft">No page of the documentation has these words.</p><button class="button" type="button">Show all ${page.counted}</button></div>
</div></main>
</div>
</body>
</html>
`

/** In the style of the documentation: it needs neither a script nor the built dashboard. */
const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>No such page · Pixelmill</title>
<link rel="icon" href="data:image/svg+xml;base64,${Buffer.from(MARK).toString('base64')}">
<style>${{ html: style }}</style>
</head>
<body>
<main class="lost">
<a class="brand" href="/"><span class="mark" aria-hidden="true">${{ html: MARK }}</span>Pixelmill</a>
<h1>No such page</h1>
<p class="soft">There is nothing at this address. It may be mistyped, or the page may have moved.</p>
<p class="row"><a class="button primary" href="/">To the dashboard</a><a class="button" href="/docs">To the reference</a></p>
</main>
</body>
</html>
`

/** The page for browsers, with status 404, at a path that does not exist. */
export const notFoundPage: NotFoundPage = {
  headers: {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    'referrer-policy': 'same-origin',
  },
  body: page.html,
}
