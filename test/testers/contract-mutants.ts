/** Mutants of the contract. A tester must find the server, which keeps the contract, at fault with each. */

const CHANGES = {
  'has_more is a string': (text) => text.replace(/(HasMore:[^]*?type: )boolean(\s+example: )true/, "$1string$2'true'"),
  'no 422 is declared': (text) => text.replaceAll(/^ +'422': .*\n/gm, ''),
  'no 404 is declared': (text) => text.replaceAll(/^ +'404': .*\n/gm, ''),
  'request ids are shorter': (text) => text.replace(/(RequestId:[^]*?maxLength: )128(.*\s+example: ).*/, '$18$2short'),
  'limits go to 1000': (text) => text.replaceAll('minimum: 1, maximum: 100,', 'minimum: 1, maximum: 1000,'),
  'limits end at 50': (text) => text.replaceAll('minimum: 1, maximum: 100,', 'minimum: 1, maximum: 50,'),
} as const satisfies Record<string, (text: string) => string>;

export type ContractMutant = keyof typeof CHANGES;

/** @returns the contract with a fault. @throws Error if the contract no longer has the text that the mutant changes. */
export function mutate(mutant: ContractMutant, contract: string): string {
  const wrong = CHANGES[mutant](contract);
  if (wrong === contract) throw new Error(`Nothing to change in the contract for: ${mutant}.`);
  return wrong;
}
