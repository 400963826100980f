import type { Route, Webhook } from '../route.ts'
import { headerParameter } from './request.ts'
import { jsonSchema } from './schema.ts'

const header = ([name, description]: readonly [string, string]) => ({
  ...headerParameter([name, { description }]),
  required: true,
  schema: { type: 'string' },
})

const describeWebhook = (tag: string, { name, summary, headers, body }: Webhook) => ({
  post: {
    operationId: name,
    tags: [tag],
    summary,
    // Whoever receives it is asked for nothing; that it came from here, its signature says.
    security: [],
    parameters: Object.entries(headers).map(header),
    requestBody: { required: true, content: { 'application/json': { schema: jsonSchema(body, 'output') } } },
    responses: { '2XX': { description: 'Taken. After any other status it is sent again, but for 410.' } },
  },
})

/** What the routes cause to be sent to receivers. */
export const webhooks = (routes: readonly Route[]) =>
  Object.fromEntries(
    routes.flatMap(({ tag, webhooks = [] }) => webhooks.map((webhook) => [webhook.name, describeWebhook(tag, webhook)] as const)),
  )
