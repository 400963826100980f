import type { TaskRunner } from '@pixelmill/engine/rendering/pool'
import sharp from 'sharp'
import { externalRemover } from '../../src/background/external-remover.ts'
import type { GuardLimits } from '../../src/background/guards.ts'
import type { Remover } from '../../src/background/remover.ts'
import { readConfig } from '../../src/config.ts'
import { parseAllowList } from '../../src/outbound/allow-list.ts'
import { openOutbound } from '../../src/outbound/outbound.ts'
import { KEY } from './fake-remove-bg.ts'

/** The server's limits, but shorter. */
export const quick: GuardLimits = { atOnce: 2, waiting: 2, failures: 5, pauseMs: 1_000, waitsMs: [10, 20] }

export interface OpenRemover extends AsyncDisposable {
  readonly remover: Remover
  /** Outcomes of requests, in order. */
  readonly outcomes: readonly string[]
  /** Messages for the operator. */
  readonly reported: readonly string[]
}

/** The remover that a server with these settings builds; its outbound client is real. */
export function openRemover(
  runner: TaskRunner,
  url: string,
  settings: Readonly<Record<string, string>> = {},
  limits = quick,
): OpenRemover {
  const outbound = openOutbound({ allow: parseAllowList('') })
  const outcomes: string[] = []
  const reportedTexts: string[] = []
  const events = {
    onAnswer: (outcome: string) => void outcomes.push(outcome),
    onFault: (words: string) => void reportedTexts.push(words),
  }
  const config = readConfig({ BG_PROVIDER: 'removebg', BG_PROVIDER_URL: url, BG_PROVIDER_KEY: KEY, ...settings })
  const remover = externalRemover(config, { poolOf: () => runner, outbound, events }, limits)
  if (!remover) throw new Error('no service is set')
  return { remover, outcomes, reported: reportedTexts, [Symbol.asyncDispose]: () => outbound.close() }
}

export const png = { format: 'png', least: 0.7, account: 'an account' } as const

/** A photograph of a red disc before a drifting grey. */
export const photograph = (width = 240, height = 180): Promise<Buffer> =>
  sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><defs><linearGradient id="wall">
      <stop offset="0" stop-color="#cdd5da"/><stop offset="1" stop-color="#eef1f3"/></linearGradient></defs>
      <rect width="100%" height="100%" fill="url(#wall)"/>
      <circle cx="50%" cy="50%" r="${0.35 * Math.min(width, height)}" fill="#a31f34"/></svg>`,
    ),
  )
    .removeAlpha()
    .jpeg({ quality: 95, chromaSubsampling: '4:4:4' })
    .toBuffer()
