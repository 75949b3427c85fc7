/** Faults planted into a copy of the contract. Against it the server, which is right, must be found wrong. */

const CHANGES = {
  'has_more is a string': (text) => text.replace(/(HasMore:[^]*?type: )boolean(\s+example: )true/, "$1string$2'true'"),
  'no 422 is declared': (text) => text.replaceAll(/^ +'422': .*\n/gm, ''),
  'no 404 is declared': (text) => text.replaceAll(/^ +'404': .*\n/gm, ''),
  'request ids are shorter': (text) => text.replace(/(RequestId:[^]*?maxLength: )128(.*\s+example: ).*/, '$18$2short'),
  'limits go to 1000': (text) => text.replaceAll('minimum: 1, maximum: 100,', 'minimum: 1, maximum: 1000,'),
  'limits end at 50': (text) => text.replaceAll('minimum: 1, maximum: 100,', 'minimum: 1, maximum: 50,'),
} as const satisfies Record<string, (text: string) => string>;

export type Plant = keyof typeof CHANGES;

/** @returns the contract with a fault. @throws Error if the contract has no place for it any more. */
export function planted(plant: Plant, contract: string): string {
  const wrong = CHANGES[plant](contract);
  if (wrong === contract) throw new Error(`Nothing to change in the contract for: ${plant}.`);
  return wrong;
}
