/** Pixels of packed RGBA, rows counted from the bottom as BMP does; transparent until painted. What is beyond a row's end is left out. */
export class Plane {
  readonly rgba: Uint8Array
  readonly #pixels: Uint32Array
  readonly #width: number
  readonly #height: number

  constructor(width: number, height: number) {
    this.rgba = new Uint8Array(width * height * 4)
    this.#pixels = new Uint32Array(this.rgba.buffer)
    this.#width = width
    this.#height = height
  }

  fill(row: number, x: number, count: number, colour: number): void {
    const from = this.#start(row)
    this.#pixels.fill(colour, from + Math.min(x, this.#width), from + Math.min(x + count, this.#width))
  }

  paint(row: number, x: number, count: number, colour: (nth: number) => number): void {
    const from = this.#start(row) + x
    const painted = Math.min(count, this.#width - x)
    for (let nth = 0; nth < painted; nth++) this.#pixels[from + nth] = colour(nth)
  }

  #start(row: number): number {
    return (this.#height - 1 - row) * this.#width
  }
}
