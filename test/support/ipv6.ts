/** IPv6, which a machine or a container may have switched off. */
import { networkInterfaces } from 'node:os';

export const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'));
