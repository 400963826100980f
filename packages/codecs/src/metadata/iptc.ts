/** A dataset of IPTC-NAA (IIM 4.2, 1.5): record, number and data. */
export interface Dataset {
  readonly record: number
  readonly number: number
  readonly data: Buffer
}

const TAG = 0x1c
const HEADER_BYTES = 5
const LONGEST = 0x7fff
/** Keywords are a dataset each. */
const MOST_DATASETS = 2_000

/** The datasets of a block, up to the first damaged one. Extended ones, of more than 32 KB, are no metadata. */
export function datasetsIn(block: Buffer): readonly Dataset[] {
  const datasets: Dataset[] = []
  for (let at = 0; at + HEADER_BYTES <= block.length && block[at] === TAG && datasets.length < MOST_DATASETS; ) {
    const length = block.readUInt16BE(at + 3)
    const end = at + HEADER_BYTES + length
    if (length > LONGEST || end > block.length) break
    datasets.push({ record: block[at + 1] ?? 0, number: block[at + 2] ?? 0, data: block.subarray(at + HEADER_BYTES, end) })
    at = end
  }
  return datasets
}

export function serialiseDatasets(datasets: readonly Dataset[]): Buffer | undefined {
  if (!datasets.some(({ record }) => record === APPLICATION)) return undefined
  return Buffer.concat(
    datasets.flatMap(({ record, number, data }) => {
      const head = Buffer.from([TAG, record, number, 0, 0])
      head.writeUInt16BE(data.length, 3)
      return [head, data]
    }),
  )
}

/** The records of the envelope, which names the characters, and of the picture. */
export const ENVELOPE = 1
export const APPLICATION = 2
export const CODED_CHARACTER_SET = 90
/** ISO 2022's escape sequence for UTF-8. */
const UTF8 = '\x1b%G'

/** The texts of a dataset of the picture; in Latin-1 where the envelope does not say UTF-8. */
export const textsOf = (datasets: readonly Dataset[], wantedNumber: number): readonly string[] =>
  datasets
    .filter(({ record, number }) => record === APPLICATION && number === wantedNumber)
    .map(({ data }) => textOfDataset(data, datasets))
    .filter((text) => text !== '')

export function textOfDataset(data: Buffer, datasets: readonly Dataset[]): string {
  const set = datasets.find(({ record, number }) => record === ENVELOPE && number === CODED_CHARACTER_SET)
  const encoding = set?.data.toString('latin1') === UTF8 ? 'utf8' : 'latin1'
  return data.toString(encoding).replaceAll('\0', '').trim()
}
