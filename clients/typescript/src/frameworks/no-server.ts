/** What bundles for browsers find in place of `server.ts`: nothing, so that no page signs there. */
export {}
