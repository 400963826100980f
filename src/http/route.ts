import type { Readable } from 'node:stream'
import type { z } from 'zod'
import type { Visitor } from '../admission/gate.ts'
import type { AdmissionName } from '../admission/index.ts'
import type { Config } from '../config.ts'
import type { DailyImages } from '../contract/allowance.ts'
import type { ErrorName } from '../contract/errors.ts'
import type { FormFields } from '../contract/parse.ts'
import type { AiUse } from '../metering/usage-log.ts'
import type { Services } from '../services.ts'

/** An uploaded file: its bytes as they came, not joined. */
export interface Upload {
  readonly chunks: readonly Buffer[]
  readonly bytes: number
}

/** A file that went into the store as it arrived. It is removed again at the end of the request, unless the route keeps it. */
export interface StoredUpload {
  /** New, and part of its key. */
  readonly id: string
  readonly bytes: number
  /** In hexadecimal digits. */
  readonly sha256: string
  /** From here on whoever asks is answerable for the blob. */
  keep(): void
}

/** A multipart form; files by field name, at most one each. */
export interface Form {
  readonly fields: FormFields
  readonly files: ReadonlyMap<string, Upload>
  /** Names of fields that the route does not have; they are ignored. */
  readonly unknown: Iterable<string>
  /** The file that the route has stored; undefined when none was sent. */
  readonly stored?: StoredUpload | undefined
  /** For who is done with the files: their memory is free at once, and they are empty. Else it is when it is collected. */
  release(): void
}

/** What a handler gets: every part of the request, parsed as the route declares it. */
export interface Call<Body = unknown, Query = unknown> {
  readonly form: Form
  /** The JSON body. */
  readonly body: Body
  /** The body as it came, for signatures over bytes. */
  readonly raw: Buffer
  readonly query: Query
  /** What stands in the path for `:name`. */
  readonly path: Readonly<Record<string, string>>
  readonly request: RequestFacts
  /** Where the caller sent a key, and the route is one that may be repeated. */
  readonly idempotency?: { readonly key: string; readonly fingerprint: Buffer }
  readonly visitor: Visitor
  readonly services: Services
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal
  /** Tells the operator of a fault that does not change the answer. */
  readonly onFault: (error: unknown, what: string) => void
  /**
   * What an AI request has spent, for the account's usage and the headers of the answer, an error's too. To be told once,
   * as the work ends, also when it has failed or its client has gone: the last word before the answer holds.
   */
  readonly noteAi: (note: AiNote) => void
  /** Calls `end` once, when the answer has been sent or its client has gone. */
  readonly atEnd: (end: () => void) => void
  /** Aborted when the server stops: an answer without an end of its own has to end then. */
  readonly closing: AbortSignal
}

export interface AiNote extends AiUse {
  /** With the platform's model only: it becomes the X-AI headers. */
  readonly quota?: DailyImages
}

export interface RequestFacts {
  readonly id: string
  /** GET also stands for HEAD in a route, but not here. */
  readonly method: string
  readonly header: (name: string) => string | undefined
}

export interface Reply {
  readonly status?: number
  readonly headers: Readonly<Record<string, string>>
  /** A stream is read as fast as the client takes it, and destroyed when the client leaves. Its error breaks the connection. */
  readonly body: Buffer | string | Readable
}

/** The form that a route takes, for the reader of bodies and for the documentation. */
export interface FormShape {
  readonly files: readonly string[]
  /** Bytes of each of them, where that is less than is usual. */
  readonly fileBytes?: number
  /** One more file, of any size: it is never in memory as a whole. */
  readonly stored?: StoredFile
  readonly fields: z.ZodObject
  /** The file that may be sent alone as the body, of a type image/*, with the fields in the query. */
  readonly raw?: string
}

export interface StoredFile {
  readonly field: string
  mostBytes(config: Config): number
  readonly tooLarge: ErrorName
  readonly contentType: string
  /** For the documentation. */
  readonly description: string
  /** Where it goes in the store. */
  key(id: string): string
  /** Asked before the body is read, of which so many bytes were announced. @throws ApiError where the account may not send it */
  admit?(services: Services, request: { readonly account: string; readonly bytes: number }): Promise<void>
}

/** An answer beside the success that is no error either; for the documentation. */
export interface OtherAnswer {
  readonly description: string
  readonly headers?: Readonly<Record<string, string>>
  /** Whether it has a body of the success's media types. */
  readonly hasBody?: true
}

/** What is sent to a receiver that the caller has named; for the documentation. */
export interface Webhook {
  /** The event. */
  readonly name: string
  readonly summary: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: z.ZodType
}

export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** One endpoint, as data. The server, the OpenAPI document and the tests all read this. */
export interface Route<Body extends z.ZodType = z.ZodType, Query extends z.ZodObject = z.ZodObject> {
  readonly method: (typeof methods)[number]
  /** A part such as `:id` stands for one segment. */
  readonly path: string
  readonly name: string
  readonly tag: string
  readonly summary: string
  readonly description?: string
  readonly admission: AdmissionName
  /** At most one of these three bodies. */
  readonly form?: FormShape
  readonly json?: Body
  /** The JSON body has images: as Base64 data URIs when it comes, as InlineImage in `call.body`. */
  readonly images?: true
  readonly rawBody?: 'application/json'
  readonly query?: Query
  /** Request headers that the handler reads, for the documentation. */
  readonly requestHeaders?: Readonly<Record<string, string>>
  /** Whether an Idempotency-Key makes a repeated request give the first answer again. */
  readonly idempotent?: true
  /** Status of a success, 200 unless told. */
  readonly success?: number
  /** Further answers that are no errors, by status. */
  readonly otherwise?: Readonly<Record<number, OtherAnswer>>
  /** Media types of the answer. */
  readonly produces: readonly string[]
  /** The answer, where it is JSON. */
  readonly answer?: z.ZodType
  /** What an answer that is text looks like. */
  readonly example?: string
  /** Schemas of files inside the answer, by the names they have as components of the document. */
  readonly contains?: Readonly<Record<string, z.ZodType>>
  /** What the call causes to be sent later. */
  readonly webhooks?: readonly Webhook[]
  /** Documented headers of the answer beside those of every response. */
  readonly headers?: Readonly<Record<string, string>>
  /** Errors beyond those of the admission and of the body. */
  readonly errors: readonly ErrorName[]
  handle(call: Call<z.output<Body>, z.output<Query>>): Reply | Promise<Reply>
}

/** Returns its argument: it is here so that a route is checked, and its body typed, where it is written. */
export const defineRoute = <Body extends z.ZodType, Query extends z.ZodObject>(route: Route<Body, Query>): Route => route
