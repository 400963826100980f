import { createHash } from 'node:crypto'
import type { Reply } from '../../http/route.ts'
import { type Html, html } from './html.ts'
import { style } from './style.ts'

const styleHash = createHash('sha256').update(style).digest('base64')

export interface Page {
  readonly title: string
  /** Headings of the navigation with their links. */
  readonly sections: readonly {
    readonly heading: string
    readonly links: readonly { readonly href: string; readonly text: string }[]
  }[]
  readonly body: Html
}

/** A page of the documentation: no script, no font, nothing from elsewhere, and a policy that says so. */
export function pageReply({ title, sections, body }: Page): Reply {
  const navigation = sections.map(
    ({ heading, links }) =>
      html`<h2>${heading}</h2><ul>${links.map(({ href, text }) => html`<li><a href="${href}">${text}</a></li>`)}</ul>`,
  )
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${{ html: style }}</style>
</head>
<body>
<div class="page">
<nav aria-label="Contents"><a class="name" href="/docs">Pixelmill</a>${navigation}</nav>
<main>${body}</main>
</div>
</body>
</html>
`
  return {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    },
    body: page.html,
  }
}
