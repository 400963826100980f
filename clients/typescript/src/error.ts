import type { Issue } from './api-types.ts'

/** Codes besides those of the server's table: no answer came, or one that is not of Pixelmill, such as the page of a proxy. */
export type OwnCode = 'unreachable' | 'not_understood' | 'batch_failed' | 'invalid_webhook'

interface Facts {
  readonly status?: number | undefined
  readonly issues?: readonly Issue[] | undefined
  readonly requestId?: string | undefined
  readonly retryAfterSeconds?: number | undefined
  readonly cause?: unknown
}

/** A failed call. Branch on `code`, which never changes: docs/errors.md has all. */
export class PixelmillError extends Error {
  override readonly name: string = 'PixelmillError'
  readonly code: string
  /** The status of HTTP; undefined where no answer came. */
  readonly status: number | undefined
  /** Each wrong parameter, with `invalid_params`. */
  readonly issues: readonly Issue[]
  readonly requestId: string | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(code: string, message: string, { status, issues = [], requestId, retryAfterSeconds, cause }: Facts = {}) {
    super(message, { cause })
    this.code = code
    this.status = status
    this.issues = issues
    this.requestId = requestId
    this.retryAfterSeconds = retryAfterSeconds
  }

  /** Whether the same request may succeed later: the server is away, busy, or limits the rate. */
  get isTemporary(): boolean {
    const { code, status = 0 } = this
    return code === 'unreachable' || ((status >= 500 || status === 429) && !LASTING.includes(code))
  }
}

/** What is the same for the next request: an allowance that is spent, and an image that no renderer survives. */
const LASTING: readonly string[] = [
  'monthly_limit_exceeded',
  'ai_daily_limit_exceeded',
  'background_quota_exceeded',
  'conversion_failed',
]

/** The error in an unsuccessful answer. */
export async function errorOf(response: Response): Promise<PixelmillError> {
  const { status } = response
  const retryAfterSeconds = secondsOf(response.headers.get('retry-after'))
  const body: unknown = await response.json().catch(() => undefined)
  if (isErrorBody(body)) return new PixelmillError(body.statusMessage, body.message, { ...body, status, retryAfterSeconds })
  const message = `The server answered with status ${status}: it is no Pixelmill.`
  return new PixelmillError('not_understood', message, { status, retryAfterSeconds })
}

/** Retry-After has seconds or a date. */
function secondsOf(text: string | null): number | undefined {
  if (!text) return undefined
  const seconds = Number(text)
  const left = Number.isNaN(seconds) ? (Date.parse(text) - Date.now()) / 1000 : seconds
  return left > 0 ? left : undefined
}

interface ErrorBody {
  readonly statusMessage: string
  readonly message: string
  readonly issues?: readonly Issue[]
  readonly requestId?: string
}

/** A proxy may answer in JSON too, with objects where this has texts. */
function isErrorBody(value: unknown): value is ErrorBody {
  if (!isObject(value)) return false
  const { statusMessage, message, issues = [] } = value
  return typeof statusMessage === 'string' && typeof message === 'string' && Array.isArray(issues) && issues.every(isIssue)
}

const isIssue = (value: unknown): boolean => isObject(value) && Array.isArray(value.path) && typeof value.message === 'string'

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null
