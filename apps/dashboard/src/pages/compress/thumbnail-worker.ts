/** Reduces pictures beside the page, which answers meanwhile: each message is a picture, each answer its small copy in the same order. */

interface Request {
  readonly source: Blob
  readonly width: number
}

/** What of a worker's scope is used here: the types of the page do not have it. */
interface Scope {
  onmessage: (event: MessageEvent<Request>) => void
  postMessage(copy: Blob | undefined): void
}

const scope = self as unknown as Scope
let turn: Promise<void> = Promise.resolve()

scope.onmessage = ({ data }) => {
  turn = turn.then(async () => scope.postMessage(await smallCopy(data)))
}

/** Undefined if the browser cannot read the picture. */
async function smallCopy({ source, width }: Request): Promise<Blob | undefined> {
  try {
    const bitmap = await createImageBitmap(source, { resizeWidth: width, resizeQuality: 'medium' })
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
    canvas.getContext('bitmaprenderer')?.transferFromImageBitmap(bitmap)
    bitmap.close()
    return await canvas.convertToBlob({ type: 'image/webp', quality: 0.8 })
  } catch {
    return undefined
  }
}
