/** CRC-32 of ISO 3309, as ZIP has it: of each byte's value, the rest after eight steps. */
const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1
  return rest
})

/** Of all bytes of a file, which is never in memory as a whole. @throws what the browser throws when it cannot read the file */
export async function crc32Of(file: Blob): Promise<number> {
  let rest = 0xffffffff
  const reader = file.stream().getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return (rest ^ 0xffffffff) >>> 0
    for (const byte of value) rest = (rest >>> 8) ^ (TABLE[(rest ^ byte) & 0xff] ?? 0)
  }
}
