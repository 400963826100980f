import type { ImagesManifest, SourceDescription } from './api-types.ts'
import { PixelmillError } from './error.ts'

/** An image that the server has made. */
export interface Picture {
  /** The name of its output in the recipe; else `image`. */
  readonly name: string
  /** Such as `webp`. */
  readonly format: string
  /** Its media type, such as `image/webp`. */
  readonly type: string
  readonly width: number
  readonly height: number
  readonly bytes: Uint8Array<ArrayBuffer>
  /** The file as it came, since nothing smaller looks as good. */
  readonly keptSource?: true
  /** Headers of the answer: `x-saved-percent`, `x-quality-score`, `x-image-warnings` and others. */
  readonly headers: Headers
}

/** The images of a recipe, and what they were made from. */
export interface Preparation {
  readonly pictures: readonly Picture[]
  readonly source: SourceDescription
}

/** The image or the images of an answer. @throws PixelmillError */
export async function picturesOf(response: Response, name: string): Promise<readonly Picture[]> {
  const type = response.headers.get('content-type') ?? ''
  if (boundaryOf(response) !== undefined) return (await manifestOf(response)).pictures
  if (!type.startsWith('image/')) throw notUnderstood()
  return [pictureOf(name, type, new Uint8Array(await response.arrayBuffer()), response.headers)]
}

/** The images of an answer, and the description of the source that its manifest has. @throws PixelmillError */
export async function preparationOf(response: Response): Promise<Preparation> {
  const { pictures, source } = await manifestOf(response)
  if (!source) throw notUnderstood()
  return { pictures, source }
}

const boundaryOf = ({ headers }: Response) =>
  /^multipart\/mixed; boundary="([^"]+)"$/.exec(headers.get('content-type') ?? '')?.[1]

/** One image. @throws PixelmillError */
export async function pictureIn(response: Response): Promise<Picture> {
  const [first] = await picturesOf(response, 'image')
  if (!first) throw notUnderstood()
  return first
}

const notUnderstood = () => new PixelmillError('not_understood', 'The answer has no image: it is not of Pixelmill.')

function pictureOf(name: string, type: string, bytes: Uint8Array<ArrayBuffer>, headers: Headers): Picture {
  const side = (of: string) => Number(headers.get(`x-image-${of}`))
  const keptSource = headers.get('x-kept-source') === 'true'
  const facts = { name, format: type.slice('image/'.length), type, width: side('width'), height: side('height'), bytes, headers }
  return keptSource ? { ...facts, keptSource } : facts
}

interface Part {
  readonly headers: Headers
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** The manifest is the first part, the images follow in its order. */
async function manifestOf(response: Response) {
  const { headers } = response
  const boundary = boundaryOf(response)
  if (boundary === undefined) throw notUnderstood()
  const [first, ...parts] = partsOf(new Uint8Array(await response.arrayBuffer()), boundary)
  const { outputs, source } = JSON.parse(new TextDecoder().decode(first?.bytes)) as ImagesManifest
  const pictures = outputs.map(({ name, format, width, height, keptSource }, index): Picture => {
    const part = parts[index]
    if (!part) throw notUnderstood()
    const facts = { name, format, width, height, bytes: part.bytes, type: part.headers.get('content-type') ?? '', headers }
    return keptSource ? { ...facts, keptSource } : facts
  })
  return { pictures, source }
}

/** RFC 2046, §5.1; the server says the length of each part. */
function partsOf(bytes: Uint8Array<ArrayBuffer>, boundary: string): readonly Part[] {
  const parts: Part[] = []
  const delimiter = boundary.length + '--\r\n'.length
  for (let at = 0; ; ) {
    const end = endOfHead(bytes, at)
    if (end < 0) return parts
    const lines = new TextDecoder().decode(bytes.subarray(at + delimiter, end)).split('\r\n')
    const headers = new Headers(
      lines.map((line): [string, string] => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]),
    )
    const start = end + '\r\n\r\n'.length
    const stop = start + Number(headers.get('content-length'))
    parts.push({ headers, bytes: bytes.slice(start, stop) })
    at = stop + '\r\n'.length
  }
}

/** The place of the empty line that ends a head; -1 without one. */
function endOfHead(bytes: Uint8Array, from: number): number {
  for (let at = from; at + 3 < bytes.length; at++)
    if (bytes[at] === 13 && bytes[at + 1] === 10 && bytes[at + 2] === 13 && bytes[at + 3] === 10) return at
  return -1
}
