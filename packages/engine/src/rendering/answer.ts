import type { ImageErrorName, Issue } from '@pixelmill/codecs/contract/image-errors'
import { limits } from '@pixelmill/codecs/contract/limits'
import { gainMapValues } from '@pixelmill/codecs/hdr/values'
import { type ProgramName, programs } from '@pixelmill/codecs/programs'
import { z } from 'zod'
import { operations, type TaskName, tasks } from '../tasks/index.ts'
import type { Task, ToFinish } from '../tasks/task.ts'

/** The result of a task, with its files. */
interface Done {
  readonly outcome: 'done'
  readonly task: TaskName
  /** Of the task's type. */
  readonly report: Readonly<Record<string, unknown>>
  /** Files that programs finish. */
  readonly finish?: readonly ToFinish[]
}

/** The image is heavier, or the work longer, than the request allowed. */
interface Heavy {
  readonly outcome: 'heavy'
  readonly megapixels: number
}

export interface Refused {
  readonly outcome: 'error'
  readonly code: ImageErrorName
  readonly message: string
  readonly issues?: readonly Issue[]
  /** With cannot_fit. */
  readonly facts?: { readonly smallestBytes: number }
  /** For the log only: it may contain a library's message. At most CAUSE_LENGTH characters. */
  readonly cause?: string
}

/** libvips stores up to 10 KB of errors; the beginning says most. */
export const CAUSE_LENGTH = 2_000

/** The exit code of a renderer that could not allocate memory. */
export const OUT_OF_MEMORY = 12

/** Sent once, when the renderer is ready. */
interface Ready {
  readonly outcome: 'ready'
}

export type Outcome = Done | Heavy | Refused | Ready

export type Answer = Outcome & {
  /** Milliseconds spent on the image. */
  readonly ms: number
  /** Resident memory of the renderer in bytes: the pool replaces one that has grown. */
  readonly rss: number
  /** Seconds of CPU used so far: the kernel ends a renderer at its limit, the pool replaces it before. */
  readonly cpuSeconds: number
  readonly files: readonly number[]
}

/** The errors about an image: a renderer knows nothing about accounts, calls and this server. */
const rendererErrors = [
  'invalid_image_type',
  'invalid_image',
  'image_too_large',
  'invalid_params',
  'cannot_fit',
  'background_not_separable',
  'conversion_failed',
] as const satisfies readonly ImageErrorName[]

/** Our own sentences have up to 300 characters; a crop with four invalid parameters joins four of them. */
const SENTENCE_LENGTH = 2_000

/** Limits of measured numbers: a day, a terabyte. Sums in the metrics stay finite. */
const DAY_SECONDS = 86_400
const TERABYTE = 1e12

const sentence = z.string().max(SENTENCE_LENGTH)

const usage = {
  ms: z
    .number()
    .min(0)
    .max(DAY_SECONDS * 1000),
  rss: z.number().min(0).max(TERABYTE),
  // Over all cores; the kernel ends a renderer after some hours of CPU time.
  cpuSeconds: z.number().min(0).max(DAY_SECONDS),
}
const noFiles = { files: z.array(z.never()).max(0) }

const issue = z.object({
  path: z.array(z.union([z.string().max(100), z.int()])).max(8),
  code: z.string().max(100),
  message: sentence,
})

/** The tasks that write images: one file for each. */
const imageTasks = { ...operations, recipe: tasks.recipe }

/** What such a task reports of each image. */
const imagesOf = (report: Readonly<Record<string, unknown>>) =>
  (Array.isArray(report.outputs) ? report.outputs : [report]) as readonly {
    readonly format: string
    readonly warnings: unknown
  }[]

const fileIndex = z
  .int()
  .min(0)
  .max(3 * limits.recipe.outputs)

const toFinish = z.object({
  program: z.enum(Object.keys(programs) as [ProgramName, ...ProgramName[]]),
  file: fileIndex,
  quality: z.number().min(limits.quality.min).max(limits.quality.max).optional(),
  otherwise: fileIndex.optional(),
  gainMap: z.object({ file: fileIndex, values: gainMapValues }).optional(),
})

const doneAnswer = z
  .object({
    outcome: z.literal('done'),
    task: z.enum(Object.keys(tasks) as [TaskName, ...TaskName[]]),
    report: z.record(z.string(), z.unknown()),
    finish: z.array(toFinish).max(limits.recipe.outputs).exactOptional(),
    files: z.array(z.int().min(1)),
    ...usage,
  })
  .transform((answer, context) => {
    const { report, leastFiles = 0, mostFiles, fileBytes }: Task = tasks[answer.task]
    const { finish = [], files } = answer
    const { data, error } = report.safeParse(answer.report)
    const images = data && answer.task in imageTasks ? imagesOf(data) : []
    const others = finish.flatMap(({ otherwise, gainMap }) => [otherwise ?? [], gainMap?.file ?? []].flat())
    const most = mostFiles + others.length
    if (files.length < leastFiles || files.length > most) context.addIssue(`${files.length} files, not ${leastFiles} to ${most}`)
    if (files.some((bytes) => bytes > fileBytes)) context.addIssue(`a file of more than ${fileBytes} bytes`)
    if (images.length > 0 && files.length !== images.length + others.length) context.addIssue('not one file for each image')
    if (finish.some(({ program, file }) => images[file]?.format !== programs[program].writes))
      context.addIssue('a format that its program does not write')
    if (others.some((index) => index < images.length || index >= files.length)) context.addIssue('a file that was not sent')
    if (error) context.addIssue(`report: ${error.issues[0]?.path.join('.')}: ${error.issues[0]?.message}`)
    return data ? { ...answer, report: data } : z.NEVER
  })

const answer: z.ZodType<Answer> = z.discriminatedUnion('outcome', [
  doneAnswer,
  z.object({
    outcome: z.literal('heavy'),
    megapixels: z
      .number()
      .min(0)
      .max(limits.pixels / 1e6),
    ...noFiles,
    ...usage,
  }),
  z.object({
    outcome: z.literal('error'),
    code: z.enum(rendererErrors),
    message: sentence,
    issues: z.array(issue).max(32).exactOptional(),
    facts: z.object({ smallestBytes: z.int().min(1).max(TERABYTE) }).exactOptional(),
    cause: z.string().max(CAUSE_LENGTH).exactOptional(),
    ...noFiles,
    ...usage,
  }),
  z.object({ outcome: z.literal('ready'), ...noFiles, ...usage }),
])

/**
 * The only place where a renderer's answer becomes a typed value: a hostile file may have taken the renderer over, so anything
 * may arrive.
 * @throws Error naming the first fault
 */
export function parseAnswer(json: Buffer): Answer {
  const { data, error } = answer.safeParse(JSON.parse(json.toString()))
  if (data) return data
  // Not all faults: a list of a hundred thousand files may have as many.
  const [first] = error.issues
  throw new Error(`a renderer sent no answer: ${first?.path.join('.')}: ${first?.message}`)
}
