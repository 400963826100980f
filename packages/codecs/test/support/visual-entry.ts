import { box, uint16, uint32 } from '../../src/isobmff/boxes.ts'

/** The sample entry of a video track (VisualSampleEntry, ISO/IEC 14496-12, 12.1.3), with the boxes that its codec needs. */
export const visualEntry = (codec: string, { width, height }: { width: number; height: number }, ...boxes: readonly Buffer[]) =>
  box(
    codec,
    Buffer.alloc(6),
    uint16(1),
    Buffer.alloc(16),
    uint16(width, height),
    uint32(0x48_0000, 0x48_0000, 0),
    uint16(1),
    Buffer.alloc(32),
    uint16(24, 0xffff),
    ...boxes,
  )
