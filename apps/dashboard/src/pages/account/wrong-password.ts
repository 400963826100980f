/** The fault of an Action whose form asks for the current password, in `field`. */
export const wrongPassword = (field: string) =>
  ({ invalid_credentials: { field, message: 'This is not your password.' } }) as const
