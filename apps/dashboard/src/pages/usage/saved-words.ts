import { shownBytes } from '../../shown/bytes.ts'

export const savedWords = (savedBytes: number): string => (savedBytes < 0 ? 'larger' : 'smaller')

/** "12.3 MB saved", "1.2 MB added" */
export const shownSaved = (savedBytes: number): string =>
  `${shownBytes(Math.abs(savedBytes))} ${savedBytes < 0 ? 'added' : 'saved'}`
