/** Bytes and score of an encode, of the small copy or of the whole picture. */
export interface Measure {
  /** Media type. */
  readonly type: string
  readonly bytes: number
  /** SSIMULACRA2; undefined where it is not known. */
  readonly score: number | undefined
}

/** The same settings of both. */
interface Pair {
  readonly copy: Measure
  readonly whole: Measure
}

/**
 * What encodes of a picture's small copy say of encodes of the whole picture: the ratio of bytes and the distance of scores are taken
 * from the most similar settings with which both were encoded.
 */
export class Calibration {
  readonly #copies = new Map<string, Measure>()
  readonly #wholes = new Map<string, Measure>()

  /** @param key of the settings */
  addCopy(key: string, measure: Measure): void {
    this.#copies.set(key, measure)
  }

  addWhole(key: string, measure: Measure): void {
    this.#wholes.set(key, measure)
  }

  /** Whether both are known with the same settings, in one format. */
  hasPair(key: string): boolean {
    const copy = this.#copies.get(key)
    return copy !== undefined && copy.type === this.#wholes.get(key)?.type
  }

  /**
   * The whole picture's bytes and score, about.
   * @param pixels of the whole picture for one of the copy
   */
  whole(copy: Measure, pixels: number): Pick<Measure, 'bytes' | 'score'> {
    const pair = this.#nearest(copy)
    const ratio = ratioOf(pair, pixels)
    const distance = pair?.whole.score === undefined || pair.copy.score === undefined ? 0 : pair.whole.score - pair.copy.score
    return {
      bytes: Math.round(copy.bytes * ratio),
      score: copy.score === undefined ? undefined : Math.min(100, copy.score + distance),
    }
  }

  /** How many bytes of the whole picture stand for one of the copy. */
  bytesPerByte(copy: Measure, pixels: number): number {
    return ratioOf(this.#nearest(copy), pixels)
  }

  #nearest(copy: Measure): Pair | undefined {
    const pairs = [...this.#wholes].flatMap(([key, whole]) => {
      const other = this.#copies.get(key)
      return other && other.type === whole.type ? [{ copy: other, whole }] : []
    })
    const distanceOf = (other: Measure) => (other.type === copy.type ? 0 : 100) + Math.abs(Math.log(other.bytes / copy.bytes))
    return pairs.sort((one, other) => distanceOf(one.copy) - distanceOf(other.copy))[0]
  }
}

const ratioOf = (pair: Pair | undefined, pixels: number): number => (pair ? pair.whole.bytes / pair.copy.bytes : pixels)
