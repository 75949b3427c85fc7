/** Weakenings of the rules of `conform`: a value that is another one twice instead, or a check that is not made. */
import { readFileSync } from 'node:fs';
import ts from 'typescript';

/** A source file with less in it, and the rules that this may weaken. */
export interface Weakening {
  readonly file: string;
  /** What is left out, and its line. */
  readonly what: string;
  readonly line: number;
  readonly start: number;
  readonly end: number;
  /** What stands there instead. */
  readonly instead: string;
  readonly rules: readonly string[];
}

/** A top-level declaration, and the names and the rules in it. */
interface Declaration {
  readonly name: string;
  readonly node: ts.Node;
  readonly file: string;
  readonly uses: ReadonlySet<string>;
}

const isArray = (node: ts.Node): node is ts.ArrayLiteralExpression => ts.isArrayLiteralExpression(node);

/** @returns the id of a rule that an object is. */
function idOf(node: ts.Node): string | undefined {
  if (!ts.isObjectLiteralExpression(node)) return undefined;
  const [id] = node.properties.flatMap((property) =>
    ts.isPropertyAssignment(property) && property.name.getText() === 'id' && ts.isStringLiteral(property.initializer)
      ? [property.initializer.text]
      : [],
  );
  return id;
}

/** Visits a node and those in it, each with the rule that it belongs to. */
function visit(node: ts.Node, rule: string | undefined, seen: (node: ts.Node, rule: string | undefined) => void): void {
  const own = idOf(node) ?? rule;
  seen(node, own);
  ts.forEachChild(node, (child) => {
    visit(child, own, seen);
  });
}

/** What may be left out at a node, and what stands there instead. */
type Part = readonly [part: ts.Node, instead: string];

/** @returns the elements of a list, in whose place another one stands, so that those behind it keep theirs; or a statement that checks something. */
function partsOf(node: ts.Node): readonly Part[] {
  if (isArray(node)) {
    if (ts.isVariableDeclaration(node.parent) && ts.isArrayBindingPattern(node.parent.name)) return []; // Names.
    // A list of one or two is often a pair, or a name.
    const elements = node.elements.filter((it) => idOf(it) === undefined && !ts.isSpreadElement(it));
    return elements.length > 2
      ? elements.map((it, at): Part => [it, (elements[at - 1] ?? elements[1] ?? it).getText()])
      : [];
  }
  if (!ts.isExpressionStatement(node)) return [];
  const isCheck = /^(?:await )?(?:assert|forEach|target\.assert|target\.request|own\.|otherAccount\.)/.test(
    node.getText(),
  );
  return isCheck ? [[node, ';']] : [];
}

/** Properties of a rule that check nothing. */
const isWord = (node: ts.Node): boolean =>
  ts.isPropertyAssignment(node) && ['dependsOn', 'title', 'change', 'id'].includes(node.name.getText());

/** @returns every weakening of the rules in some files. */
export function weakeningsOf(files: readonly string[]): readonly Weakening[] {
  const sources = files.map((file) =>
    ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true),
  );
  const declarations = sources.flatMap((source) =>
    source.statements.flatMap((node) => declarationsOf(source.fileName, node)),
  );
  const rulesOf = (name: string, known: ReadonlySet<string> = new Set()): readonly string[] => {
    if (known.has(name)) return [];
    const users = declarations.filter(({ uses }) => uses.has(name));
    return users.flatMap((user) => {
      const ids = idsUsing(user.node, name);
      return [...ids.rules, ...(ids.isOutside ? rulesOf(user.name, new Set([...known, name])) : [])];
    });
  };
  return declarations.flatMap(({ node, name, file }) => {
    const found: Weakening[] = [];
    visit(node, undefined, (it, rule) => {
      if (isInWords(it)) return;
      for (const [part, instead] of partsOf(it)) {
        const rules = rule === undefined ? [...new Set(rulesOf(name))] : [rule];
        if (rules.length === 0) continue; // The rules themselves are told by the faults.
        const source = part.getSourceFile();
        const line = source.getLineAndCharacterOfPosition(part.getStart()).line + 1;
        const what = part.getText().replaceAll(/\s+/g, ' ').slice(0, 100);
        found.push({ file, what, line, start: part.getStart(), end: part.end, instead, rules });
      }
    });
    return found;
  });
}

/** Whether a node is in a property that checks nothing. */
const isInWords = (node: ts.Node): boolean => isWord(node) || (!ts.isSourceFile(node) && isInWords(node.parent));

function declarationsOf(file: string, node: ts.Statement): readonly Declaration[] {
  const names = ts.isVariableStatement(node)
    ? node.declarationList.declarations.map((it) => it.name.getText())
    : ts.isFunctionDeclaration(node)
      ? [node.name?.text ?? '']
      : [];
  return names.map((name) => {
    const uses = new Set<string>();
    visit(node, undefined, (it) => {
      if (ts.isIdentifier(it) && it.text !== name) uses.add(it.text);
    });
    return { name, node, file, uses };
  });
}

/** @returns the rules in a declaration that use a name, and whether it is used outside of a rule. */
function idsUsing(node: ts.Node, name: string): { readonly rules: readonly string[]; readonly isOutside: boolean } {
  const rules = new Set<string>();
  let isOutside = false;
  visit(node, undefined, (it, rule) => {
    if (!ts.isIdentifier(it) || it.text !== name) return;
    if (rule === undefined) isOutside = true;
    else rules.add(rule);
  });
  return { rules: [...rules], isOutside };
}
