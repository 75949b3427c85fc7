/** Where each part of the page is, by addresses that stay. */

/** @returns such as `conditional-requests`. */
const slug = (title: string): string => title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');

export const anchors = {
  chapter: (title: string) => slug(title),
  tag: (name: string) => `tag-${slug(name)}`,
  operation: (id: string) => id,
  parameter: (operation: string, name: string) => `${operation}-${name}`,
  answer: (operation: string, status: string) => `${operation}-${status}`,
  error: (name: string) => `error-${name}`,
  header: (name: string) => `header-${name}`,
  schema: (name: string) => `schema-${name}`,
  property: (schema: string, name: string) => `schema-${schema}-${name}`,
} as const;
