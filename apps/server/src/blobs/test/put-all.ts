import type { BlobStore } from 'pixelmill/bucket/blob-store'
import { text } from './noise.ts'

/** Puts a blob with its key as its content under each key, eight at a time. */
export async function putAll(store: BlobStore, keys: readonly string[]): Promise<void> {
  const rest = [...keys]
  const work = async () => {
    for (let key = rest.pop(); key !== undefined; key = rest.pop()) await store.put(key, text(key), { contentType: 'text/plain' })
  }
  await Promise.all(Array.from({ length: 8 }, work))
}
