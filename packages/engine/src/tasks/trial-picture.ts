const SIDE = 224
const HEADER_BYTES = 54

/** A disc on a light background, as a BMP, which needs no encoder to write. */
export function trialPicture(): Buffer {
  const rowBytes = SIDE * 3
  const bytes = Buffer.alloc(HEADER_BYTES + rowBytes * SIDE)
  bytes.write('BM', 'latin1')
  bytes.writeUInt32LE(bytes.length, 2)
  bytes.writeUInt32LE(HEADER_BYTES, 10)
  // BITMAPINFOHEADER: its size, width, height, planes, bits per pixel, and the size of the pixel data.
  bytes.writeUInt32LE(40, 14)
  bytes.writeInt32LE(SIDE, 18)
  bytes.writeInt32LE(SIDE, 22)
  bytes.writeUInt16LE(1, 26)
  bytes.writeUInt16LE(24, 28)
  bytes.writeUInt32LE(rowBytes * SIDE, 34)
  for (let y = 0; y < SIDE; y++) {
    for (let x = 0; x < SIDE; x++) {
      const inside = Math.hypot(x + 0.5 - SIDE / 2, y + 0.5 - SIDE / 2) < SIDE / 4
      bytes.fill(inside ? 60 : 225 + ((x + y) % 3), HEADER_BYTES + y * rowBytes + x * 3, HEADER_BYTES + y * rowBytes + x * 3 + 3)
    }
  }
  return bytes
}
