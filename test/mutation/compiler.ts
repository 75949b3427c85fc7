/** Whether a changed file still compiles. Only that file is checked again, which takes a second. */
import { join } from 'node:path';
import ts from 'typescript';
import { ROOT } from '../support/project.ts';

/** @returns whether a file of the project compiles with another text. */
export function createCompiler(): (file: string, text: string) => boolean {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), (it) => ts.sys.readFile(it)) as { config: unknown };
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  let changed: { readonly path: string; readonly text: string; readonly version: number } | undefined;
  const service = ts.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => fileNames.filter((it) => !it.includes('/test/')),
    getScriptVersion: (path) => String(path === changed?.path ? changed.version : 0),
    getScriptSnapshot: (path) => {
      const text = path === changed?.path ? changed.text : ts.sys.readFile(path);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => ROOT,
    getDefaultLibFileName: (it) => ts.getDefaultLibFilePath(it),
    fileExists: (it) => ts.sys.fileExists(it),
    readFile: (it) => ts.sys.readFile(it),
    directoryExists: (it) => ts.sys.directoryExists(it),
    realpath: (it) => ts.sys.realpath?.(it) ?? it,
  });
  let version = 0;
  return (file, text) => {
    version += 1;
    const path = join(ROOT, file);
    changed = { path, text, version };
    return service.getSyntacticDiagnostics(path).length === 0 && service.getSemanticDiagnostics(path).length === 0;
  };
}
