import { createRequire } from 'node:module'
import { join } from 'node:path'
import { packageFolder, ROOT } from '@pixelmill/codecs/installation'

/** A model does not work as required. The message names no path, since it is public at /readyz. */
export class ModelFault extends Error {
  override readonly name = 'ModelFault'
}

/** One picture as planes of floats. */
export interface Tensor {
  readonly data: Float32Array
  readonly channels: number
  readonly height: number
  readonly width: number
}

/** A loaded model, which takes one picture and returns one. */
interface Session {
  readonly input: InputShape
  /** @throws ModelFault if it fails, or the output is not a picture */
  run(picture: Tensor): Promise<Tensor>
}

/** Sides of any length are undefined. */
export interface InputShape {
  readonly channels: number
  readonly height: number | undefined
  readonly width: number | undefined
}

/** The path of a model, what runs it, and how many threads it may use. */
export interface ModelFile {
  readonly path: string
  /** Absolute path of the package onnxruntime-node. */
  readonly runtime: string
  readonly threads: number
}

const sessions = new Map<string, Promise<Session>>()

/** Loads a model once per process. @throws ModelFault */
export function openSession(file: ModelFile): Promise<Session> {
  const existingSession = sessions.get(file.path)
  if (existingSession) return existingSession
  const opening = load(file)
  sessions.set(file.path, opening)
  opening.catch(() => sessions.delete(file.path))
  return opening
}

async function load({ path, runtime: runtimePath, threads }: ModelFile): Promise<Session> {
  // Only renderers with access to models can read it.
  const runtime = createRequire(import.meta.url)(runtimePath) as Runtime
  const newSession = await runtime.InferenceSession.create(path, {
    executionProviders: ['cpu'],
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    // With an arena, IS-Net at 1,024 pixels takes 2.6 GB instead of 0.85, for 5 % less time (measured).
    enableCpuMemArena: false,
    graphOptimizationLevel: 'all',
    // Idle threads must not spin, as other renderers need the cores.
    extra: { session: { intra_op: { allow_spinning: '0' } } },
    // Models cause many warnings, which cannot be fixed here.
    logSeverityLevel: 3,
  }).catch((error: unknown) => fail(`the runtime cannot load it: ${saidOf(error, path)}`, error))
  const input = inputShape(newSession)
  return { input, run: (picture) => run(runtime, newSession, picture) }
}

/** The runtime's message, without the path that it may contain. */
function saidOf(error: unknown, path?: string): string {
  const reason = error instanceof Error ? error.message : String(error)
  if (NO_MEMORY.test(reason)) return 'MODEL_MEMORY_MB is not enough for it'
  const [line = ''] = reason.split('\n')
  return (path ? line.replaceAll(path, 'the file') : line).slice(0, 300)
}

const NO_MEMORY = /bad_alloc|failed to allocate|allocation failed/i

function fail(sentence: string, cause?: unknown): never {
  throw new ModelFault(sentence, { cause })
}

function inputShape({ inputNames, inputMetadata }: RuntimeSession): InputShape {
  const [metadata, ...more] = inputMetadata
  if (!metadata || more.length > 0) fail(`it takes ${inputNames.length} inputs, not one picture`)
  const { type, shape = [] } = metadata
  if (type !== 'float32') fail(`it takes ${type ?? 'no tensor'}, not float32`)
  const [batch, channels, height, width, ...rest] = shape
  const isPicture = shape.length === 4 && rest.length === 0 && (typeof batch !== 'number' || batch === 1)
  if (!isPicture || (channels !== 1 && channels !== 3)) fail(`it takes [${shape.join(', ')}], not [1, 3, height, width]`)
  return { channels, height: lengthOf(height), width: lengthOf(width) }
}

/** No model that fits into memory has a longer side. */
const LONGEST = 4_096

function lengthOf(side: number | string | undefined): number | undefined {
  if (typeof side !== 'number') return undefined
  if (side < 1 || side > LONGEST) fail(`it takes pictures of ${side} pixels a side`)
  return side
}

async function run(runtime: Runtime, session: RuntimeSession, picture: Tensor): Promise<Tensor> {
  const { data, channels, height, width } = picture
  const [input = ''] = session.inputNames
  // Some models have further outputs, of inner layers: the first one is the result.
  const [output = ''] = session.outputNames
  const tensor = new runtime.Tensor('float32', data, [1, channels, height, width])
  const results = await session
    .run({ [input]: tensor }, [output])
    .catch((error: unknown) => fail(`it fails on a picture: ${saidOf(error)}`, error))
  const result = results[output]
  const numbers = result?.data
  if (!(numbers instanceof Float32Array)) fail(`it gives ${result?.type ?? 'nothing'}, not float32`)
  return { data: numbers, ...sidesOf(result?.dims ?? []) }
}

/** Ignores leading dimensions of length one. */
function sidesOf(dims: readonly number[]): Omit<Tensor, 'data'> {
  const [width, height, channels, ...outer] = dims.toReversed()
  if (!width || !height || (channels ?? 1) < 1 || outer.some((length) => length !== 1))
    fail(`it gives [${dims.join(', ')}], not a picture`)
  return { width, height, channels: channels ?? 1 }
}

/** The part of onnxruntime-node that is used; it is installed separately, so its types are not available. */
interface Runtime {
  readonly InferenceSession: {
    create(path: string, options: Readonly<Record<string, unknown>>): Promise<RuntimeSession>
  }
  readonly Tensor: new (type: 'float32', data: Float32Array, dims: readonly number[]) => RuntimeTensor
}

interface RuntimeSession {
  readonly inputNames: readonly string[]
  readonly outputNames: readonly string[]
  /** A string in a shape is the name of a dimension of any length. */
  readonly inputMetadata: readonly { readonly type?: string; readonly shape?: readonly (number | string)[] }[]
  run(
    feeds: Readonly<Record<string, RuntimeTensor>>,
    fetches: readonly string[],
  ): Promise<Readonly<Record<string, RuntimeTensor>>>
}

interface RuntimeTensor {
  readonly type: string
  readonly dims: readonly number[]
  readonly data: ArrayLike<number | bigint>
}

/** The packages of the runtime, as absolute paths; the first is the one to load. */
export type RuntimePackages = readonly [string, ...string[]]

/**
 * The packages of the runtime: installed by `npm ci --prefix onnx`, or beside our own packages, or else below the given folder.
 * @returns undefined where it is not installed
 */
export function runtimePackages(elsewhere?: string): RuntimePackages | undefined {
  for (const place of [join(ROOT, 'onnx'), elsewhere]) {
    const runtime = place && packageFolder('onnxruntime-node', place)
    const common = place && packageFolder('onnxruntime-common', place)
    if (runtime && common) return [runtime, common]
  }
  return undefined
}
