import { type HeicWriter, heicToFinish } from '../codecs/heic/writers.ts'
import { codecs } from '../codecs/index.ts'
import type { Header } from '../image/header.ts'
import type { Plan } from './operation.ts'

/** The plan with a format that can be written here: HEIC falls back to JPEG, or to PNG when it has transparency. */
export function writable(plan: Plan, header: Header, writer: HeicWriter): Plan {
  if (plan.codec !== codecs.heic || writer === 'elheif') return plan
  if (writer === 'heif-enc') return { ...plan, codec: heicToFinish }
  return { ...plan, codec: header.alpha ? codecs.png : codecs.jpeg }
}
