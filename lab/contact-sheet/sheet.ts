import sharp, { type OverlayOptions, type Sharp } from 'sharp'

/** One row of the sheet: a picture and its results. */
export type Row = readonly Cell[]

/** A picture for display, with two lines of text below it. */
export interface Cell {
  readonly image: Buffer | undefined
  readonly words: readonly [string, string]
}

const COLUMNS = 2
const GAP = 8
const LINE = 13
const PAPER = '#fbfbf9'
const INK = '#33373d'

interface Size {
  readonly width: number
  readonly height: number
}

const xml = (text: string): string => text.replace(/[&<>]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign] ?? '')

/** Rows in two columns. @param cell pixels of one picture */
export async function sheetOf(rows: readonly Row[], cell: Size): Promise<Sharp> {
  const across = Math.max(...rows.map((cells) => cells.length))
  const rowWidth = across * (cell.width + GAP)
  const width = GAP + COLUMNS * (rowWidth + GAP)
  const height = GAP + Math.ceil(rows.length / COLUMNS) * (cell.height + 2 * LINE + GAP)
  const overlays: OverlayOptions[] = []
  const texts: string[] = []
  for (const [at, cells] of rows.entries()) {
    const top = GAP + Math.floor(at / COLUMNS) * (cell.height + 2 * LINE + GAP)
    for (const [column, { image, words }] of cells.entries()) {
      const left = GAP + (at % COLUMNS) * (rowWidth + GAP) + column * (cell.width + GAP)
      if (image) overlays.push({ input: image, left, top })
      texts.push(...words.map((line, at) => `<text x="${left}" y="${top + cell.height + (at + 1) * LINE}">${xml(line)}</text>`))
    }
  }
  const labels = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="Helvetica, Arial, Liberation Sans, DejaVu Sans, sans-serif" font-size="11" fill="${INK}">${texts.join('')}</svg>`
  await checkFonts()
  return sharp({ create: { width, height, channels: 3, background: PAPER } }).composite([
    ...overlays,
    { input: Buffer.from(labels), left: 0, top: 0 },
  ])
}

/** @throws Error if there is no font: text would silently be left out. */
async function checkFonts(): Promise<void> {
  const word = '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="20"><text y="14">words</text></svg>'
  const { channels } = await sharp(Buffer.from(word)).stats()
  if (channels[3]?.max === 0)
    throw new Error('There is no font on this machine to write with; install one, such as fonts-dejavu-core.')
}
