import type { z } from 'zod'
import type { Visitor } from '../admission/gate.ts'
import type { AdmissionName } from '../admission/index.ts'
import type { ErrorName } from '../contract/errors.ts'
import type { FormFields } from '../contract/parse.ts'
import type { Services } from '../services.ts'

/** An uploaded file: its bytes as they came, not joined. */
export interface Upload {
  readonly chunks: readonly Buffer[]
  readonly bytes: number
}

/** A multipart form; files by field name, at most one each. */
export interface Form {
  readonly fields: FormFields
  readonly files: ReadonlyMap<string, Upload>
}

export interface Call {
  readonly form: Form
  readonly visitor: Visitor
  readonly services: Services
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal
}

export interface Reply {
  readonly status?: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | string
}

/** The form that a route takes, for the reader of bodies and for the documentation. */
export interface FormShape {
  readonly files: readonly string[]
  readonly fields: z.ZodObject
}

/** One endpoint, as data. The server, the OpenAPI document and the tests all read this. */
export interface Route {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly name: string
  readonly tag: string
  readonly summary: string
  readonly description?: string
  readonly admission: AdmissionName
  readonly form?: FormShape
  /** Media types of the answer. */
  readonly produces: readonly string[]
  /** Documented headers of the answer beside those of every response. */
  readonly headers?: Readonly<Record<string, string>>
  /** Errors beyond those of the admission and of the form. */
  readonly errors: readonly ErrorName[]
  handle(call: Call): Reply | Promise<Reply>
}

/** Returns its argument: it is here so that a route is checked where it is written. */
export const defineRoute = (route: Route): Route => route
