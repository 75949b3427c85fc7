/** Records traffic as HAR 1.2, as a browser or a proxy does. */

export interface RecordedEntry {
  startedDateTime: string;
  time: number;
  request: { method: string; url: string; headers: RecordedHeader[]; cookies?: unknown[] };
  response: {
    status: number;
    headers: RecordedHeader[];
    content: { size: number; mimeType: string; text?: string | undefined; encoding?: string };
    [more: string]: unknown;
  };
  [more: string]: unknown;
}
interface RecordedHeader {
  name: string;
  value: string;
}

export const harOf = (entries: readonly RecordedEntry[]): string =>
  JSON.stringify({ log: { version: '1.2', creator: { name: 'recorder', version: '1' }, entries } }, null, 1);

const headersOf = (headers: Headers): RecordedHeader[] => [...headers].map(([name, value]) => ({ name, value }));

/** The list page of a recorded response. */
export interface Recorded {
  readonly status: number;
  readonly ids: readonly string[];
  readonly hasMore: boolean;
}

export interface Recorder {
  readonly entries: RecordedEntry[];
  /** Sends a request and records it. Each exchange takes ten milliseconds of a made-up clock. */
  readonly get: (path: string, init?: RequestInit) => Promise<Recorded>;
}

/** @param key sent with every request that has no headers of its own. */
export function openRecorder(base: string, key: string, entries: RecordedEntry[] = []): Recorder {
  return {
    entries,
    get: async (path, init = {}) => {
      const request = new Request(base + path, { headers: { authorization: `Bearer ${key}` }, ...init });
      const response = await fetch(request);
      const text = await response.text();
      const content = { size: Buffer.byteLength(text), mimeType: response.headers.get('content-type') ?? '', text };
      entries.push({
        startedDateTime: new Date(Date.UTC(2026, 10, 23) + entries.length * 20).toISOString(),
        time: 10,
        request: { method: request.method, url: request.url, headers: headersOf(request.headers) },
        response: { status: response.status, headers: headersOf(response.headers), content },
      });
      const body = (text === '' ? {} : JSON.parse(text)) as { data?: { id: string }[]; has_more?: boolean };
      return { status: response.status, ids: (body.data ?? []).map((it) => it.id), hasMore: body.has_more === true };
    },
  };
}
