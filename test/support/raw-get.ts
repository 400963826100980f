import http from 'node:http'
import { buffer } from 'node:stream/consumers'

/** A GET with these headers and no others, its answer as it came: fetch would ask for encodings and undo them. */
export async function rawRequest(url: string, headers: Readonly<Record<string, string>>) {
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>()
  http.get(url, { headers }, resolve).on('error', reject)
  const response = await promise
  return { status: response.statusCode, headers: response.headers, bytes: await buffer(response) }
}
