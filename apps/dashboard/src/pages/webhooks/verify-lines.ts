/** A complete receiver: it verifies the raw body before it parses it. */
export const VERIFY_LINES = `import { createServer } from 'node:http'
import { Webhook } from 'standardwebhooks'

const webhook = new Webhook(process.env.WEBHOOK_SECRET ?? '')

createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray())
  try {
    const event = webhook.verify(body, request.headers as Record<string, string>)
    response.writeHead(204).end()
    console.log(event)
  } catch {
    response.writeHead(401).end()
  }
}).listen(process.env.PORT ?? 8080)`
