/** Horizontal bars in panels, two beside each other, as an SVG that is readable on light and dark pages. */
export interface BarChart {
  readonly title: string
  /** Up to two lines: what a length of 1, the dashed line, stands for, and what the notes are. */
  readonly about: readonly string[]
  readonly panels: readonly Panel[]
}

export interface Panel {
  readonly title: string
  readonly bars: readonly Bar[]
}

export interface Bar {
  readonly name: string
  readonly value: number
  /** Words behind the value. */
  readonly note: string
  /** Drawn in the accent colour. */
  readonly own: boolean
}

const WIDTH = 880
const MARGIN = 16
const GAP = 24
const HEADER = 76
const PANEL_TITLE = 20
const ROW = 17
const BAR = 11
const BETWEEN = 18
const PANEL = (WIDTH - 2 * MARGIN - GAP) / 2
const NAMES = 104
const NOTES = 106
/** Longer bars are cut off, and say so by their value. */
const MOST = 2.5
const UNIT = (PANEL - NAMES - NOTES) / MOST

/** Its own background, since a page's theme and that of the browser, which the media query asks for, may differ. */
const STYLE = [
  'text{font:12px system-ui,-apple-system,"Segoe UI",sans-serif;fill:#1f2328}',
  '.t{font-size:15px;font-weight:600}.p{font-weight:600}.n{fill:#59636e}.g{fill:#fff;stroke:#d1d9e0}',
  '.b{fill:#9aa4af}.o{fill:#0a6cdb}.l{stroke:#59636e;stroke-dasharray:3 3}',
  '@media(prefers-color-scheme:dark){text{fill:#e6edf3}.n{fill:#9198a1}.g{fill:#0d1117;stroke:#3d444d}',
  '.b{fill:#656c76}.o{fill:#4493f8}.l{stroke:#9198a1}}',
].join('')

const escapeXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
const at = (value: number) => Number(value.toFixed(1))
const text = (x: number, y: number, words: string, kind = '', anchor = 'start') =>
  `<text x="${at(x)}" y="${at(y)}"${kind && ` class="${kind}"`}${anchor === 'start' ? '' : ` text-anchor="${anchor}"`}>${escapeXml(words)}</text>`

export function barChart({ title, about, panels }: BarChart): string {
  const heights = panels.map(({ bars }) => PANEL_TITLE + bars.length * ROW)
  const tops: number[] = []
  let height = HEADER
  for (let first = 0; first < panels.length; first += 2) {
    tops.push(height, height)
    height += Math.max(heights[first] ?? 0, heights[first + 1] ?? 0) + BETWEEN
  }
  const parts = panels.map((panel, nth) => drawPanel(panel, MARGIN + (nth % 2) * (PANEL + GAP), tops[nth] ?? 0))
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="${escapeXml(title)}">`,
    `<style>${STYLE}</style>`,
    `<rect class="g" x=".5" y=".5" width="${WIDTH - 1}" height="${height - 1}" rx="6"/>`,
    text(MARGIN, 24, title, 't'),
    ...about.map((line, nth) => text(MARGIN, 42 + 16 * nth, line, 'n')),
    ...parts,
    '</svg>\n',
  ].join('\n')
}

function drawPanel({ title, bars }: Panel, left: number, top: number): string {
  const start = left + NAMES
  const rows = bars.map(({ name, value, note, own }, nth) => {
    const y = top + PANEL_TITLE + nth * ROW
    const length = UNIT * Math.min(MOST, value)
    return [
      text(start - 6, y + 10, name, own ? 'p' : '', 'end'),
      `<rect class="${own ? 'o' : 'b'}" x="${at(start)}" y="${y}" width="${at(length)}" height="${BAR}"/>`,
      text(start + UNIT * MOST + 6, y + 10, value > MOST ? `${value.toFixed(1)} →` : value.toFixed(2), own ? 'p' : ''),
      text(left + PANEL, y + 10, note, 'n', 'end'),
    ].join('')
  })
  const line = at(start + UNIT)
  const end = top + PANEL_TITLE + bars.length * ROW
  return [
    text(left, top + 10, title, 'p'),
    ...rows,
    `<line class="l" x1="${line}" x2="${line}" y1="${top + PANEL_TITLE - 3}" y2="${end - 3}"/>`,
  ].join('\n')
}
