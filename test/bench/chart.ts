/** One picture: CPU per request by contender, for a page that is asked for again and for pages that are all different. */
import { JSON_SERVER, PRISM, ROLLCALL } from './contenders.ts';
import type { Row } from './rows.ts';

const WORKS = ['repeated first page', 'distinct cursors'];
const [WIDTH, NAMES, BARS] = [720, 150, 480];
const [TITLE, LINE, BAR, GAP, CUT] = [30, 24, 14, 16, 5];
// Of middle lightness: an image does not know whether the page around it is light or dark.
const [TEXT, OURS, THEIRS] = ['#7d8590', '#2f81f7', '#9a8fb0'];
const FOR_SCALE = [PRISM.name, JSON_SERVER.name];

/** @returns the chart as an SVG. A bar that is longer than those over the same records is cut. */
export function chart(rows: readonly Row[]): string {
  const parts: string[] = [];
  let top = 0;
  for (const work of WORKS) {
    const bars = rows.filter((it) => it.work === work).toSorted((a, b) => a.value - b.value);
    if (bars.length === 0) continue;
    const scale = Math.max(...bars.filter((it) => !FOR_SCALE.includes(it.contender)).map((it) => it.value));
    parts.push(text(0, top + BAR, `${work}, µs of CPU per request`, ' font-weight="600"'));
    top += TITLE;
    for (const bar of bars) {
      parts.push(...drawn(bar, top, scale));
      top += LINE;
    }
    top += GAP;
  }
  const size = `width="${String(WIDTH)}" height="${String(top)}" viewBox="0 0 ${String(WIDTH)} ${String(top)}"`;
  const font = `font-family="system-ui, sans-serif" font-size="13" fill="${TEXT}"`;
  const label = 'role="img" aria-label="CPU per request by server"';
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} ${font} ${label}>\n${parts.join('\n')}\n</svg>\n`;
}

function drawn({ contender, value }: Row, top: number, scale: number): readonly string[] {
  const isCut = value > scale;
  const length = isCut ? BARS : (BARS * value) / scale;
  const colour = contender.startsWith(ROLLCALL.name) ? OURS : THEIRS;
  const bar = (from: number, to: number): string =>
    `<rect x="${from.toFixed(1)}" y="${String(top)}" width="${(to - from).toFixed(1)}" height="${String(BAR)}" rx="2" fill="${colour}"/>`;
  const [start, end, cut] = [NAMES, NAMES + length, NAMES + length * 0.93];
  return [
    text(0, top + BAR - 2, contender),
    ...(isCut ? [bar(start, cut), bar(cut + CUT, end)] : [bar(start, end)]),
    text(end + 8, top + BAR - 2, value.toFixed(value < 10 ? 1 : 0)),
  ];
}

const text = (x: number, y: number, content: string, more = ''): string =>
  `<text x="${x.toFixed(1)}" y="${String(y)}"${more}>${content}</text>`;
