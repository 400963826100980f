import http from 'node:http'
import { buffer } from 'node:stream/consumers'

/** A GET with exactly these headers, and its undecoded response: fetch would request encodings and decode them. */
export async function rawRequest(url: string, headers: Readonly<Record<string, string>>) {
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>()
  http.get(url, { headers }, resolve).on('error', reject)
  const response = await promise
  return { status: response.statusCode, headers: response.headers, bytes: await buffer(response) }
}
