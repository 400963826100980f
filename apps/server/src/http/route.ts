import type { Readable } from 'node:stream'
import type { FormFields } from '@pixelmill/codecs/contract/parse'
import type { z } from 'zod'
import type { AdmissionName } from '../admission/index.ts'
import type { Visitor } from '../admission/visitor.ts'
import type { Config } from '../config.ts'
import type { DailyImages } from '../contract/allowance.ts'
import type { ApiError } from '../contract/api-error.ts'
import type { ErrorName } from '../contract/errors.ts'
import type { OwnAnswer, OwnRequest } from '../contract/own-request.ts'
import type { Scope } from '../contract/scopes.ts'
import type { AiUse } from '../metering/usage-log.ts'
import type { Services } from '../services.ts'

/** An uploaded file: its bytes in the chunks in which they arrived. */
export interface Upload {
  readonly chunks: readonly Buffer[]
  readonly bytes: number
}

/** A file that was streamed into the store. It is removed at the end of the request, unless the route keeps it. */
export interface StoredUpload {
  /** New, and part of its key. */
  readonly id: string
  readonly bytes: number
  /** In hexadecimal digits. */
  readonly sha256: string
  /** Makes the caller of this function responsible for the blob. */
  keep(): void
}

/** A file that is the whole body of a request, for a handler that streams it into the store. */
export interface IncomingFile {
  readonly stream: Readable
  /** As announced; undefined where it is sent in chunks. */
  readonly bytes: number | undefined
  /** Aborted when the rest will not come: the client has gone or is too slow, or the server ends. */
  readonly signal: AbortSignal
  /** Lets the client send the body, if it waits for that. */
  begin(): void
  /**
   * Sends an interim response 104 (Upload Resumption Supported) to a client of the draft's version. Not through a proxy: nginx 1.22 takes
   * it for the final response.
   */
  inform(headers: Readonly<Record<string, string>>): void
  /** Whether `inform` sends anything. */
  readonly isInformed: boolean
}

/** A multipart form; files by field name, at most one each. */
export interface Form {
  readonly fields: FormFields
  readonly files: ReadonlyMap<string, Upload>
  /** Names of unknown fields; they are ignored. */
  readonly unknown: Iterable<string>
  /** The file that was stored; undefined when none was sent. */
  readonly stored?: StoredUpload | undefined
  /** Frees the memory of the files at once, and leaves them empty. Without it the garbage collector frees it later. */
  release(): void
}

/** The parameters of a handler: every part of the request, parsed as the route declares it. */
export interface Call<Body = unknown, Query = unknown> {
  readonly form: Form
  /** The JSON body. */
  readonly body: Body
  /** The body as it comes, where the route has `storedBody`. */
  readonly file?: IncomingFile
  /** The unparsed body, for signatures over its bytes. */
  readonly raw: Buffer
  readonly query: Query
  /** The values of the path's parameters, by name. */
  readonly path: Readonly<Record<string, string>>
  readonly request: RequestFacts
  /** Where the route is idempotent and the caller sent a key. */
  readonly idempotency?: { readonly key: string; readonly fingerprint: Buffer }
  /** The answer was charged before: see `Route.idempotent`. */
  readonly replayed?: true
  readonly visitor: Visitor
  readonly services: Services
  /** Aborted when the client has disconnected. */
  readonly signal: AbortSignal
  /** Logs a fault that does not change the answer. */
  readonly onFault: (error: unknown, what: string) => void
  /**
   * Reports the usage of an AI request, for the account's statistics and the response headers, including errors. To be called
   * when the work ends, also if it has failed or its client has disconnected; the last call before the response counts.
   */
  readonly noteAi: (note: AiNote) => void
  /** Calls `end` once, when the answer has been sent or the client has disconnected. */
  readonly atEnd: (end: () => void) => void
  /** Aborted when the server stops: an answer without an end of its own must end then. */
  readonly closing: AbortSignal
  /** Asks another endpoint of this server as the caller could: it is admitted and charged like a request of its own. */
  readonly ownApi: (request: OwnRequest) => Promise<OwnAnswer>
}

export interface AiNote extends AiUse {
  /** With the platform's model only: it becomes the X-AI headers. */
  readonly quota?: DailyImages
}

export interface RequestFacts {
  readonly id: string
  /** Path and query, exactly as sent. */
  readonly url: string
  /** A route for GET also serves HEAD; here it is HEAD. */
  readonly method: string
  readonly header: (name: string) => string | undefined
}

export interface Reply {
  readonly status?: number
  readonly headers: Readonly<Record<string, string>>
  /** A stream is read as fast as the client reads, and destroyed when the client disconnects. Its error closes the connection. */
  readonly body: Buffer | string | Readable
}

/** The form that a route accepts, for the reader of bodies and for the documentation. */
export interface FormShape {
  readonly files: readonly string[]
  /** How many files under other names are accepted; their names are parameters. */
  readonly further?: number
  /** Most bytes of each file, where that is less than the usual limit. */
  readonly fileBytes?: number
  /** Whether the field `upload`, with the handle of an upload, may be sent in place of the file. */
  readonly orUpload?: true
  /** Whether the field `imageUrl` may be sent in place of `image`; then the fields may also be a JSON object. */
  readonly orUrl?: true
  /** One more file, of any size: it is streamed into the store. */
  readonly stored?: StoredFile
  readonly fields: z.ZodObject
  /** The file that may be sent alone as the body, of a type image/*, with the fields in the query. */
  readonly raw?: string
  /** A body of any other type is that file too; there is no form then. */
  readonly rawTypes?: 'any'
  /** That file where it is JSON, which the handler reads itself; for the documentation. */
  readonly rawJson?: z.ZodType
}

