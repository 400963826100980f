/** A file as the API accepts pictures in JSON. Its media type is omitted: browsers know few types, and the first bytes decide. */
export function toDataUri(file: File): Promise<string> {
  const reader = new FileReader()
  return new Promise((resolve, reject) => {
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () =>
      reject(new Error('The file cannot be read: it has changed or gone since it was chosen. Choose it again.'))
    reader.readAsDataURL(new Blob([file], { type: 'application/octet-stream' }))
  })
}

/** A picture of an answer. `fetch` is not used, since the page's policy does not allow it for `data:` addresses. */
export function fromDataUri(uri: string): Blob {
  const comma = uri.indexOf(',')
  const characters = atob(uri.slice(comma + 1))
  const bytes = new Uint8Array(characters.length)
  for (let at = 0; at < bytes.length; at++) bytes[at] = characters.charCodeAt(at)
  return new Blob([bytes], { type: uri.slice('data:'.length, uri.indexOf(';')) })
}

/** The extension of a picture's media type. */
export const extensionOf = (mime: string): string => mime.replace('image/', '').replace('jpeg', 'jpg')
