/** Which parts of the page a query finds, best match first. */

export interface Entry {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  /** Further phrases that find the entry, with commas between them. */
  readonly words: string;
  /** The text of the part. */
  readonly text: string;
}

const MAX_FOUND = 12;

/** @returns the entries that contain every word of the query. */
export function find(entries: readonly Entry[], query: string): readonly Entry[] {
  const phrase = plain(query);
  const words = phrase.split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  return entries
    .map((entry) => ({ entry, rank: rankOf(entry, phrase, words) }))
    .filter(({ rank }) => rank < Infinity)
    .sort((a, b) => a.rank - b.rank)
    .slice(0, MAX_FOUND)
    .map(({ entry }) => entry);
}

/** @returns a smaller number for a better match; `Infinity` for none. */
function rankOf(entry: Entry, phrase: string, words: readonly string[]): number {
  const [name, kind, text] = [entry.name, entry.kind, entry.text].map(plain) as [string, string, string];
  const phrases = entry.words.split(',').map(plain);
  if (name === phrase) return 0;
  if (phrases.includes(phrase)) return 1;
  if (name.startsWith(phrase)) return 2;
  const rank = (word: string): number => {
    if (name.startsWith(word)) return 3;
    if (name.includes(word)) return 4;
    if (phrases.some((part) => part.includes(word))) return 5;
    if (kind.includes(word)) return 6;
    return text.includes(word) ? 7 : Infinity;
  };
  // A plural also finds its singular.
  return Math.max(...words.map((word) => Math.min(rank(word), rank(word.replace(/(?<=...)s$/, '')))));
}

const plain = (text: string): string => text.trim().toLowerCase();
