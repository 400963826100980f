import { ApiError } from '../contract/api-error.ts'
import { type Call, defineRoute, type Reply, type Route } from '../http/route.ts'
import { type Guide, type Guides, markdownPathOf, pathOf } from './guide-files.ts'
import { guideGroups } from './guide-groups.ts'
import { type Html, html } from './html.ts'
import { type ContentsGroup, documentOf } from './page.ts'
import { madeOnce, pageRoute } from './page-route.ts'
import { searchIndex } from './search-index.ts'

const listOf = (guides: readonly Guide[]): readonly ContentsGroup[] =>
  guideGroups(guides).map(({ heading, guides: rows }) => ({
    heading,
    links: rows.map(({ name, title }) => ({ href: pathOf(name), text: title })),
  }))

const guidePage = (
  { name, title, summary, introduction, parts }: Guide,
  guides: readonly Guide[],
  script: string | undefined,
): Html =>
  documentOf({
    title,
    description: summary,
    path: pathOf(name),
    markdown: markdownPathOf(name),
    script,
    groups: [
      ...(parts.length > 0
        ? [
            {
              heading: 'On this page',
              links: parts.map(({ id, heading }) => ({ href: `#${id}`, text: heading })),
              isOfPage: true,
            },
          ]
        : []),
      ...listOf(guides),
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

const ABOUT_GUIDES = 'How to run the server, and how to use it from a program.'

const listPage = (guides: readonly Guide[], script: string | undefined): Html =>
  documentOf({
    title: 'Guides',
    description: ABOUT_GUIDES,
    path: '/docs/guides',
    script,
    groups: listOf(guides),
    counted: 'guides',
    body: html`<h1 tabindex="-1">Guides</h1>
<p class="lead">${ABOUT_GUIDES}</p>
<div class="found guide">${guideGroups(guides).map(
      ({ heading, guides: rows }) =>
        html`<h2 class="group">${heading}</h2>${rows.map(
          ({ name, title, summary }) => html`
<section id="${name}" aria-labelledby="${name}-title">
<div class="head"><h3 id="${name}-title"><a href="${pathOf(name)}">${title}</a></h3></div>
<div class="text"><p class="soft">${summary}</p></div>
</section>`,
        )}`,
    )}</div>`,
  })

/** The guides of the folder docs. */
export function guideRoutes(read: () => Promise<Guides>, routes: readonly Route[], script: string | undefined): readonly Route[] {
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
      path: '/docs/search.json',
      name: 'documentationSearch',
      tag: 'Documentation',
      summary: 'What the search of the documentation reads: the text of guides, endpoints and errors.',
      admission: 'open',
      produces: ['application/json'],
      errors: [],
      handle: madeOnce(async () => JSON.stringify(searchIndex(await guides(), routes)), 'application/json'),
    }),
  ]
}
