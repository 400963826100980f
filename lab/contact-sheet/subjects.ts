/** Objects like those of a shop's photographs, as SVG in a square of 100 × 100. Each part is a path with its colour. */
type Part = readonly [path: string, colour: string]

/** A circle or ellipse as a path. */
const round = (x: number, y: number, across: number, down = across): string =>
  `M${x - across} ${y}a${across} ${down} 0 1 0 ${2 * across} 0a${across} ${down} 0 1 0 ${-2 * across} 0Z`
const box = (x: number, y: number, width: number, height: number, corner = 0): string =>
  `M${x + corner} ${y}h${width - 2 * corner}q${corner} 0 ${corner} ${corner}v${height - 2 * corner}q0 ${corner} ${-corner} ${corner}h${2 * corner - width}q${-corner} 0 ${-corner} ${-corner}v${2 * corner - height}q0 ${-corner} ${corner} ${-corner}Z`

export const subjects = {
  mug: [
    [`${round(74, 52, 16, 18)} ${round(74, 52, 9, 11)}`, '#b8402e'],
    [box(22, 24, 52, 60, 8), '#d2513a'],
    [round(48, 27, 25, 5), '#5a1d14'],
  ],
  bottle: [
    ['M42 6h16v22q0 6 6 12t6 16v32q0 8 -8 8h-24q-8 0 -8 -8v-32q0 -10 6 -16t6 -12Z', '#2f6b4a'],
    [box(41, 4, 18, 8, 2), '#c9a24a'],
    [box(31, 56, 38, 24, 1), '#efe6cf'],
  ],
  vase: [
    ['M36 14h28q-2 12 6 22q12 14 6 34q-4 18 -16 20h-20q-12 -2 -16 -20q-6 -20 6 -34q8 -10 6 -22Z', '#3d6ea8'],
    ['M27 50q23 8 46 0l3 8q-26 9 -52 0Z', '#e8eef5'],
    [round(50, 15, 14, 3), '#1d3a5c'],
  ],
  lamp: [
    ['M36 12h28l14 34h-56Z', '#e6b34a'],
    [box(47, 46, 6, 36), '#6d5a44'],
    [round(50, 86, 22, 6), '#4a3c2d'],
  ],
  pear: [
    ['M50 18q12 0 13 18q1 12 10 22q9 12 1 26q-8 10 -24 10t-24 -10q-8 -14 1 -26q9 -10 10 -22q1 -18 13 -18Z', '#a9b83a'],
    ['M48 20q0 -10 7 -16l3 2q-6 6 -5 14Z', '#5d4427'],
  ],
  apple: [
    ['M50 28q20 -14 32 4q8 18 -4 42q-10 20 -28 14q-18 6 -28 -14q-12 -24 -4 -42q12 -18 32 -4Z', '#b5262c'],
    ['M48 30q0 -12 4 -20l4 1q-4 9 -4 19Z', '#5d4427'],
    ['M54 18q10 -12 24 -8q-6 14 -24 8Z', '#4f8a34'],
  ],
  lemon: [
    ['M12 52q6 -2 10 -10q10 -18 30 -18q22 0 30 18q2 8 8 10q-4 4 -8 12q-10 18 -30 18q-22 0 -30 -18q-4 -10 -10 -12Z', '#e8c72e'],
  ],
  mushroom: [
    ['M40 50h20q-2 20 6 38q-16 8 -32 0q8 -18 6 -38Z', '#e9dcc3'],
    ['M12 54q0 -40 38 -42q38 2 38 42q-38 12 -76 0Z', '#a8452f'],
    [`${round(36, 32, 6)} ${round(58, 24, 5)} ${round(70, 42, 6, 5)} ${round(46, 48, 4, 3)}`, '#f1e6d2'],
  ],
  cactus: [
    [
      'M42 70v-46q0 -12 8 -12t8 12v14h6q6 0 6 -6v-8q0 -6 5 -6t5 6v12q0 12 -12 12h-10v22ZM42 56h-8q-12 0 -12 -12v-8q0 -6 5 -6t5 6v6q0 4 4 4h6Z',
      '#3f7d4c',
    ],
    ['M28 68h44l-6 26h-32Z', '#b8683c'],
  ],
  sneaker: [
    ['M10 44q10 8 22 -6l8 -6q10 16 30 22q18 4 20 16v6h-80Z', '#3a5fa0'],
    [box(9, 74, 82, 10, 5), '#f0efe9'],
    ['M36 42l10 -6l2 3l-10 6ZM42 50l10 -6l2 3l-10 6ZM50 56l10 -5l2 3l-10 5Z', '#f4f4f0'],
  ],
  book: [
    ['M20 20l46 -8v66l-46 10Z', '#7a2f4a'],
    ['M66 12l14 8v66l-14 -8Z', '#efe7d6'],
    ['M20 88l46 -10l14 8l-46 8Z', '#d8cdb6'],
    ['M28 32l28 -5v6l-28 5ZM28 44l22 -4v4l-22 4Z', '#e3bd6a'],
  ],
  clock: [
    [`${round(28, 18, 11)} ${round(72, 18, 11)}`, '#b08a3c'],
    ['M24 86l8 -14l6 4l-8 14ZM76 86l-8 -14l-6 4l8 14Z', '#574a35'],
    [round(50, 52, 34), '#2d4f57'],
    [round(50, 52, 27), '#f3f0e6'],
    ['M48 34h4v18l12 8l-2 3l-14 -9Z', '#22262b'],
  ],
  bulb: [
    ['M50 8q28 0 28 28q0 14 -10 24q-6 6 -6 12h-24q0 -6 -6 -12q-10 -10 -10 -24q0 -28 28 -28Z', '#f2dc8c'],
    [box(38, 72, 24, 16, 3), '#8d9299'],
    [round(50, 90, 7, 4), '#3b3e43'],
  ],
  teapot: [
    ['M70 40q22 -6 22 14q0 18 -24 20l2 -8q14 -2 14 -12q0 -10 -14 -6Z', '#557a78'],
    ['M30 50q-8 0 -12 -14l-10 -4q6 34 26 34Z', '#557a78'],
    [round(50, 58, 30, 28), '#6a9592'],
    ['M32 34q18 -10 36 0Z', '#4b6d6b'],
    [round(50, 26, 6), '#c78b4b'],
  ],
  ball: [
    [round(50, 52, 38), '#e9e4d8'],
    ['M50 14q-26 34 0 76q-26 0 -36 -26q-6 -36 36 -50Z', '#cf4436'],
    ['M50 14q26 34 0 76q24 2 36 -24q6 -38 -36 -52Z', '#2f6fb0'],
  ],
  gift: [
    [box(18, 40, 64, 50, 2), '#8a3f7a'],
    [box(14, 30, 72, 14, 2), '#a04f8e'],
    [box(44, 30, 12, 60), '#e8c95a'],
    ['M50 30q-24 -4 -22 -16q6 -10 22 16q16 -26 22 -16q2 12 -22 16Z', '#e8c95a'],
  ],
  umbrella: [
    ['M48 10h4v64q0 16 -14 16q-12 0 -12 -12h5q0 7 7 7q9 0 9 -11Z', '#4d3a2a'],
    ['M6 52q4 -38 44 -40q40 2 44 40q-8 -8 -15 0q-7 -8 -14 0q-8 -8 -15 0q-7 -8 -15 0q-7 -8 -14 0q-7 -8 -15 0Z', '#c4522b'],
  ],
  fish: [
    ['M72 50l22 -20q-4 20 0 40Z', '#c97a2a'],
    ['M6 52q20 -30 48 -24q18 4 24 24q-6 20 -24 24q-28 6 -48 -24Z', '#e0953a'],
    ['M36 30q4 22 0 42l-6 -2q6 -20 0 -38ZM56 29q4 22 0 46l-6 1q6 -22 0 -48Z', '#f6ead8'],
    [round(20, 48, 3), '#1b1d20'],
  ],
  chair: [
    [box(26, 6, 6, 88), '#8a5a34'],
    [box(68, 52, 6, 42), '#7a4e2c'],
    [box(26, 10, 40, 8, 2), '#9c683e'],
    [box(26, 26, 40, 8, 2), '#9c683e'],
    [box(24, 50, 54, 9, 3), '#b07a4a'],
  ],
  key: [
    [`${round(28, 34, 20)} ${round(28, 34, 10)}`, '#b3974f'],
    ['M40 44l46 34l-4 6l-6 -4l-4 6l-6 -5l4 -6l-8 -6l-5 7l-6 -5l5 -7l-20 -15Z', '#a88b43'],
  ],
} as const satisfies Readonly<Record<string, readonly Part[]>>

export type SubjectName = keyof typeof subjects

/** A whole SVG of one subject: lit from the left, all parts by the same light. */
export function drawing(name: SubjectName, side: number): string {
  const parts = subjects[name].map(
    ([path, colour]) =>
      `<path d="${path}" fill="${colour}" fill-rule="evenodd"/><path d="${path}" fill="url(#light)" fill-rule="evenodd"/>`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}" viewBox="0 0 100 100"><defs>
<linearGradient id="light" gradientUnits="userSpaceOnUse" x1="10" y1="10" x2="90" y2="90"><stop offset="0" stop-color="#fff" stop-opacity=".34"/>
<stop offset=".45" stop-color="#fff" stop-opacity="0"/><stop offset="1" stop-color="#000" stop-opacity=".42"/></linearGradient></defs>${parts.join('')}</svg>`
}
