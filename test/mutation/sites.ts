/** Where a source file can be mutated, and how: the usual operators of mutation testers, by the syntax tree. */
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { ROOT } from '../support/project.ts';

/** Without the modules of the pages, which are tested in a browser, and without what builds the client. */
const IGNORED = /^server\/pages\/assets\/|\/dist\/|^client\/(node_modules\/|tsdown\.config\.ts)/;

/** One change of one file. */
export interface Mutant {
  readonly file: string;
  readonly line: number;
  /** The lines with the change, as they are and as they become: without indentation, joined by spaces. */
  readonly before: string;
  readonly after: string;
  /** @returns the whole file with the change. */
  readonly mutated: () => string;
}

/** A mutant that no test can find, because the program does the same. */
export interface Equivalent extends Pick<Mutant, 'file' | 'before' | 'after'> {
  readonly reason: string;
}

const { SyntaxKind } = ts;
const SWAPPED: ReadonlyMap<ts.SyntaxKind, string> = new Map([
  [SyntaxKind.LessThanToken, '<='],
  [SyntaxKind.LessThanEqualsToken, '<'],
  [SyntaxKind.GreaterThanToken, '>='],
  [SyntaxKind.GreaterThanEqualsToken, '>'],
  [SyntaxKind.EqualsEqualsEqualsToken, '!=='],
  [SyntaxKind.ExclamationEqualsEqualsToken, '==='],
  [SyntaxKind.AmpersandAmpersandToken, '||'],
  [SyntaxKind.BarBarToken, '&&'],
  [SyntaxKind.PlusToken, '-'],
  [SyntaxKind.MinusToken, '+'],
  [SyntaxKind.AsteriskToken, '/'],
  [SyntaxKind.SlashToken, '*'],
  [SyntaxKind.PercentToken, '*'],
  [SyntaxKind.PlusEqualsToken, '-='],
  [SyntaxKind.MinusEqualsToken, '+='],
]);
const EQUALITY = [SyntaxKind.EqualsEqualsEqualsToken, SyntaxKind.ExclamationEqualsEqualsToken];

type Change = readonly [node: ts.Node, replacement: string];

/** @returns the condition of a statement or an expression, unless another operator negates it already. */
function conditionOf(node: ts.Node): ts.Expression | undefined {
  const isLoop = ts.isWhileStatement(node) || ts.isDoStatement(node);
  const condition =
    ts.isIfStatement(node) || isLoop ? node.expression : ts.isConditionalExpression(node) ? node.condition : undefined;
  if (condition === undefined || ts.isPrefixUnaryExpression(condition)) return undefined;
  const isEquality = ts.isBinaryExpression(condition) && EQUALITY.includes(condition.operatorToken.kind);
  return isEquality ? undefined : condition;
}

function* changesOf(node: ts.Node, textOf: (node: ts.Node) => string): Generator<Change> {
  const condition = conditionOf(node);
  if (condition !== undefined) yield [condition, `!(${textOf(condition)})`];
  if (ts.isBinaryExpression(node)) {
    const { left, operatorToken } = node;
    const swapped = SWAPPED.get(operatorToken.kind);
    if (swapped !== undefined) yield [operatorToken, swapped];
    if (operatorToken.kind === SyntaxKind.QuestionQuestionToken) yield [node, textOf(left)];
  } else if (ts.isPrefixUnaryExpression(node)) {
    if (node.operator === SyntaxKind.ExclamationToken) yield [node, textOf(node.operand)];
  } else if (ts.isExpressionStatement(node)) {
    const { expression } = node;
    const called =
      ts.isAwaitExpression(expression) || ts.isVoidExpression(expression) ? expression.expression : expression;
    if (ts.isCallExpression(called)) yield [node, ';'];
  } else if (ts.isReturnStatement(node)) {
    if (node.expression !== undefined && textOf(node.expression) !== 'undefined') yield [node, 'return undefined;'];
  } else if (ts.isArrowFunction(node)) {
    if (!ts.isBlock(node.body) && textOf(node.body) !== 'undefined') yield [node.body, 'undefined'];
  } else if (ts.isArrayLiteralExpression(node)) {
    for (const dropped of node.elements) {
      yield [
        node,
        `[${node.elements
          .filter((it) => it !== dropped)
          .map(textOf)
          .join(', ')}]`,
      ];
    }
  } else if (ts.isNumericLiteral(node)) yield [node, String(Number(node.text) + 1)];
  else if (ts.isTemplateExpression(node) || (ts.isStringLiteralLike(node) && node.text !== '')) yield [node, "''"];
  else if (node.kind === SyntaxKind.TrueKeyword) yield [node, 'false'];
  else if (node.kind === SyntaxKind.FalseKeyword) yield [node, 'true'];
}

