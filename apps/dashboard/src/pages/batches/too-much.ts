import type { Answer } from '../../api/client.ts'
import { shownBytes, shownLimit } from '../../shown/bytes.ts'
import { shownNumber } from '../../shown/numbers.ts'
import { bytesToSend, type Outline, picturesOf } from './outline.ts'

export type BatchLimits = Answer<'/api/v2/batch/limits', 'get'>

/** Why the server would refuse a batch: a sentence, and the address of a page that helps, if there is one. */
export interface Refusal {
  readonly text: string
  readonly help?: { readonly href: string; readonly label: string }
}

interface Allowed {
  /** Undefined until it is known. */
  readonly limits: BatchLimits | undefined
  /** Calls or credits; null is unlimited. */
  readonly callsLeft: number | null | undefined
  readonly paysWithCredits: boolean
}

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0)

/** Checked before the upload; the server checks again. */
export function whyRefused(outline: Outline, { limits, callsLeft, paysWithCredits }: Allowed): Refusal | undefined {
  const { archive, files } = outline
  const bytes = bytesToSend(outline)
  if (files && picturesOf(outline).length === 0)
    return { text: archive ? 'This ZIP contains no pictures.' : 'None of these files is a picture that can be read.' }
  if (limits && bytes > limits.archiveBytes)
    return {
      text: `This makes ${shownBytes(bytes)}; one batch may have ${shownLimit(limits.archiveBytes)}. Send several batches.`,
    }
  if (!files) return undefined
  // Files of an archive that are not pictures are sent too, and count.
  const pictures = archive ? files : picturesOf(outline)
  if (limits && pictures.length > limits.entries)
    return {
      text: `These are ${shownNumber(pictures.length)} files; one batch may have ${shownNumber(limits.entries)}. Send several batches.`,
    }
  const totalBytes = sum(pictures.map((file) => file.bytes))
  if (limits && totalBytes > limits.unpackedBytes)
    return { text: `Unpacked this is ${shownBytes(totalBytes)}; one batch may have ${shownLimit(limits.unpackedBytes)}.` }
  return whyUnpaid(picturesOf(outline).length, callsLeft, paysWithCredits)
}

function whyUnpaid(pictures: number, left: number | null | undefined, paysWithCredits: boolean): Refusal | undefined {
  if (left == null || pictures <= left) return undefined
  const [unit, help] = paysWithCredits
    ? ['credits', { href: '/credits', label: 'Get credits' }]
    : ['calls of this month', { href: '/usage', label: 'See the usage' }]
  return {
    text: `Each of the ${shownNumber(pictures)} pictures costs one call, and ${shownNumber(left)} ${unit} are left. Send fewer.`,
    help,
  }
}
