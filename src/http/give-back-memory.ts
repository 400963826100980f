/**
 * Gives the memory of a chunk back that a socket has read, and that nobody else has: it is empty from then on, so nothing may be
 * writing it anywhere. Left alone, such chunks are what calls the garbage collector most.
 */
export const giveBackMemory = ({ buffer }: Buffer): void => void (buffer as ArrayBuffer).transfer(0)
