import type { Layout } from './layout.ts'

const [DIFFERENCE, FLOATING_POINT] = [2, 3]

/** Undoes in place, for one row of a chunk, what makes neighbours alike before they are compressed; `stride` is the samples of a pixel. */
export function undoPredictor(row: Uint8Array, layout: Layout, stride: number): void {
  const bytes = layout.bits / 8
  if (layout.predictor === DIFFERENCE) addUp(row, bytes, stride, layout.littleEndian)
  else if (layout.predictor === FLOATING_POINT) gather(row, bytes, stride, layout.littleEndian)
}

/** TIFF 6.0, section 14: each sample is the difference to the one of the pixel before. */
function addUp(row: Uint8Array, bytes: number, stride: number, littleEndian: boolean): void {
  for (let at = stride * bytes; at + bytes <= row.length; at += bytes) {
    let carry = 0
    for (let place = 0; place < bytes; place++) {
      const byte = at + (littleEndian ? place : bytes - 1 - place)
      carry += (row[byte] ?? 0) + (row[byte - stride * bytes] ?? 0)
      row[byte] = carry
      carry >>= 8
    }
  }
}

/** Adobe's TIFF Technical Note 3: first the highest bytes of all samples, then the next ones, differences of bytes throughout. */
function gather(row: Uint8Array, bytes: number, stride: number, littleEndian: boolean): void {
  for (let at = stride; at < row.length; at++) row[at] = (row[at] ?? 0) + (row[at - stride] ?? 0)
  const planes = new Uint8Array(row)
  const samples = Math.floor(row.length / bytes)
  for (let sample = 0; sample < samples; sample++)
    for (let place = 0; place < bytes; place++)
      row[sample * bytes + (littleEndian ? bytes - 1 - place : place)] = planes[place * samples + sample] ?? 0
}
