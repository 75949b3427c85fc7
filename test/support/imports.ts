/** What source files import, types and dynamic imports included, and the circles they form. */
import { dirname, join } from 'node:path/posix';
import ts from 'typescript';

export interface Import {
  readonly from: string;
  /** A file of the project by its path from the root, such as `cli/main.ts`; otherwise a package by its name. */
  readonly to: string;
  readonly isFile: boolean;
}

/**
 * @param file its path from the root of the project.
 * @param source its text.
 */
export function importsOf(file: string, source: string): readonly Import[] {
  return specifiersIn(ts.createSourceFile(file, source, ts.ScriptTarget.Latest)).map((specifier) =>
    specifier.startsWith('.')
      ? { from: file, to: join(dirname(file), specifier), isFile: true }
      : { from: file, to: specifier.replace(/^((?:@[^/]+\/)?[^/]+).*$/s, '$1'), isFile: false },
  );
}

// Not by TypeScript's own preProcessFile: it overlooks `export * as name from`.
function specifiersIn(node: ts.Node): readonly string[] {
  const found: string[] = [];
  const specifier = specifierOf(node);
  // A computed specifier belongs to no package, so that it is rejected like anything unknown.
  if (specifier !== undefined) found.push(ts.isStringLiteralLike(specifier) ? specifier.text : '(computed)');
  node.forEachChild((child) => {
    found.push(...specifiersIn(child));
  });
  return found;
}

function specifierOf(node: ts.Node): ts.Node | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier;
  if (ts.isImportTypeNode(node)) return ts.isLiteralTypeNode(node.argument) ? node.argument.literal : node.argument;
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) return node.arguments[0];
  return undefined;
}

/** @returns circles such as `a -> b -> a`: none only where there is none. */
export function circlesIn(imports: readonly Pick<Import, 'from' | 'to'>[]): readonly string[] {
  const targets = Map.groupBy(imports, (it) => it.from);
  const visited = new Set<string>();
  const visit = (name: string, path: readonly string[]): string[] => {
    if (path.includes(name)) return [[...path.slice(path.indexOf(name)), name].join(' -> ')];
    if (visited.has(name)) return [];
    visited.add(name);
    return (targets.get(name) ?? []).flatMap(({ to }) => visit(to, [...path, name]));
  };
  return [...targets.keys()].flatMap((name) => visit(name, []));
}
