/** One upload in memory. To dispose of it says that it is there no longer; that may be done more than once. */
export interface HeldUpload extends Disposable {
  add(bytes: number): void
  /** It is whole: from now on it is not given up. */
  arrived(): void
}

/** Bounds the bytes of all uploads in memory: of those that arrive, wait for a renderer, or are being answered. */
export interface HeldUploads {
  /** Whether those that are there fill it. */
  full(): boolean
  bytes(): number
  /** @param giveUp called, once at most, when memory is short and this is the upload that has been arriving for longest */
  begin(giveUp: () => void): HeldUpload
}

/**
 * When it is full, who has been sending for longest is given up for those who are quick: else a thousand uploads that hardly move
 * would keep everybody out.
 * @param most bytes
 */
export function heldUploads(most: number): HeldUploads {
  /** The oldest first. */
  const arriving = new Map<HeldUpload, () => void>()
  let total = 0

  function makeRoom(): void {
    for (const [upload, giveUp] of arriving) {
      if (total <= most) return
      // Its chunks are garbage as soon as its reader has heard of it.
      upload[Symbol.dispose]()
      giveUp()
    }
  }
  return {
    full: () => total >= most,
    bytes: () => total,
    begin(giveUp) {
      let [bytes, isHeld] = [0, true]
      const upload: HeldUpload = {
        add(more) {
          if (!isHeld) return
          bytes += more
          total += more
          makeRoom()
        },
        arrived: () => void arriving.delete(upload),
        [Symbol.dispose]() {
          if (!isHeld) return
          isHeld = false
          total -= bytes
          arriving.delete(upload)
        },
      }
      arriving.set(upload, giveUp)
      return upload
    },
  }
}
