import { api } from '../../api/client.ts'
import { encodedPath } from './delivery-url.ts'

/** Twice the width of a tile, for dense screens; the format is what the browser takes. */
const QUERY = 'w=320&f=auto'

/** Signed URLs by source and path: they are signed once while the dashboard is open. */
const urls = new Map<string, Promise<string>>()

/** The URL of a small picture of a file. @param path not encoded @throws ApiFailure */
export function thumbnailUrl(source: string, path: string): Promise<string> {
  const key = `${source}/${path}`
  const knownUrl = urls.get(key)
  if (knownUrl) return knownUrl
  const signing = signedUrl(source, path, QUERY)
  urls.set(key, signing)
  // The next tile of the file asks again.
  signing.catch(() => urls.delete(key))
  return signing
}

/** @param path not encoded @throws ApiFailure */
export async function signedUrl(source: string, path: string, query: string): Promise<string> {
  const { url } = await api.post('/api/user/sources/{name}/sign', {
    path: { name: source },
    body: { path: encodedPath(path), query },
  })
  return url
}
