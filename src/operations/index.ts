import { convert } from './convert.ts'
import { crop } from './crop.ts'
import type { Operation } from './operation.ts'
import { optimize } from './optimize.ts'
import { resize } from './resize.ts'
import { watermark } from './watermark.ts'

/** Every image operation, served at POST /api/v1/<name>. To add one, write its file and add its row. */
export const operations = { convert, resize, crop, watermark, optimize } as const satisfies Record<string, Operation>

export type OperationName = keyof typeof operations
