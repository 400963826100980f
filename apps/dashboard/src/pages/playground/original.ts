import { api } from '../../api/client.ts'
import { send } from '../../api/send.ts'

/** A picture of a source. */
export interface Place {
  readonly source: string
  /** Percent-encoded, as its URLs have it. */
  readonly path: string
}

/** The picture as it is, by a signed URL. @throws ApiFailure; AbortError */
export async function originalOf({ source, path }: Place, signal: AbortSignal): Promise<File> {
  const signing = { path: { name: source }, body: { path, query: 'f=same' }, signal }
  const { url } = await api.post('/api/user/sources/{name}/sign', signing)
  const blob = await (await send(url, { signal })).blob()
  const name = decodeURIComponent(path.split('/').at(-1) ?? 'picture')
  return new File([blob], name, { type: blob.type })
}
