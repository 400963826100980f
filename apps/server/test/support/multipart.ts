/** Hand-written multipart bodies, for what a browser would never send. */

export interface Part {
  readonly name?: string
  readonly file?: string
  readonly headers?: readonly string[]
  readonly content: Buffer | string
}

export const BOUNDARY = 'boundary-of-tests'

export function multipart(parts: readonly Part[], end = `--${BOUNDARY}--\r\n`): Buffer {
  const writtenBytes = parts.map(({ name, file, headers = [], content }) => {
    const attributes = [
      'form-data',
      ...(name === undefined ? [] : [`name="${name}"`]),
      ...(file === undefined ? [] : [`filename="${file}"`]),
    ].join('; ')
    const head = [`--${BOUNDARY}`, `Content-Disposition: ${attributes}`, ...headers].join('\r\n')
    return Buffer.concat([Buffer.from(`${head}\r\n\r\n`), Buffer.from(content), Buffer.from('\r\n')])
  })
  return Buffer.concat([...writtenBytes, Buffer.from(end)])
}
