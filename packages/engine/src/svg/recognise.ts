/** Bytes at the beginning of a file in which its root element begins: before it are declarations and comments. */
const HEAD_BYTES = 4_096

const ROOT =
  /^(?:\xef\xbb\xbf)?(?:\s+|<\?[^>]*>|<!--(?:(?!-->)[\s\S])*-->|<!DOCTYPE[^>[]*(?:\[[^\]]*\])?\s*>)*<(?:[A-Za-z_][\w.-]*:)?svg[\s/>]/

/** Whether a file is SVG by its root element; not compressed, and not of an encoding with two bytes a character. */
export const isSvg = (bytes: Buffer): boolean => ROOT.test(bytes.toString('latin1', 0, HEAD_BYTES))
