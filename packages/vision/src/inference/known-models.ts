import { imageErrors } from '@pixelmill/codecs/contract/image-errors'
import type { MaskPresetName } from './mask-presets.ts'

/** A model that is published, with the hash that its file must have. */
export interface KnownModel {
  readonly address: string
  /** In hexadecimal digits. */
  readonly sha256: string
  readonly bytes: number
  /** Of the weights, as their authors say. */
  readonly licence: string
  /** Size and normalisation of its input. */
  readonly preset: MaskPresetName
  /** Mebibytes of private memory that its renderer needs. */
  readonly memoryMegabytes: number
  readonly what: string
}

const RELEASE = 'https://github.com/danielgatis/rembg/releases/download/v0.0.0'

/**
 * The models that are fetched by their names. Each hash is known from two sources that do not depend on each other at least, and the file
 * is not used where it has another: see docs/design/matting-and-enhancing.md.
 */
export const knownModels: Readonly<Record<string, KnownModel>> = {
  u2netp: {
    address: `${RELEASE}/u2netp.onnx`,
    sha256: '309c8469258dda742793dce0ebea8e6dd393174f89934733ecc8b14c76f4ddd8',
    bytes: 4_574_861,
    licence: 'Apache 2.0',
    preset: 'u2netp',
    memoryMegabytes: 4_096,
    what: 'small and fast',
  },
  'isnet-general-use': {
    address: `${RELEASE}/isnet-general-use.onnx`,
    sha256: '60920e99c45464f2ba57bee2ad08c919a52bbf852739e96947fbb4358c0d964a',
    bytes: 178_648_008,
    licence: 'Apache 2.0',
    preset: 'isnet-general-use',
    memoryMegabytes: 4_096,
    what: 'good edges, for most pictures',
  },
  'birefnet-lite': {
    address: `${RELEASE}/BiRefNet-general-bb_swin_v1_tiny-epoch_232.onnx`,
    sha256: '5600024376f572a557870a5eb0afb1e5961636bef4e1e22132025467d0f03333',
    bytes: 224_005_088,
    licence: 'MIT',
    preset: 'birefnet-general-lite',
    memoryMegabytes: 12_288,
    what: 'the best edges, with much more memory and time',
  },
}

/** The message of background_not_separable where no model is installed, and no service: what would have helped. */
export const NOT_SEPARABLE_WITHOUT_MODEL = `${imageErrors.background_not_separable.message} A model cuts out most pictures, and this command installs one: pixelmill models add isnet-general-use`
