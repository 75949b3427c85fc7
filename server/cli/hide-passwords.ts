/** Keeps the password of a database out of the list of processes, which every user of a machine may read. */
import process from 'node:process';
import { addressesIn, shownAddress } from '../store/address.ts';

/** @param argv the words of the command line. Where one has a password, `ps` shows the words without it from now on. */
export function hidePasswords(argv: readonly string[]): void {
  const shown = argv.map((word) => {
    const [, flag = '', value = ''] = /^(--[a-z-]+=)?(.*)$/s.exec(word) ?? [];
    return flag + addressesIn(value).map(shownAddress).join(',');
  });
  if (shown.some((word, at) => word !== argv[at])) process.title = ['rollcall', ...shown].join(' ');
}
