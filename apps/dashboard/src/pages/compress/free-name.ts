/** A name that is not in use: "a (2).avif" of two pictures that differed in their extensions only. */
export function freeName(path: string, isInUse: (path: string) => boolean): string {
  if (!isInUse(path)) return path
  const [, stem = path, extension = ''] = /^(.*?)(\.[^./]*)?$/.exec(path) ?? []
  for (let nth = 2; ; nth++) if (!isInUse(`${stem} (${nth})${extension}`)) return `${stem} (${nth})${extension}`
}
