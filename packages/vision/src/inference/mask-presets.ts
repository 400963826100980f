/** How to prepare a picture for a segmentation model, and how to interpret its output. */
export interface MaskPreset {
  /** Names of files that are taken to be this model; the first matching row counts. */
  readonly file: RegExp
  /** Width and height in pixels, for a model that accepts any. */
  readonly size: number
  /** Subtracted from red, green and blue of 0–1, which are then divided by `std`. */
  readonly mean: Three
  readonly std: Three
  /** `sigmoid` is applied to the model's output; `none` takes it as probabilities, unless it is out of range. */
  readonly activation: 'none' | 'sigmoid'
  /** Whether the output is stretched to 0–1. */
  readonly stretch: boolean
  /** Of the weights, as far as known; users have to check it themselves. */
  readonly licence: string
}

export type Three = readonly [number, number, number]

const imageNet = { mean: [0.485, 0.456, 0.406], std: [0.229, 0.224, 0.225] } as const satisfies Pick<MaskPreset, 'mean' | 'std'>
const centredRange = { mean: [0.5, 0.5, 0.5], std: [1, 1, 1] } as const satisfies Pick<MaskPreset, 'mean' | 'std'>
const u2net = { size: 320, ...imageNet, activation: 'none', stretch: true, licence: 'Apache 2.0' } as const
const biRefNet = { size: 1_024, ...imageNet, activation: 'sigmoid', stretch: true, licence: 'MIT' } as const
const isNet = { size: 1_024, ...centredRange, activation: 'none', stretch: true, licence: 'Apache 2.0' } as const

/** The values of rembg (rembg/sessions, July 2026), and modnet, which rembg does not have. */
export const maskPresets = {
  u2net_human_seg: { file: /u2net_?human/, ...u2net },
  u2netp: { file: /u2netp/, ...u2net },
  u2net: { file: /u2net/, ...u2net },
  silueta: { file: /silueta/, ...u2net },
  'isnet-anime': { file: /isnet.?anime/, ...isNet, ...imageNet, std: [1, 1, 1] },
  'isnet-general-use': { file: /isnet/, ...isNet },
  'birefnet-general-lite': { file: /birefnet.*(lite|tiny)/, ...biRefNet },
  'birefnet-portrait': { file: /birefnet.?portrait/, ...biRefNet },
  'birefnet-general': { file: /birefnet/, ...biRefNet },
  'bria-rmbg': {
    file: /bria|rmbg/,
    size: 1_024,
    ...imageNet,
    activation: 'none',
    stretch: true,
    licence: 'not for commercial use without a contract with BRIA',
  },
  ben: { file: /^ben(?![a-z])/, ...isNet, licence: 'MIT for BEN2 Base' },
  dis: { file: /^dis(?![a-z])/, ...isNet },
  modnet: {
    file: /modnet/,
    size: 512,
    mean: [0.5, 0.5, 0.5],
    std: [0.5, 0.5, 0.5],
    activation: 'none',
    stretch: false,
    licence: 'Apache 2.0',
  },
} as const satisfies Record<string, MaskPreset>

export type MaskPresetName = keyof typeof maskPresets

export const maskPresetNames = Object.keys(maskPresets) as [MaskPresetName, ...MaskPresetName[]]

/** The preset for a file, by its name. */
export const presetOfFile = (name: string): MaskPresetName | undefined =>
  maskPresetNames.find((preset) => maskPresets[preset].file.test(name.toLowerCase()))

/** The preset for a model with this input size. */
export const presetOfSize = (size: number | undefined): MaskPresetName => (size === 1_024 ? 'isnet-general-use' : 'u2net')
