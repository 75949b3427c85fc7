/** What a peer may take of the server: one table, with the reason of each value. */

export interface Limits {
  /** Bytes of a request's target and headers together. */
  readonly headerBytes: number;
  readonly headerCount: number;
  /** From the first byte of a connection or request to the last of its headers. */
  readonly headersMs: number;
  /** To the last byte of its body, although nobody reads that. */
  readonly requestMs: number;
  /** Between two requests of a connection. */
  readonly idleMs: number;
  /** While nothing leaves on a connection, whatever the reason. */
  readonly stalledMs: number;
  /** How often connections are held against the times above. */
  readonly checkEveryMs: number;
  readonly connections: number;
  readonly connectionsPerAddress: number;
  /** Connections beyond the limits that are kept open until they have read why. */
  readonly refusedConnections: number;
  readonly requestsPerConnection: number;
  /** Requests that wait for their answer, or were answered in this turn of the event loop; less under a load that lasts, or when they take long. */
  readonly requestsInFlight: number;
}

export const LIMITS: Limits = {
  headerBytes: 16_384, // The longest request the contract allows has about 200 bytes; proxies and browsers add some thousand.
  headerCount: 100, // Browsers behind two proxies send about 40. Each costs an entry in an object.
  headersMs: 10_000, // A headers' packet that is lost is sent again within seconds.
  requestMs: 15_000, // No request needs a body; a short one that a client sends regardless comes with its headers.
  idleMs: 65_000, // Longer than common proxies keep theirs (60 s), so that it is they who close, not we under a request.
  stalledMs: 75_000, // More than any of the above. Whoever reads an answer is faster: 100 records are 30 KB.
  checkEveryMs: 1000,
  connections: 10_000, // About 10 KB each when idle: 100 MB in all.
  connectionsPerAddress: 2500, // A proxy in front needs hundreds. No one address gets more than a quarter.
  refusedConnections: 1000,
  requestsPerConnection: 10_000, // Now and then callers spread over workers again, at no cost worth naming.
  requestsInFlight: 256, // A burst: 25 ms of pages that are not remembered, so a refusal comes within 50 ms.
};
