/** Does what `docs/Containerfile` says, without containers: each stage is a folder, and has the paths of the image in it. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const PROJECT = fileURLToPath(new URL('../../', import.meta.url));

/** The last stage: what runs, and how. */
export interface Image {
  readonly env: NodeJS.ProcessEnv;
  readonly user: string | undefined;
  readonly volumes: readonly string[];
  readonly command: readonly string[];
  readonly healthCheck: readonly string[];
}

interface Stage {
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
  readonly said: Map<string, string>;
  folder: string;
}

/** @throws Error if a step fails, or an instruction is not known here. */
export function buildImage(file: string, scratch: string): Image {
  const stages = new Map<string, Stage>();
  let stage: Stage | undefined;
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const [, instruction, rest = ''] = /^([A-Z]+) (.+)$/.exec(line) ?? [];
    if (instruction === undefined) continue;
    if (instruction === 'FROM') {
      const name = / AS (\w+)$/.exec(rest)?.[1] ?? 'image';
      stage = createStage(join(scratch, name));
      stages.set(name, stage);
    } else if (stage === undefined) {
      throw new Error(`${instruction} stands before FROM.`);
    } else {
      process.stdout.write(`${line}\n`);
      perform(instruction, rest, stage, stages);
    }
  }
  if (stage === undefined) throw new Error(`${file} has no stage.`);
  const { env, said } = stage;
  const words = (name: string): readonly string[] =>
    JSON.parse(/\[.*\]$/.exec(said.get(name) ?? '')?.[0] ?? '[]') as readonly string[]; // The form that needs no shell.
  return {
    env,
    user: said.get('USER'),
    volumes: (said.get('VOLUME') ?? '').split(' '),
    command: [...words('ENTRYPOINT'), ...words('CMD')],
    healthCheck: words('HEALTHCHECK'),
  };
}

function createStage(root: string): Stage {
  const bin = join(root, 'usr/local/bin');
  for (const it of [bin, join(root, 'usr/local/lib/node_modules')]) mkdirSync(it, { recursive: true });
  const path = [bin, dirname(process.execPath), process.env['PATH']].join(delimiter);
  return { root, env: { ...process.env, PATH: path }, said: new Map(), folder: root };
}

function perform(instruction: string, rest: string, stage: Stage, stages: ReadonlyMap<string, Stage>): void {
  const inside = ({ root }: Stage, text: string): string => text.replaceAll(/(?<![\w.@/-])\/(?=\w)/g, `${root}/`);
  const sh = (script: string, cwd: string): void => {
    execFileSync('sh', ['-ec', script], { cwd, env: stage.env, stdio: ['ignore', 'inherit', 'inherit'] });
  };
  switch (instruction) {
    case 'ENV':
      for (const [, name = '', value = ''] of rest.matchAll(/(\w+)=(\S+)/g)) stage.env[name] = inside(stage, value);
      break;
    case 'WORKDIR':
      stage.folder = inside(stage, rest);
      mkdirSync(stage.folder, { recursive: true });
      break;
    case 'COPY': {
      const [from = '', to = ''] = rest.split(' ').filter((it) => !it.startsWith('--'));
      const source = stages.get(/--from=(\w+)/.exec(rest)?.[1] ?? '');
      if (source !== undefined) sh(`cp -a "${inside(source, from)}" "${inside(stage, to)}"`, stage.root);
      else sh(`git ls-files -z | xargs -0 cp --parents -t "${join(stage.folder, to)}"`, PROJECT);
      break;
    }
    case 'RUN':
      sh(inside(stage, rest), stage.folder);
      break;
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
