import { availableParallelism } from 'node:os'
import { maskPresetNames, type Three } from '@pixelmill/vision/inference/mask-presets'
import { z } from 'zod'
import { readAs, type Setting, whole } from './setting.ts'

const ACTIVATIONS = ['auto', 'none', 'sigmoid'] as const

const sha256 = z
  .string()
  .regex(/^[0-9a-f]{64}$/i, 'must be 64 hexadecimal digits, as sha256sum prints them')
  .toLowerCase()
  .optional()

const NUMBER = /^-?\d{1,4}(\.\d{1,6})?$/

function parseThree(text: string): Three {
  const parts = text.split(',').map((part) => part.trim())
  const [red, green, blue] = parts.map(Number)
  if (
    parts.length !== 3 ||
    red === undefined ||
    green === undefined ||
    blue === undefined ||
    !parts.every((part) => NUMBER.test(part))
  )
    throw new Error('must be three numbers with commas between, such as 0.485,0.456,0.406')
  return [red, green, blue]
}

const three = z.string().transform(readAs(parseThree))

const spread = three.refine((numbers) => numbers.every((number) => number > 0), 'must be three numbers above 0')

/** More threads gain little on one picture, and a renderer may have 32. */
const MOST_THREADS = 16
const threads = Math.max(1, Math.min(MOST_THREADS, availableParallelism() - 1))

/** The operator's own models, and their costs. */
export const modelsSettings = {
  BG_MODEL_PATH: {
    schema: z.string().optional(),
    otherwise: 'the model that `pixelmill models add` has put into DATA_DIR, if any',
    description: 'File of an ONNX model for cutting out; needs `npm ci --prefix onnx`. See docs/background.md.',
  },
  BG_MODEL_PRESET: {
    schema: z.enum(maskPresetNames, `must be one of ${maskPresetNames.join(', ')}`).optional(),
    otherwise: "guessed from the file's name, or from the size of its pictures",
    description: `Kind of the model: ${maskPresetNames.join(', ')}.`,
  },
  BG_MODEL_SIZE: {
    schema: whole(32, 2_048).optional(),
    otherwise: "the preset's",
    description: 'Side of a variable input in pixels.',
  },
  BG_MODEL_MEAN: {
    schema: three.optional(),
    otherwise: "the preset's",
    description: 'Mean of red, green and blue in its training, in 0–1, with commas.',
  },
  BG_MODEL_STD: {
    schema: spread.optional(),
    otherwise: "the preset's",
    description: 'Their standard deviation.',
  },
  BG_MODEL_ACTIVATION: {
    schema: z.enum(ACTIVATIONS, `must be one of ${ACTIVATIONS.join(', ')}`).default('auto'),
    otherwise: 'auto: from the preset and the output of the model',
    description: 'sigmoid if the output is unbounded, none if it is 0–1 already.',
  },
  BG_MODEL_SHA256: {
    schema: sha256,
    otherwise: 'any file',
    description: 'Required SHA-256 of the file.',
  },
  SR_MODEL_PATH: {
    schema: z.string().optional(),
    otherwise: 'no model; pictures are enlarged without one',
    description: 'File of an ONNX model for enlarging; needs `npm ci --prefix onnx`. See docs/ai.md.',
  },
  SR_MODEL_SHA256: {
    schema: sha256,
    otherwise: 'any file',
    description: 'Required SHA-256 of the file.',
  },
  MODEL_MEMORY_MB: {
    schema: whole(1_024, 262_144).optional(),
    otherwise: '4096, or what a model of `pixelmill models` needs',
    description: 'Mebibytes of private memory of the renderer of models (Linux).',
  },
  MODEL_THREADS: {
    schema: whole(1, MOST_THREADS).default(threads),
    otherwise: `the number of cores less one, at most ${MOST_THREADS}`,
    description: 'Maximum cores for a model.',
  },
  MODEL_TIMEOUT_S: {
    schema: whole(1, 3_600).default(120),
    otherwise: '120',
    description: 'Seconds of a model for one image, including loading; then it is processed without.',
  },
} as const satisfies Record<string, Setting>
