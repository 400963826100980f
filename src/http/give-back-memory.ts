/**
 * Gives the memory of a chunk back that a socket has read, and that nobody else has: it is empty from then on. Left to the
 * garbage collector, such chunks are what calls it most while requests are refused.
 */
export const giveBackMemory = ({ buffer }: Buffer): void => void (buffer as ArrayBuffer).transfer(0)
