import type { HeicWriter } from '@pixelmill/codecs/programs'
import type { MaskPresetName } from '@pixelmill/vision/inference/mask-presets'

export interface PixelmillOptions {
  /** Pictures at once, 1 to 256, each in a process of its own; by default as many as there are processors. */
  readonly renderers?: number | undefined
  /** `required` opens nothing where a renderer cannot be confined; by default it is confined as far as the machine allows. */
  readonly isolation?: 'available' | 'required' | undefined
  /** Seconds that one picture may take, 1 to 3,600; 60 by default. Work that grows with the pixels gets more. */
  readonly timeoutSeconds?: number | undefined
  /** Mebibytes of memory that one renderer may have (Linux), 1,024 to 65,536; 3,072 by default. */
  readonly memoryMegabytes?: number | undefined
  /** Whether HEIC is read; true by default. */
  readonly heic?: boolean | undefined
  /** What writes HEIC: by default the program heif-enc where it is installed, else elheif. */
  readonly heicWriter?: HeicWriter | 'auto' | undefined
  /** Signs results of pictures with a C2PA manifest: paths of PEM files. Without it, manifests are removed. */
  readonly c2pa?: { readonly certificate: string; readonly privateKey: string } | undefined
  /** Folders of the programs heif-enc and cjxl, divided as in PATH; by default those of the system. */
  readonly programPath?: string | undefined
  /** What removes backgrounds; without it they are told from subjects by colours and edges, which needs plain ones. */
  readonly backgroundModel?: BackgroundModel | undefined
  /** Is told why a result that should be signed is not; it has no manifest then. */
  readonly onUnsigned?: ((error: unknown) => void) | undefined
}

/** An ONNX model that cuts out subjects, and what its renderer may have. */
export interface BackgroundModel {
  readonly model: {
    readonly path: string
    /** Absolute path of the package onnxruntime-node. */
    readonly runtime: string
    readonly threads: number
    /** Of a known model: how its input is prepared. By default by the size of its input. */
    readonly preset?: MaskPresetName | undefined
    /** Side in pixels, for a model that accepts any. */
    readonly size?: number | undefined
    readonly mean?: readonly [number, number, number] | undefined
    readonly std?: readonly [number, number, number] | undefined
    readonly activation: 'auto' | 'none' | 'sigmoid'
  }
  readonly grants: {
    /** Absolute paths of the model, and of its external data files. */
    readonly files: readonly string[]
    /** Absolute paths of the packages onnxruntime-node and onnxruntime-common. */
    readonly runtime: readonly string[]
    readonly memoryMegabytes: number
    readonly timeoutSeconds: number
    readonly threads: number
  }
}
