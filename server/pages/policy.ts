/** The headers that restrict a page. A page may load from and call its own origin only, and never parses text as markup. */

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  ...['script-src', 'style-src', 'img-src', 'connect-src'].map((directive) => `${directive} 'self'`),
  ...['base-uri', 'form-action', 'frame-ancestors'].map((directive) => `${directive} 'none'`),
  // Only lit-html parses markup: its templates, and never a value.
  "require-trusted-types-for 'script'",
  'trusted-types lit-html',
];

/**
 * The headers of every page, as a flat list of names and values: those that helmet sets. Without `Strict-Transport-Security`, which only the
 * owner of the domain may enable.
 */
export const SECURED: readonly string[] = Object.entries({
  'Content-Security-Policy': CONTENT_SECURITY_POLICY.join(';'),
  // Pages of other origins cannot reach the window of a page, load it or its files, or share a process with it.
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Origin-Agent-Cluster': '?1',
  // A page's URL names records: it is not sent to the sites that it links to, and their names are not looked up before.
  'Referrer-Policy': 'no-referrer',
  'X-DNS-Prefetch-Control': 'off',
  'X-Content-Type-Options': 'nosniff',
  // For browsers that do not know the policy: no frame, no download that opens in the origin, no policy of plug-ins, and no filter of
  // scripts, which had faults of its own.
  'X-Download-Options': 'noopen',
  'X-Frame-Options': 'DENY',
  'X-Permitted-Cross-Domain-Policies': 'none',
  'X-XSS-Protection': '0',
}).flat();
