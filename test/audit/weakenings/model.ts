/** Weakenings of the model of the contract: each condition turned round, each bound moved, each anchor of a pattern left out. */
import { readFileSync } from 'node:fs';
import ts from 'typescript';
import type { Weakening } from './weakenings.ts';

const OPERATORS = new Map<ts.SyntaxKind, string>([
  [ts.SyntaxKind.LessThanToken, '<='],
  [ts.SyntaxKind.GreaterThanToken, '>='],
  [ts.SyntaxKind.LessThanEqualsToken, '<'],
  [ts.SyntaxKind.GreaterThanEqualsToken, '>'],
  [ts.SyntaxKind.EqualsEqualsEqualsToken, '!=='],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, '==='],
  [ts.SyntaxKind.AmpersandAmpersandToken, '||'],
  [ts.SyntaxKind.BarBarToken, '&&'],
]);

/** @returns what may stand in the place of a node. */
function insteadOf(node: ts.Node): readonly string[] {
  if (ts.isSourceFile(node)) return [];
  const text = node.getText();
  if (ts.isIfStatement(node.parent) && node.parent.expression === node) return [`!(${text})`];
  if (ts.isConditionalExpression(node.parent) && node.parent.condition === node) return [`!(${text})`];
  const operator = OPERATORS.get(node.kind);
  if (operator !== undefined) return [operator];
  if (!ts.isRegularExpressionLiteral(node)) return [];
  const [, pattern = '', flags = ''] = /^\/(.*)\/(\w*)$/s.exec(text) ?? [];
  const less = [pattern.replace(/^\^/, ''), pattern.replace(/\$$/, '')].filter((it) => it !== pattern);
  return [
    ...less.map((it) => `/${it}/${flags}`),
    ...Array.from(flags, (flag) => `/${pattern}/${flags.replace(flag, '')}`),
  ];
}

/** @returns every weakening of the model. */
export function weakeningsOfModel(file: string): readonly Weakening[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const found: Weakening[] = [];
  const visit = (node: ts.Node): void => {
    // Types decide nothing.
    if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return;
    for (const instead of insteadOf(node)) {
      const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      const what = `${(source.text.split('\n')[line - 1] ?? '').trim()} -> ${instead}`;
      found.push({ file, what, line, start: node.getStart(), end: node.end, instead, rules: [] });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}
