export const SOAK_BOUNDARY = 'pixelmill-soak-1f60c2'

/** An upload as bytes, which can be cut anywhere. */
export function multipartOf(fields: Readonly<Record<string, string>>, image: Buffer): Buffer {
  const head = (rest: string) => Buffer.from(`--${SOAK_BOUNDARY}\r\ncontent-disposition: form-data; ${rest}\r\n\r\n`)
  return Buffer.concat([
    ...Object.entries(fields).flatMap(([name, value]) => [head(`name="${name}"`), Buffer.from(`${value}\r\n`)]),
    head('name="image"; filename="image.jpg"'),
    image,
    Buffer.from(`\r\n--${SOAK_BOUNDARY}--\r\n`),
  ])
}
