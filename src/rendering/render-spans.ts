import { activeSpan, tracedBefore } from '../tracing/tracing.ts'
import type { Job } from './job.ts'

/** For the span that a job is a part of: its wait for a renderer, and its time in it. Undefined where nothing is traced. */
export function renderSpans(): Job['onOver'] {
  const parent = activeSpan()
  if (!parent) return undefined
  return ({ operation, lane, outcome, queuedAt, beganAt, endedAt }) => {
    const facts = { 'pixelmill.operation': operation, 'pixelmill.lane': lane }
    tracedBefore(parent, 'wait for renderer', facts, queuedAt, beganAt)
    tracedBefore(parent, 'render', { ...facts, 'pixelmill.outcome': outcome }, beganAt, endedAt)
  }
}
