import { ApiError } from '../contract/api-error.ts'
import { type Call, defineRoute, type Reply, type Route } from '../http/route.ts'
import { endpointName } from './endpoint-names.ts'
import { type Guides, markdownPathOf } from './guide-files.ts'
import { madeOnce } from './page-route.ts'

const MARKDOWN = 'text/markdown; charset=utf-8'

interface Link {
  readonly title: string
  readonly href: string
  readonly about: string
}

const section = (heading: string, links: readonly Link[]): string =>
  links.length === 0
    ? ''
    : `\n## ${heading}\n\n${links.map(({ title, href, about }) => `- [${title}](${href})${about && `: ${about}`}\n`).join('')}`

/** The parts of the OpenAPI document, each with the endpoints that it has. */
const parts = (routes: readonly Route[]): readonly Link[] =>
  [...Map.groupBy(routes, ({ tag }) => tag)].map(([tag, rows]) => ({
    title: tag,
    href: `/openapi.json?tags=${encodeURIComponent(tag)}`,
    about: `${rows.map(({ name }) => endpointName(name)).join(', ')}.`,
  }))

const AGENTS = 'Agents'

/** What there is for programs to read, as https://llmstxt.org describes it. */
function llmsText(routes: readonly Route[], { all, errors }: Guides): string {
  return `# Pixelmill

> A self-hosted service that converts, compresses and edits images. Programs send an API key as a bearer token, and images as forms, as bodies, or in JSON as data URIs; they get an image, a ZIP archive or JSON. Only successful calls count. Addresses here are of this server.
${section('API', [
  {
    title: 'OpenAPI document',
    href: '/openapi.json',
    about: 'Every endpoint, as OpenAPI 3.1. The parts below are for small clients.',
  },
  ...parts(routes),
  { title: errors.title, href: markdownPathOf(errors.name), about: errors.summary },
])}${section(
  AGENTS,
  routes
    .filter(({ tag }) => tag === AGENTS)
    .map(({ path, method, summary, description = '' }) => ({
      title: `${method} ${path}`,
      href: path,
      about: `${summary} ${description}`.trim(),
    })),
)}${section(
  'Guides',
  all.map(({ name, title, summary }) => ({ title, href: markdownPathOf(name), about: summary })),
)}`
}

/** The documentation for programs: the list of all of it, and the guides as Markdown. */
export function programRoutes(routes: readonly Route[], guides: () => Promise<Guides>): readonly Route[] {
  const texts = new Map<string, (call: Call) => Promise<Reply>>()
  const route = { method: 'GET', tag: 'Documentation', admission: 'open' } as const
  return [
    defineRoute({
      ...route,
      path: '/llms.txt',
      name: 'llms',
      summary: 'What there is to read for programs and language models, as llmstxt.org describes it.',
      produces: ['text/plain'],
      errors: [],
      handle: madeOnce(async () => llmsText(routes, await guides()), 'text/plain; charset=utf-8'),
    }),
    defineRoute({
      ...route,
      path: markdownPathOf('errors'),
      name: 'errorsMarkdown',
      summary: 'Every error and what to do, as Markdown.',
      produces: ['text/markdown'],
      errors: [],
      handle: madeOnce(async () => (await guides()).errors.markdown, MARKDOWN),
    }),
    defineRoute({
      ...route,
      path: '/docs/guides/:name.md',
      name: 'guideMarkdown',
      summary: 'A guide as Markdown.',
      produces: ['text/markdown'],
      errors: ['not_found'],
      async handle(call) {
        const guide = (await guides()).all.find(({ name }) => name === call.path.name)
        if (!guide) throw new ApiError('not_found')
        const answer = texts.get(guide.name) ?? madeOnce(() => guide.markdown, MARKDOWN)
        texts.set(guide.name, answer)
        return answer(call)
      },
    }),
  ]
}