export interface StoredFile {
  readonly field: string
  mostBytes(config: Config): number
  readonly tooLarge: ErrorName
  readonly contentType: string
  /** For the documentation. */
  readonly description: string
  /** Its key in the store. */
  key(id: string): string
  /** Called before the body is read, with its announced length. @throws ApiError where the account may not send it */
  admit?(services: Services, request: { readonly account: string; readonly bytes: number }): Promise<void>
}

/** A form in place of a JSON body: its files, by whatever names, are the images of one field. */
export interface ImageForm {
  readonly field: string
  readonly mostImages: number
  /** Fields that are text in both. */
  readonly texts: readonly string[]
  /** Fields that are JSON in the form. */
  readonly json: readonly string[]
}

/** A response that is neither the success nor an error; for the documentation. */
export interface OtherAnswer {
  readonly description: string
  readonly headers?: Readonly<Record<string, string>>
  /** Whether it has a body of the success's media types. */
  readonly hasBody?: true
}

/** Errors whose body is not the usual one. */
export interface Faults {
  readonly schema: z.ZodType
  /** Makes the body of every error. Without it, errors have the usual one, and the schema is of those that the handler answers. */
  readonly body?: (error: ApiError) => object
  /** Headers of every error of a known account, once its call was given back. */
  readonly headers?: (services: Services, account: string) => Promise<Readonly<Record<string, string>>>
  /** What the handler answers by itself, by status; for the documentation. */
  readonly statuses?: Readonly<Record<number, string>>
}

/** A request that is sent to a receiver of the caller's; for the documentation. */
export interface Webhook {
  /** The name of the event. */
  readonly name: string
  readonly summary: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: z.ZodType
}

export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

/** One endpoint, as data. The server, the OpenAPI document and the tests all read this. */
export interface Route<Body extends z.ZodType = z.ZodType, Query extends z.ZodObject = z.ZodObject> {
  readonly method: (typeof methods)[number]
  /** A part such as `:id` matches one segment; `*` at the end all that follow, which the documentation calls `path`. */
  readonly path: string
  /** Only requests with a body; another route of the same method and path has those without. */
  readonly withBody?: true
  readonly name: string
  readonly tag: string
  readonly summary: string
  readonly description?: string
  readonly admission: AdmissionName
  /** Scopes of which an API key needs one; by default that of the admission. */
  readonly scopes?: readonly Scope[]
  /** A route has at most one of these bodies. */
  readonly form?: FormShape
  readonly json?: Body
  /** The JSON body contains images: sent as Base64 data URIs, decoded to InlineImage in `call.body`. */
  readonly images?: true
  /** A form may be sent in place of the JSON with images. */
  readonly imageForm?: ImageForm
  readonly rawBody?: 'application/json'
  /** Most bytes of that, if they differ from those of an event of Stripe. */
  readonly rawBytes?: number
  /** Media types of a file that is the body, which the handler streams into the store: `call.file`. */
  readonly storedBody?: readonly string[]
  readonly query?: Query
  /** The handler parses the query, after it has checked something else: `query` is for the documentation. */
  readonly handlerParsesQuery?: true
  /** Request headers that the handler reads, for the documentation. */
  readonly requestHeaders?: Readonly<Record<string, string>>
  /**
   * Whether a request repeated with the same Idempotency-Key gets the first answer again. `made again`: the answer is too large to be
   * kept, and the same work gives it again, without a charge.
   */
  readonly idempotent?: true | 'made again'
  /** Status of a success; by default 200. */
  readonly success?: number
  /** Other responses that are not errors, by status. */
  readonly otherwise?: Readonly<Record<number, OtherAnswer>>
  /** Media types of the answer. */
  readonly produces: readonly string[]
  /** The answer, where it is JSON. */
  readonly answer?: z.ZodType
  /** An example of an answer that is text. */
  readonly example?: string
  /** Schemas of texts inside the request, and of files inside the answer, by their names as components of the OpenAPI document. */
  readonly sends?: Readonly<Record<string, z.ZodType>>
  readonly contains?: Readonly<Record<string, z.ZodType>>
  /** Webhooks that the call causes. */
  readonly webhooks?: readonly Webhook[]
  /** Headers of the answer, besides those of every response. */
  readonly headers?: Readonly<Record<string, string>>
  /** Its errors, for clients of another API or protocol that expect others. */
  readonly faults?: Faults
  /** Errors besides those of the admission and of the body. */
  readonly errors: readonly ErrorName[]
  handle(call: Call<z.output<Body>, z.output<Query>>): Reply | Promise<Reply>
}

/** Returns its argument, so that a route is type-checked, and its body typed, where it is written. */
export const defineRoute = <Body extends z.ZodType, Query extends z.ZodObject>(route: Route<Body, Query>): Route => route
