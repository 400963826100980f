import type { Reply } from './route.ts'

/** With the status that the route documents for a success, unless told. */
export const jsonReply = (body: unknown, status?: number): Reply => ({
  ...(status !== undefined && { status }),
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: JSON.stringify(body),
})
