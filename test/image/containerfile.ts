/** Does what `docs/Containerfile` says, without containers: each stage is a folder, and has the paths of the image in it. */
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import process from 'node:process';
import { run } from '../../scripts/image/commands.ts';
import { ROOT } from '../support/project.ts';

/** The step that this project has taken: it takes a minute, and its result would be the same. */
const INSTALL = 'npm ci --ignore-scripts';

/** The last stage: its root file system, and what is said about it, by instruction. */
export interface Built {
  readonly root: string;
  readonly said: ReadonlyMap<string, string>;
}

interface Stage {
  readonly root: string;
  readonly env: Record<string, string>;
  readonly said: Map<string, string>;
  folder: string;
}

/**
 * @param args the values of `ARG`.
 * @throws Error if a step fails, or an instruction is not known here.
 */
export async function performContainerfile(scratch: string, args: Readonly<Record<string, string>>): Promise<Built> {
  const stages = new Map<string, Stage>();
  let stage: Stage | undefined;
  for (const line of readFileSync(join(ROOT, 'docs/Containerfile'), 'utf8').split('\n')) {
    const [, instruction, rest = ''] = /^([A-Z]+) (.+)$/.exec(line) ?? [];
    if (instruction === undefined) continue;
    if (instruction === 'FROM') {
      const name = / AS (\w+)$/.exec(rest)?.[1] ?? 'image';
      const root = join(scratch, name);
      mkdirSync(root, { recursive: true });
      stage = { root, env: {}, said: new Map(), folder: root };
      stages.set(name, stage);
    } else if (stage === undefined) {
      throw new Error(`${instruction} stands before FROM.`);
    } else {
      process.stdout.write(`${line}\n`);
      await perform(instruction, rest, stage, stages, args);
    }
  }
  if (stage === undefined) throw new Error('docs/Containerfile has no stage.');
  return stage;
}

async function perform(
  instruction: string,
  rest: string,
  stage: Stage,
  stages: ReadonlyMap<string, Stage>,
  args: Readonly<Record<string, string>>,
): Promise<void> {
  const inside = ({ root }: Stage, text: string): string => text.replaceAll(/(?<![\w.@/-])\/(?=\w)/g, `${root}/`);
  // The programs of the base, which has this version of Node.
  const path = [dirname(process.execPath), process.env['PATH']].join(delimiter);
  const sh = (script: string, cwd: string): Promise<string> => {
    const env = Object.entries({ ...stage.env, PATH: path }).map(([name, value]) => `${name}=${value}`);
    return run('env', [...env, 'sh', '-ec', script], cwd);
  };
  switch (instruction) {
    case 'ARG': {
      const [, name = '', preset] = /^(\w+)(?:=(.*))?$/.exec(rest) ?? [];
      stage.env[name] = args[name] ?? preset ?? '';
      break;
    }
    case 'COPY': {
      const [from = '', to = ''] = rest.split(' ').filter((it) => !it.startsWith('--'));
      const source = stages.get(/--from=(\w+)/.exec(rest)?.[1] ?? '');
      const mode = /--chmod=(\d+)/.exec(rest)?.[1];
      if (source === undefined) {
        await sh(`git ls-files -z | xargs -0 cp --parents -t "${join(stage.folder, to)}"`, ROOT);
      } else {
        const target = join(stage.root, to);
        mkdirSync(target, { recursive: true });
        await sh(`cp --archive "${inside(source, from)}/." "${target}"`, stage.root);
        if (mode !== undefined) await sh(`chmod ${mode} "${target}"`, stage.root);
      }
      break;
    }
    case 'RUN':
      if (rest === INSTALL) symlinkSync(join(ROOT, 'node_modules'), join(stage.folder, 'node_modules'));
      else await sh(inside(stage, rest), stage.folder);
      break;
    case 'WORKDIR': // Creates the folder, and says where commands run.
      stage.folder = inside(stage, rest);
      mkdirSync(stage.folder, { recursive: true });
      stage.said.set(instruction, rest);
      break;
    case 'ENV':
    case 'LABEL':
    case 'USER':
    case 'VOLUME':
    case 'EXPOSE':
    case 'HEALTHCHECK':
    case 'ENTRYPOINT':
    case 'CMD':
      stage.said.set(instruction, rest);
      break;
    default:
      throw new Error(`What ${instruction} does is not known here.`);
  }
}

/** @returns the words of the form of an instruction that needs no shell. */
export function wordsOf({ said }: Built, instruction: string): readonly string[] {
  const text = /\[.*\]$/.exec(said.get(instruction) ?? '')?.[0] ?? '[]';
  return JSON.parse(text) as readonly string[]; // The configuration that they are compared with has texts.
}

/** @returns what the instructions say, as the configuration of an image. */
export function configOf(built: Built): object {
  const { said } = built;
  const only = (instruction: string): string => said.get(instruction) ?? '';
  return {
    User: only('USER'),
    ExposedPorts: { [`${only('EXPOSE')}/tcp`]: {} },
    Env: only('ENV').split(' '),
    Entrypoint: wordsOf(built, 'ENTRYPOINT'),
    Cmd: wordsOf(built, 'CMD'),
    Volumes: { [only('VOLUME')]: {} },
    WorkingDir: only('WORKDIR'),
  };
}
