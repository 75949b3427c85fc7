/** Addresses for programs that cannot take port 0. */
import { randomInt } from 'node:crypto';

/**
 * @returns the first three numbers of addresses of the loopback interface, such as `127.5.6`. No other program uses them, so every port of
 * them is free, except where a program listens on all addresses.
 */
export const ownNetwork = (): string => `127.${String(randomInt(1, 256))}.${String(randomInt(256))}`;
