/** A proxy before a server that fails as networks do: it cuts, stalls and rejects connections. */
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

const HOST = '127.0.0.1';

export interface FaultyProxy {
  /** @returns the URL, with the proxy in place of the server. */
  through(url: string): string;
  /** Passes everything on, as at the beginning. */
  pass(): Promise<void>;
  /** Cuts the connections that there are. */
  cut(): void;
  /** Takes connections and bytes, and passes nothing on. */
  stall(): void;
  /** Passes everything on, with one text in place of another of the same length. */
  replace(text: string, by: string): void;
  /** Cuts the connections that there are, and takes no others. */
  refuse(): Promise<void>;
  /** Leads new connections to another port, and cuts those that there are: as after a failover. */
  lead(port: number): void;
  /** @returns when bytes for the server have next come. */
  asked(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a proxy before a port of this machine. */
export async function startProxy(target: number): Promise<FaultyProxy> {
  let [port, leadsTo, isStalled] = [0, target, false];
  let changed = (bytes: Buffer): Buffer => bytes;
  const sockets = new Set<Socket>();
  const waiting: (() => void)[] = [];
  const held: (() => void)[] = [];

  const forward = (from: Socket, to: Socket, notice: () => void): void => {
    sockets.add(from);
    from.on('data', (bytes: Buffer) => {
      notice();
      const write = (): void => {
        if (to.writable) to.write(changed(bytes));
      };
      if (isStalled) held.push(write);
      else write();
    });
    from.on('error', () => undefined); // `close` follows.
    from.on('close', () => {
      sockets.delete(from);
      to.destroy();
    });
  };
  const server = createServer((client) => {
    const upstream = connect(leadsTo, HOST);
    forward(client, upstream, () => {
      for (const resolve of waiting.splice(0)) resolve();
    });
    forward(upstream, client, () => undefined);
  });
  server.on('error', () => undefined); // The caller that waits for it to listen gets the error.
  const listen = (): Promise<void> =>
    new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, HOST, () => {
        server.off('error', reject);
        ({ port } = server.address() as AddressInfo); // It listens on a port, so it is one.
        resolve();
      });
    });
  const cut = (): void => {
    held.length = 0;
    for (const socket of sockets) socket.destroy();
  };
  const refuse = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => {
        resolve();
      });
      cut();
    });

  await listen();
  return {
    through: (url) => {
      const it = new URL(url);
      it.port = String(port);
      return it.href;
    },
    pass: async () => {
      isStalled = false;
      for (const write of held.splice(0)) write();
      if (!server.listening) await listen();
    },
    cut,
    stall: () => (isStalled = true),
    replace: (text, by) => {
      changed = (bytes) => Buffer.from(bytes.toString('latin1').replaceAll(text, by), 'latin1');
    },
    refuse,
    lead: (other) => {
      leadsTo = other;
      cut();
    },
    asked: () => new Promise((resolve) => waiting.push(resolve)),
    close: refuse,
  };
}
