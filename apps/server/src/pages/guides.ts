import { ApiError } from '../contract/api-error.ts'
import { type Call, defineRoute, type Reply, type Route } from '../http/route.ts'
import { type Guide, type Guides, markdownPathOf, pathOf } from './guide-files.ts'
import { type Html, html } from './html.ts'
import { type ContentsGroup, documentOf } from './page.ts'
import { madeOnce, pageRoute } from './page-route.ts'

const listOf = (guides: readonly Guide[]): ContentsGroup => ({
  heading: 'Guides',
  links: guides.map(({ name, title }) => ({ href: pathOf(name), text: title })),
})

const guidePage = ({ name, title, introduction, parts }: Guide, guides: readonly Guide[], script: string | undefined): Html =>
  documentOf({
    title,
    path: pathOf(name),
    markdown: markdownPathOf(name),
    script,
    groups: [
      ...(parts.length > 0
        ? [{ heading: 'On this page', links: parts.map(({ id, heading }) => ({ href: `#${id}`, text: heading })) }]
        : []),
      listOf(guides),
    ],
    counted: 'sections',
    body: html`<h1 tabindex="-1">${title}</h1>
<div class="prose">${introduction}</div>
<div class="found guide">${parts.map(
      ({ id, heading, body }) => html`
<section id="${id}" aria-labelledby="${id}-title">
<div class="head"><h2 id="${id}-title"><a href="#${id}">${heading}</a></h2></div>
<div class="text prose">${body}</div>
</section>`,
    )}</div>`,
  })

const listPage = (guides: readonly Guide[], script: string | undefined): Html =>
  documentOf({
    title: 'Guides',
    path: '/docs/guides',
    script,
    groups: [listOf(guides)],
    counted: 'guides',
    body: html`<h1 tabindex="-1">Guides</h1>
<p class="lead">How to run the server, and how to use it from a program.</p>
<div class="found guide">${guides.map(
      ({ name, title, parts }) => html`
<section id="${name}" aria-labelledby="${name}-title">
<div class="head"><h2 id="${name}-title"><a href="${pathOf(name)}">${title}</a></h2></div>
<div class="text"><p class="soft">${parts.map(({ heading }) => heading).join(' · ')}</p></div>
</section>`,
    )}</div>`,
  })

/** The texts for the search: the guides in parts. */
const searchIndex = (guides: readonly Guide[]): string =>
  JSON.stringify(
    guides.flatMap(({ name, title, parts }) =>
      parts.map(({ id, heading, text }) => ({ href: `${pathOf(name)}#${id}`, guide: title, heading, text })),
    ),
  )

/** The guides of the folder docs. */
export function guideRoutes(read: () => Promise<Guides>, script: string | undefined): readonly Route[] {
  const guides = async () => (await read()).all
  const pages = new Map<string, (call: Call) => Promise<Reply>>()
  return [
    pageRoute('/docs/guides', 'guides', 'The guides.', async () => listPage(await guides(), script)),
    defineRoute({
      method: 'GET',
      path: '/docs/guides/:name',
      name: 'guide',
      tag: 'Documentation',
      summary: 'A guide.',
      admission: 'open',
      produces: ['text/html'],
      errors: ['not_found'],
      async handle(call) {
        const all = await guides()
        const guide = all.find(({ name }) => name === call.path.name)
        if (!guide) throw new ApiError('not_found')
        const answer = pages.get(guide.name) ?? madeOnce(() => guidePage(guide, all, script).html)
        pages.set(guide.name, answer)
        return answer(call)
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/docs/guides.json',
      name: 'guideSearch',
      tag: 'Documentation',
      summary: 'The text of the guides, for the documentation search.',
      admission: 'open',
      produces: ['application/json'],
      errors: [],
      handle: madeOnce(async () => searchIndex(await guides()), 'application/json'),
    }),
  ]
}
