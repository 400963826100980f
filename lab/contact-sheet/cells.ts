import sharp from 'sharp'
import type { Picture } from './pictures.ts'
import { cutOut, enhance, pngOf, type Service } from './service.ts'
import type { Cell, Row } from './sheet.ts'

interface Size {
  readonly width: number
  readonly height: number
}

/** A picture, its cut-out, and a detail of it before and after it was enhanced. */
export async function rowOf(service: Service, { name, file }: Picture, cell: Size): Promise<Row> {
  const [before, cut, after] = await Promise.all([pngOf(service, file), cutOut(service, file), enhance(service, file)])
  const resultPicture = after.image && (await pngOf(service, after.image))
  return [
    { words: name, image: before && (await whole(before, cell)) },
    { words: cut.words, image: cut.image && (await onCheckerboard(cut.image, cell)) },
    { words: after.before, image: before && (await detail(before, cell)) },
    { words: after.words, image: resultPicture && (await detail(resultPicture, cell)) },
  ] satisfies readonly Cell[]
}

const NOTHING = '#00000000'

const whole = (picture: Buffer, cell: Size): Promise<Buffer> =>
  sharp(picture)
    .resize({ ...cell, fit: 'contain', background: NOTHING })
    .png()
    .toBuffer()

const SQUARE = 8

async function onCheckerboard(cutOut: Buffer, cell: Size): Promise<Buffer> {
  const { data, info } = await sharp(cutOut)
    .resize({ ...cell, fit: 'inside' })
    .png()
    .toBuffer({ resolveWithObject: true })
  const board = `<svg xmlns="http://www.w3.org/2000/svg" width="${info.width}" height="${info.height}"><pattern id="board" width="${2 * SQUARE}" height="${2 * SQUARE}" patternUnits="userSpaceOnUse"><path d="M0 0h${SQUARE}v${2 * SQUARE}h${SQUARE}v-${SQUARE}h-${2 * SQUARE}Z" fill="#c9ccd1"/></pattern><path d="M0 0h${info.width}v${info.height}h-${info.width}Z" fill="#fff"/><path d="M0 0h${info.width}v${info.height}h-${info.width}Z" fill="url(#board)"/></svg>`
  return whole(
    await sharp(Buffer.from(board))
      .composite([{ input: data }])
      .png()
      .toBuffer(),
    cell,
  )
}

/** Share of the space left of a detail: objects in the middle begin about there. */
const LEFT = 0.36

/** A detail at its original resolution. */
async function detail(picture: Buffer, cell: Size): Promise<Buffer> {
  const { width, height } = await sharp(picture).metadata()
  const size = { width: Math.min(width, cell.width), height: Math.min(height, cell.height) }
  const left = Math.floor((width - size.width) * LEFT)
  const top = Math.floor((height - size.height) / 2)
  const cut = await sharp(picture)
    .extract({ left, top, ...size })
    .png()
    .toBuffer()
  return sharp(cut)
    .resize({ ...cell, fit: 'contain', withoutEnlargement: true, background: NOTHING })
    .png()
    .toBuffer()
}
