/** Divides colours by the alpha behind them, in place: the last of `channels`, in as many bits as they. */
export function unpremultiply(data: Uint8Array | Uint16Array, channels: number): void {
  const full = data.BYTES_PER_ELEMENT === 1 ? 255 : 65_535
  for (let at = 0; at < data.length; at += channels) {
    const alphaAt = at + channels - 1
    const alpha = data[alphaAt] ?? 0
    if (alpha === 0 || alpha === full) continue
    for (let channel = at; channel < alphaAt; channel++) {
      data[channel] = Math.min(full, Math.round(((data[channel] ?? 0) * full) / alpha))
    }
  }
}
