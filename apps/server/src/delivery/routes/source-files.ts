import { component } from '@pixelmill/codecs/contract/component'
import { limits } from '@pixelmill/codecs/contract/limits'
import { parseJson } from '@pixelmill/codecs/contract/parse'
import { z } from 'zod'
import { CURSOR, readCursor, writeCursor } from '../../contract/cursor.ts'
import { accountOf } from '../../http/caller.ts'
import { limit, nextCursor } from '../../http/paging.ts'
import { jsonReply } from '../../http/reply.ts'
import { defineRoute } from '../../http/route.ts'
import { isPrefix } from '../origin/list-query.ts'
import { sourceName } from '../source.ts'

/** A cursor is as long as a path in base64url. */
const LONGEST_CURSOR = 2 * limits.delivery.pathBytes

const listedFile = z
  .discriminatedUnion('type', [
    z
      .object({ type: z.literal('file'), path: z.string(), bytes: z.int(), modifiedAt: z.iso.datetime() })
      .meta(component('SourceFile')),
    z.object({ type: z.literal('folder'), path: z.string() }).meta(component('SourceFolder')),
  ])
  .describe('The path is not encoded; that of a folder ends with a slash, and is a prefix.')

/** GET /api/user/sources/{name}/files */
export const listSourceFiles = defineRoute({
  method: 'GET',
  path: '/api/user/sources/:name/files',
  name: 'listSourceFiles',
  tag: 'Delivery',
  summary: 'List the files of a source, in the order of their paths.',
  description:
    'Of a folder or a bucket; a web server has no list. Files that no URL can name, such as hidden ones, are left out: a page can have fewer than its limit, and the last one has nextCursor null.',
  admission: 'settings',
  scopes: ['sources'],
  query: z.object({
    prefix: z
      .string()
      .refine(isPrefix, { error: 'Must be the beginning of a path in the source.' })
      .default('')
      .describe('Only paths that begin so: photos/ is what is in a folder.'),
    delimiter: z
      .enum(['/'])
      .optional()
      .describe('With /, what is in folders below the prefix is one entry for each folder. By default all files are listed.'),
    cursor: z
      .string()
      .max(LONGEST_CURSOR)
      .regex(CURSOR, 'Send the nextCursor of the page before, as it came.')
      .optional()
      .describe('The nextCursor of the previous page; omit it for the first page.'),
    limit,
  }),
  produces: ['application/json'],
  answer: z.object({ data: z.array(listedFile), nextCursor }),
  errors: ['source_not_found', 'source_unavailable'],
  async handle({ path, query: { prefix, delimiter, cursor, limit }, visitor, signal, services: { delivery } }) {
    const { name } = parseJson(z.object({ name: sourceName }), path)
    const query = { prefix, byFolder: delimiter === '/', after: readCursor(z.string(), cursor), limit }
    const { data, next } = await delivery.files(accountOf(visitor), name, query, signal)
    return jsonReply({ data, nextCursor: next === undefined ? null : writeCursor(next) })
  },
})
