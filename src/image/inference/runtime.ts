import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

/** What is used of onnxruntime-node, which is no part of an installation, and so has no types here. */
export interface Runtime {
  readonly InferenceSession: {
    create(path: string, options: Readonly<Record<string, unknown>>): Promise<RuntimeSession>
  }
  readonly Tensor: new (type: 'float32', data: Float32Array, dims: readonly number[]) => RuntimeTensor
}

export interface RuntimeSession {
  readonly inputNames: readonly string[]
  readonly outputNames: readonly string[]
  /** A text in a shape is the name of a side whose length the model leaves open. */
  readonly inputMetadata: readonly { readonly type?: string; readonly shape?: readonly (number | string)[] }[]
  run(
    feeds: Readonly<Record<string, RuntimeTensor>>,
    fetches: readonly string[],
  ): Promise<Readonly<Record<string, RuntimeTensor>>>
}

export interface RuntimeTensor {
  readonly type: string
  readonly dims: readonly number[]
  readonly data: ArrayLike<number | bigint>
}

const root = join(import.meta.dirname, '../../..')

/** Where `npm ci --prefix onnx` puts it, and where an installation of one's own may have it. */
const folders = ['onnx/node_modules', 'node_modules'].map((folder) => join(root, folder))

/** The packages of the runtime, as absolute paths; undefined where it is not installed. */
export function runtimePackages(): readonly string[] | undefined {
  const folder = folders.find((path) => existsSync(join(path, 'onnxruntime-node/package.json')))
  return folder === undefined ? undefined : ['onnxruntime-node', 'onnxruntime-common'].map((name) => join(folder, name))
}

/** Only a renderer for models can read it: in any other process it throws. */
export function loadRuntime(): Runtime {
  const [path] = runtimePackages() ?? []
  if (path === undefined) throw new Error('the runtime of models is not installed: npm ci --prefix onnx')
  return createRequire(import.meta.url)(path) as Runtime
}
