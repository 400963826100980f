/** What `read` finds in untrusted bytes; `otherwise` where a number in them points outside of them. */
export function unlessDamaged<Found>(read: () => Found, otherwise: Found): Found {
  try {
    return read()
  } catch (error) {
    if (error instanceof RangeError) return otherwise
    throw error
  }
}
