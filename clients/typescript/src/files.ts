/** What can be sent as a file. In Node, a Buffer is a Uint8Array; a stream is read into memory. */
export type FileInput = Blob | Uint8Array | ArrayBuffer | ReadableStream<Uint8Array>

/** An image: its file, or the address from which the server fetches it. */
export type ImageInput = FileInput | URL

/** A form; fields that are undefined are left out, and objects are sent as JSON. */
export async function formOf(
  fields: Readonly<Record<string, unknown>>,
  files: Readonly<Record<string, FileInput>>,
): Promise<FormData> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields))
    if (value !== undefined) form.set(name, isPoint(value) ? `${value.x},${value.y}` : textOf(value))
  for (const [name, file] of Object.entries(files)) {
    const blob = await blobOf(file)
    form.set(name, blob, 'name' in blob && typeof blob.name === 'string' ? blob.name : name)
  }
  return form
}

/** In forms, `gravity` is `0.3,0.6`. */
const isPoint = (value: unknown): value is { readonly x: number; readonly y: number } =>
  typeof value === 'object' && value !== null && 'x' in value && 'y' in value

const textOf = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))

export const isFile = (value: object): value is FileInput =>
  value instanceof Blob || value instanceof Uint8Array || value instanceof ArrayBuffer || value instanceof ReadableStream

export async function blobOf(file: FileInput): Promise<Blob> {
  if (file instanceof Blob) return file
  if (file instanceof ReadableStream) return await new Response(file).blob()
  return new Blob([file as Uint8Array<ArrayBuffer>])
}

/** An image as AI endpoints take it. */
export async function dataUri(file: FileInput): Promise<string> {
  const bytes = new Uint8Array(await (await blobOf(file)).arrayBuffer())
  // The type is recognised by the first bytes, whatever is said here.
  return `data:application/octet-stream;base64,${base64(bytes)}`
}

/** In pieces, since a call has at most some ten thousand parameters. */
export function base64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192))
  return btoa(text)
}

/** The bytes of a text in Base64 or base64url. */
export const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0))
