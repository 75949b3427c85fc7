/**
 * Makes the files of a package smaller: compiled code loses its indentation, a tenth of what is installed, and the contract its guide and
 * its descriptions, which only the pages of a server show. Code whose template literals have several lines stays as it is.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';

const folder = process.argv[2] ?? '';
for (const file of globSync(`${folder}/**/*.js`)) {
  const lines = readFileSync(file, 'utf8').split('\n');
  if (lines.some((line) => (line.match(/(?<!\\)`/g) ?? []).length % 2 === 1)) continue;
  writeFileSync(file, lines.map((line) => line.trimStart()).join('\n'));
}
for (const file of globSync(`${folder}/built/*.json`)) {
  const { 'x-guide': _guide, ...contract } = JSON.parse(readFileSync(file, 'utf8'));
  const isProse = (name, value) => name === 'description' && typeof value === 'string';
  writeFileSync(
    file,
    JSON.stringify(contract, (name, value) => (isProse(name, value) ? undefined : value)),
  );
}
