/** An application of `openTestApp` on a port, and connections to it as bytes. */
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { listen } from '../../server/http/listener.ts';
import type { Listener } from '../../server/http/listener.ts';
import type { Parts } from '../../server/http/pipeline.ts';
import type { Store } from '../../server/store/store.ts';
import { automation } from '../../testkit/builders.ts';
import { afterTest } from './after-test.ts';
import { openTestApp } from './app.ts';
import type { Records, TestApp } from './app.ts';

export interface Served extends TestApp {
  readonly listener: Listener;
  readonly url: string;
  /** @returns a connection on which a text has been sent. The end of the server alone does not close it. */
  readonly dial: (text?: string, localAddress?: string) => Promise<Socket>;
}

interface Options extends Partial<Parts> {
  readonly records?: Records;
  /** Stands in for parts of the store. */
  readonly overrides?: Partial<Store>;
}

/** Starts a server until the test has ended. It is not recorded: no client of other tools could send what its tests send. */
export async function serve(options: Options = {}): Promise<Served> {
  const { records = { automations: [automation()] }, overrides = {}, ...settings } = options;
  const t = await openTestApp(records, overrides, () => undefined, settings);
  const listener = await listen(t.app, t.parts, { host: '127.0.0.1', port: 0 });
  afterTest(() => listener.stop(0));
  const { hostname: host, port } = new URL(listener.url);
  const dial: Served['dial'] = async (text = '', localAddress = '127.0.0.1') => {
    const socket = connect({ port: Number(port), host, localAddress, allowHalfOpen: true });
    afterTest(() => socket.destroy());
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    if (text !== '') socket.write(text);
    return socket;
  };
  return { ...t, listener, url: listener.url, dial };
}

/** @returns a `list` of the store that waits, and then has nothing; `arrived` is for the call of that number. */
export function heldList(call = 1): { overrides: Pick<Store, 'list'>; arrived: Promise<void>; release: () => void } {
  const [arrival, held] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
  let calls = 0;
  const list = async (): Promise<{ items: []; hasMore: boolean }> => {
    calls += 1;
    if (calls === call) arrival.resolve(undefined);
    await held.promise;
    return { items: [], hasMore: false };
  };
  const release = (): void => {
    held.resolve(undefined);
  };
  return { overrides: { list }, arrived: arrival.promise, release };
}
