// Made by `npm run docs`; edits here are lost.

/** Bytes of one picture. */
export const MOST_IMAGE_BYTES = 15728640