/** @returns whether a node is not part of the program as it runs, or may only be what it is: types, imports and names. */
const isFixed = (node: ts.Node): boolean =>
  ts.isTypeNode(node) ||
  ts.isInterfaceDeclaration(node) ||
  ts.isTypeAliasDeclaration(node) ||
  ts.isImportDeclaration(node) ||
  ts.isExportDeclaration(node) ||
  ((ts.isStringLiteral(node) || ts.isNumericLiteral(node)) &&
    ts.isPropertyAssignment(node.parent) &&
    node.parent.name === node);

/** @returns every mutant of a file, in the order of its text. Not all of them compile. */
export function mutantsOf(file: string, text: string): readonly Mutant[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const textOf = (node: ts.Node): string => node.getText(source);
  const linesOf = (lines: string): string => lines.trim().replaceAll(/\s*\n\s*/g, ' ');
  const mutants: Mutant[] = [];
  const visit = (node: ts.Node): void => {
    if (isFixed(node)) return;
    for (const [{ end }, replacement, start] of [...changesOf(node, textOf)].map(
      ([it, by]) => [it, by, it.getStart(source)] as const,
    )) {
      const first = text.lastIndexOf('\n', start - 1) + 1;
      const last = !text.includes('\n', end) ? text.length : text.indexOf('\n', end);
      mutants.push({
        file,
        line: source.getLineAndCharacterOfPosition(start).line + 1,
        before: linesOf(text.slice(first, last)),
        after: linesOf(text.slice(first, start) + replacement + text.slice(end, last)),
        mutated: () => text.slice(0, start) + replacement + text.slice(end),
      });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return mutants;
}

/** @returns mutants in an order that depends on a seed. A change elsewhere in the code leaves the order of the others. */
export function shuffled(mutants: readonly Mutant[], seed: string): readonly Mutant[] {
  const place = ({ file, before, after }: Mutant): string =>
    createHash('sha256').update([seed, file, before, after].join('\n')).digest('hex');
  return mutants
    .map((it) => ({ it, place: place(it) }))
    .sort((a, b) => (a.place < b.place ? -1 : a.place > b.place ? 1 : 0))
    .map(({ it }) => it);
}

/**
 * @returns what finds the entry of a mutant among the equivalent ones.
 * @throws Error if an entry is of no mutant: the code has changed, and somebody has to look at it again.
 */
export function equivalence(
  equivalents: readonly Equivalent[],
  mutants: readonly Mutant[],
): (mutant: Mutant) => Equivalent | undefined {
  const keyOf = ({ file, before, after }: Pick<Mutant, 'file' | 'before' | 'after'>): string =>
    JSON.stringify([file, before, after]);
  const known = new Set(mutants.map(keyOf));
  const stale = equivalents.filter((it) => !known.has(keyOf(it)));
  if (stale.length > 0) {
    throw new Error(`No mutant is what test/mutation/equivalents.ts has:\n${stale.map(keyOf).join('\n')}`);
  }
  const entries = new Map(equivalents.map((it) => [keyOf(it), it]));
  return (mutant) => entries.get(keyOf(mutant));
}

/** @returns every mutant of `server` and `client`, those that do not compile too. */
export const everyMutant = (): readonly Mutant[] =>
  globSync(['server/**/*.ts', 'client/**/*.ts'], { cwd: ROOT })
    .filter((it) => !IGNORED.test(it))
    .sort()
    .flatMap((it) => mutantsOf(it, readFileSync(join(ROOT, it), 'utf8')));
