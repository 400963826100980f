import { type Credential, readCredential } from '@pixelmill/engine/provenance/credential'
import type { ConfinedRenderers } from '@pixelmill/engine/rendering/sandbox/renderers'
import { type FoundModels, findModels } from 'pixelmill/models/find-models'
import type { KeySecret } from './ai/key-vault.ts'
import { secretsWithFile } from './ai/secret-file.ts'
import type { Config } from './config.ts'
import { holdDataFolder, makeDataFolder } from './database/data-folder.ts'
import type { DatabaseTarget } from './database/database.ts'
import { type EmbeddedOptions, startEmbedded } from './database/embedded/server.ts'
import type { Log } from './log.ts'

interface DataAccess {
  readonly dataDir: string
  readonly target: DatabaseTarget
  /** For the AI keys that accounts save; undefined if they cannot save any. */
  readonly keySecrets: readonly KeySecret[] | undefined
}

export interface Rendering {
  readonly found: FoundModels
  readonly renderers: ConfinedRenderers
  /** Present if results are signed. */
  readonly credential?: Credential
}

/** Starts slow programs as soon as the settings are known, while the rest of our code is loaded. */
export interface Early extends AsyncDisposable {
  /** Rejects with a StartError. */
  readonly data: Promise<DataAccess>
  /** Rejects with a StartError. */
  readonly rendering: Promise<Rendering>
}

export function beginEarly(config: Config, log: Log, phases: StartPhases): Early {
  const openedStack = new AsyncDisposableStack()
  const data = phases.during('postgres', () => openData(config, log, openedStack))
  const rendering = phases.during('confinement', () => prepareRendering(config))
  // A failure is handled where the promises are awaited; until then it must not count as an unhandled rejection.
  const settledOutcomes = Promise.allSettled([data, rendering])
  return {
    data,
    rendering,
    async [Symbol.asyncDispose]() {
      await settledOutcomes
      await openedStack.disposeAsync()
    },
  }
}

async function prepareRendering(config: Config): Promise<Rendering> {
  // Loaded with the tasks and their codecs, 160 files, while PostgreSQL starts.
  const { confineRenderers } = await import('@pixelmill/engine/rendering/sandbox/renderers')
  const { RENDERERS_KEPT } = await import('@pixelmill/engine/rendering/worker')
  // Workers run no requests that need models.
  const foundModels = config.ROLE === 'worker' ? {} : await findModels(config)
  const { C2PA_CERTIFICATE: certificate, C2PA_PRIVATE_KEY: key } = config
  const credential = certificate && key ? readCredential(certificate, key) : undefined
  return {
    found: foundModels,
    renderers: await confineRenderers(
      { ...config, startAtOnce: RENDERERS_KEPT, programPath: process.env.PATH },
      foundModels.grants,
    ),
    ...(credential && { credential }),
  }
}

/**
 * With an embedded database, its server locks the folder. With DATABASE_URL, the processes of one service may share it for files.
 */
async function openData(config: Config, log: Log, openedStack: AsyncDisposableStack): Promise<DataAccess> {
  const { DATA_DIR: dir, DATABASE_URL: url, AI_KEY_ENCRYPTION_SECRET: setting } = config
  if (url !== undefined) {
    // A file of this server would not be known to other servers on the database.
    if (!setting) log.info('accounts can save no AI keys: with DATABASE_URL, set AI_KEY_ENCRYPTION_SECRET on every server')
    return { dataDir: await makeDataFolder(dir), target: { url }, keySecrets: setting }
  }
  const folder = await holdDataFolder(dir)
  openedStack.defer(() => folder.release())
  const keySecrets = await secretsWithFile(folder.path, setting)
  const embeddedPostgres = await startEmbedded({ dataDir: folder.path, ...postgresLog(log) })
  openedStack.defer(() => embeddedPostgres.stop())
  return { dataDir: folder.path, target: { socketDir: embeddedPostgres.socketDir }, keySecrets }
}

/** Lines of PostgreSQL's log that an operator must see: one of its processes died, or the disk is full. */
const ALARMING = /^PANIC|was terminated by signal|No space left/

function postgresLog(parent: Log): Omit<EmbeddedOptions, 'dataDir'> {
  const log = parent.child({ component: 'postgres' })
  return {
    onLog: (line) => log[ALARMING.test(line) ? 'warn' : 'debug'](line),
    outages: {
      onEnd: (reason, nextTryInSeconds) => log.error({ reason, nextTryInSeconds }, 'PostgreSQL is away'),
      onBack: (seconds) => log.warn({ seconds: Number(seconds.toFixed(1)) }, 'PostgreSQL is back'),
    },
  }
}

/** Start and end of each phase of a start, in milliseconds since the process started. */
export type PhaseTimes = Readonly<Record<string, readonly [began: number, ended: number]>>

/** Measures the phases of a start, for the log and the benchmarks. */
export interface StartPhases {
  during<Result>(name: string, work: () => Promise<Result>): Promise<Result>
  times(): PhaseTimes
}

export function startPhases(): StartPhases {
  const times: Record<string, readonly [number, number]> = {}
  return {
    async during(name, work) {
      const began = performance.now()
      try {
        return await work()
      } finally {
        times[name] = [Math.round(began), Math.round(performance.now())]
      }
    },
    times: () => times,
  }
}

/** Like Promise.all, but when it rejects, nothing is running any more: what was opened meanwhile can be closed. */
export async function allDone<Results extends readonly unknown[]>(
  work: {
    readonly [At in keyof Results]: Promise<Results[At]>
  },
): Promise<Results> {
  await Promise.allSettled(work)
  return (await Promise.all(work)) as unknown as Results
}
