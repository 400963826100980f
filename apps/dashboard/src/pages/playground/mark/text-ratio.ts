const TRIAL_PX = 100
/** Height of a line of DejaVu divided by the font's size. */
const LINE = 1.17

const families: Readonly<Record<string, string>> = { sans: 'sans-serif', serif: 'serif', mono: 'monospace' }

/** The height of a text divided by its width, about as the server will draw it; the browser may have other fonts. */
export function textRatio(text: string, font: string, weight: string): number {
  const pen = document.createElement('canvas').getContext('2d')
  const lines = text.split('\n')
  if (!pen || text.trim() === '') return LINE
  pen.font = `${weight} ${TRIAL_PX}px "DejaVu Sans", ${families[font] ?? 'sans-serif'}`
  const width = Math.max(1, ...lines.map((line) => pen.measureText(line).width))
  return (lines.length * LINE * TRIAL_PX) / width
}
