/**
 * Gives the memory of bytes back that came from elsewhere: they are empty from then on. Left alone, it is what calls the garbage
 * collector most. Nobody may have other bytes in the same ArrayBuffer, nor may these be on their way to a file or a socket.
 */
export const giveBackMemory = ({ buffer }: Buffer): void => void (buffer as ArrayBuffer).transfer(0)
