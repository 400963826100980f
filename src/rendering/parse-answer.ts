import { z } from 'zod'
import { codecs } from '../codecs/index.ts'
import type { ErrorName } from '../contract/errors.ts'
import { limits } from '../contract/limits.ts'
import { warningNames } from '../contract/warnings.ts'
import { type StudyName, studies } from '../studies/index.ts'
import type { Study } from '../studies/study.ts'
import { type Answer, CAUSE_LENGTH } from './wire.ts'

/** What may be wrong with an image: of accounts, calls and this server a renderer knows nothing. */
const rendererErrors = [
  'invalid_image_type',
  'invalid_image',
  'image_too_large',
  'invalid_params',
  'conversion_failed',
] as const satisfies readonly ErrorName[]

const codecNames = Object.values(codecs).map(({ name }) => name)

/** 80 megapixels of 64 bits, not compressed at all, are 640 MB. */
const FILE_BYTES = 1024 * 1024 * 1024

/** Our own sentences have up to 300 characters, of which a cropping with four faulty parameters joins four. */
const SENTENCE_LENGTH = 2_000

/** Of numbers that are only measured: a day, a terabyte. Sums in the metrics stay finite. */
const DAY_SECONDS = 86_400
const TERABYTE = 1e12

const sentence = z.string().max(SENTENCE_LENGTH)
const side = z.int().min(1).max(limits.pixels)

const measured = {
  ms: z
    .number()
    .min(0)
    .max(DAY_SECONDS * 1000),
  rss: z.number().min(0).max(TERABYTE),
  // All cores count, and the kernel ends a renderer after some hours of them.
  cpuSeconds: z.number().min(0).max(DAY_SECONDS),
}
const noFiles = { files: z.array(z.never()).max(0) }

const issue = z.object({
  path: z.array(z.union([z.string().max(100), z.int()])).max(8),
  code: z.string().max(100),
  message: sentence,
})

const imaged = z
  .object({
    outcome: z.literal('image'),
    codec: z.enum(codecNames),
    finish: z.object({ quality: z.number().min(limits.quality.min).max(limits.quality.max).optional() }).exactOptional(),
    width: side,
    height: side,
    warnings: z.array(z.enum(warningNames)).max(warningNames.length).exactOptional(),
    files: z.array(z.int().min(1).max(FILE_BYTES)).min(1).max(2),
    ...measured,
  })
  .refine(({ width, height }) => width * height <= limits.pixels, 'more pixels than an image may have')
  .refine(({ finish, files }) => finish !== undefined || files.length === 1, 'two files, of which none is to be finished')
  .refine(({ finish, codec }) => finish === undefined || codec === 'heic', 'heif-enc finishes HEIC alone')

const studyNames = Object.keys(studies) as [StudyName, ...StudyName[]]

const reported = z
  .object({
    outcome: z.literal('report'),
    study: z.enum(studyNames),
    report: z.record(z.string(), z.unknown()),
    files: z.array(z.int().min(1).max(FILE_BYTES)),
    ...measured,
  })
  .transform((said, context) => {
    const { report, mostFiles, fileBytes }: Study = studies[said.study]
    const { data, error } = report.safeParse(said.report)
    if (said.files.length > mostFiles) context.addIssue(`more than ${mostFiles} files`)
    if (said.files.some((bytes) => bytes > fileBytes)) context.addIssue(`a file of more than ${fileBytes} bytes`)
    if (error) context.addIssue(`report: ${error.issues[0]?.path.join('.')}: ${error.issues[0]?.message}`)
    return data ? { ...said, report: data } : z.NEVER
  })

const answer: z.ZodType<Answer> = z.discriminatedUnion('outcome', [
  imaged,
  reported,
  z.object({
    outcome: z.literal('heavy'),
    megapixels: z
      .number()
      .min(0)
      .max(limits.pixels / 1e6),
    ...noFiles,
    ...measured,
  }),
  z.object({
    outcome: z.literal('error'),
    code: z.enum(rendererErrors),
    message: sentence,
    issues: z.array(issue).max(32).exactOptional(),
    cause: z.string().max(CAUSE_LENGTH).exactOptional(),
    ...noFiles,
    ...measured,
  }),
  z.object({ outcome: z.literal('ready'), ...noFiles, ...measured }),
])

/**
 * The one place where what a renderer says becomes a value of a type: a file may have taken it over, so that anything may
 * come.
 * @throws Error saying what is wrong first
 */
export function parseAnswer(json: Buffer): Answer {
  const { data, error } = answer.safeParse(JSON.parse(json.toString()))
  if (data) return data
  // Not all: a list of a hundred thousand files has as many faults.
  const [first] = error.issues
  throw new Error(`a renderer sent no answer: ${first?.path.join('.')}: ${first?.message}`)
}
