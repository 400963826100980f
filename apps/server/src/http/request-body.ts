import { limits, MiB } from '@pixelmill/codecs/contract/limits'
import { fieldsOf, parseBody } from '@pixelmill/codecs/contract/parse'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { IDEMPOTENCY_KEY } from '../idempotency/key.ts'
import type { Services } from '../services.ts'
import { bodyOfForm, isForm } from './image-form.ts'
import { type ImageJsonLimits, readImageJson } from './image-json/read.ts'
import type { ImageJson } from './image-json/scanner.ts'
import { isJson, jsonForm } from './json-form.ts'
import { LONGEST_UPLOAD_S, type Pace, readBody, readJson, storedPace } from './read-body.ts'
import { type FormLimits, type FormRead, readForm } from './read-form.ts'
import { atEnd } from './request-state.ts'
import type { Call, Form, FormShape, ImageForm, Route, StoredFile, StoredUpload } from './route.ts'
import type { Stored } from './store-file.ts'

const NO_FORM: Form = { fields: new Map(), files: new Map(), unknown: [], release: () => {} }
const NO_BYTES = Buffer.alloc(0)

export interface RequestBody extends Pick<Call, 'form' | 'body' | 'raw'> {
  /** Bytes of the uploaded files. */
  readonly fileBytes: number
  /** Removes what was stored, unless the route has kept it. */
  discard(): Promise<void>
}

/** Reads the body in the one form that the route declares. */
export async function readAs(
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  services: Services,
): Promise<RequestBody> {
  const { form, json, images, rawBody, rawBytes = limits.webhookBytes } = route
  const { signal } = request.gone
  const timeoutSeconds = services.config.UPLOAD_TIMEOUT_S
  const size = { bytes: rawBody ? rawBytes : limits.jsonBytes, timeoutSeconds }
  const begin = async () => {
    if ((form || json || rawBody) && request.headers.expect) reply.raw.writeContinue()
    if (form?.orUrl && isJson(request.raw)) return jsonForm(form, await readJson(request.raw, size, signal))
    return form
      ? await readForm(request.raw, formLimits(form, request, services), signal)
      : { ...NO_FORM, stored: undefined, held: undefined }
  }
  const read = await (form?.stored ? readStored(form.stored, request, services, begin) : begin())
  const { held } = read
  if (held) atEnd(request, () => held[Symbol.dispose]())
  const { stored, discard } = ownStored(read.stored, services)
  async function readPlain(): Promise<ImageJson> {
    const isSent = json && !isLeftOut(json, request)
    return { value: isSent ? await readJson(request.raw, size, signal) : undefined, imageBytes: 0 }
  }
  const sentForm =
    route.imageForm && isForm(request.raw) ? await readImageForm(route.imageForm, request, reply, services) : undefined
  if (sentForm) return { ...sentForm, body: json && parseBody(json, sentForm.body), raw: NO_BYTES, discard }
  const sentJson = await (images ? readImageJson(request.raw, imageJsonLimits(services), signal) : readPlain())
  return {
    form: { ...read, stored },
    body: json && parseBody(json, sentJson.value),
    raw: rawBody ? await readBody(request.raw, size, signal) : NO_BYTES,
    fileBytes: bytesOf(read) + sentJson.imageBytes,
    discard,
  }
}

/** Reads a form in place of JSON with images; they are kept until the end of the request. */
async function readImageForm(
  imageForm: ImageForm,
  request: FastifyRequest,
  reply: FastifyReply,
  services: Services,
): Promise<{ readonly body: object; readonly form: Form; readonly fileBytes: number }> {
  const { mostImages, texts, json } = imageForm
  if (request.headers.expect) reply.raw.writeContinue()
  const shape = {
    files: ['image'],
    further: mostImages - 1,
    fields: z.object(Object.fromEntries([...texts, ...json].map((name) => [name, z.string()]))),
  }
  const read = await readForm(request.raw, formLimits(shape, request, services), request.gone.signal)
  const { held } = read
  if (held) atEnd(request, () => held[Symbol.dispose]())
  return { body: bodyOfForm(imageForm, read), form: { ...NO_FORM, unknown: read.unknown }, fileBytes: bytesOf(read) }
}

/** Reads an upload into the store, within the account's share of the uploads in progress. */
async function readStored<Read>(
  storedFile: StoredFile,
  { visitor, headers }: FastifyRequest,
  services: Services,
  read: () => Promise<Read>,
): Promise<Read> {
  const account = visitor?.account
  if (account === undefined) throw new Error('a route that stores files needs an account')
  using _place = services.storedUploads.enter(account)
  const bytes = Math.max(0, Number(headers['content-length'] ?? 0) - limits.formOverheadBytes)
  // A request repeated under the same key gets its first answer, and needs no more space.
  if (headers[IDEMPOTENCY_KEY.toLowerCase()] === undefined) await storedFile.admit?.(services, { account, bytes })
  return await read()
}

const bytesOf = ({ files, stored }: FormRead): number =>
  [...files.values()].reduce((total, { bytes }) => total + bytes, stored?.bytes ?? 0)

/** Allows each image of the largest size as long as an upload of one may take, so that no body must arrive faster than that. */
export function imageJsonLimits({ config: { AI_BODY_MB, UPLOAD_TIMEOUT_S } }: Pick<Services, 'config'>): ImageJsonLimits {
  const bytes = AI_BODY_MB * MiB
  const bytesPerSecond = limits.uploadBytes / UPLOAD_TIMEOUT_S
  const seconds = UPLOAD_TIMEOUT_S + Math.min(bytes / bytesPerSecond, LONGEST_UPLOAD_S)
  return { bytes, pace: { idleSeconds: UPLOAD_TIMEOUT_S, bytesPerSecond, seconds } }
}

function formLimits(
  { files, further = 0, fileBytes = limits.uploadBytes, fields, stored, raw: file, rawTypes }: FormShape,
  request: FastifyRequest,
  { config, blobs, uploads }: Services,
): FormLimits {
  const whole = config.UPLOAD_TIMEOUT_S
  const pace: Pace = stored ? storedPace(config) : { idleSeconds: whole, seconds: whole }
  const store = stored && { ...stored, bytes: stored.mostBytes(config), blobs }
  const raw = file === undefined ? undefined : { file, query: fieldsOf(queryOf(request)), isAnyType: rawTypes === 'any' }
  const memory = stored ? undefined : uploads
  const account = request.visitor?.account ?? ''
  return { files, further, fileBytes, texts: Object.keys(fields.shape), pace, store, memory, account, raw }
}

function ownStored(storedFile: Stored | undefined, { blobs }: Services) {
  if (!storedFile) return { stored: undefined, discard: async () => {} }
  let isKept = false
  const { id, key, bytes, sha256 } = storedFile
  const upload: StoredUpload = {
    id,
    bytes,
    sha256,
    keep() {
      isKept = true
    },
  }
  return { stored: upload, discard: async () => (isKept ? undefined : await blobs.delete(key)) }
}

export const queryOf = ({ url }: FastifyRequest): URLSearchParams => new URLSearchParams(url.split('?')[1] ?? '')

/** Whether the body is optional and absent: RFC 9112 §6.3, a request without either header has none. */
export const isLeftOut = (json: z.ZodType, { headers }: FastifyRequest): boolean =>
  json.safeParse(undefined).success && headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0
