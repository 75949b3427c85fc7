/** A profile as it is saved: YAML without secrets, with `${NAME}` in their place. */
import { stringify } from 'yaml';
import { membersOf, withMembers } from './body.ts';
import type { Body } from './body.ts';
import type { Profile, Size } from './profile.ts';
import { isPlainHeader, isSecretName, paramsOf, withRaw } from './target.ts';

/** @returns a URL, or a path, without a user, and without the parameters that are named like keys. */
export const withoutKeys = (url: string): string =>
  [...paramsOf(url).keys()].filter(isSecretName).reduce((it, name) => withRaw(it, name), withoutUser(url));

/** @returns a profile with `${NAME}` in place of what came from a header, a password or a key in the query; without it in other URLs. */
export function withoutSecrets(profile: Profile): Profile {
  const { url, headers = {}, auth, params = {}, body, get, other, ...others } = profile;
  const hidden = (values: Readonly<Record<string, string>>, end = ''): Record<string, string> =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [
        name,
        isPlainHeader(name) ? value : placeholder(name + end, value),
      ]),
    );
  const keys = Object.entries({ ...Object.fromEntries(paramsOf(url)), ...params }).filter(([it]) => isSecretName(it));
  const { username, password } = new URL(url);
  const isEmpty = Object.keys(headers).length === 0;
  return {
    url: withoutKeys(url),
    ...(!isEmpty && { headers: hidden(headers) }),
    ...((auth !== undefined || username + password !== '') && { auth: '${USER}:${PASSWORD}' }),
    ...(Object.keys(params).length + keys.length > 0 && {
      params: { ...params, ...hidden(Object.fromEntries(keys)) },
    }),
    ...(body !== undefined && { body: withoutKeysIn(body) }),
    ...others,
    ...(get !== undefined && { get: withoutKeys(get) }),
    ...(other !== undefined && {
      other: {
        ...other,
        ...(other.url !== undefined && { url: withoutKeys(other.url) }),
        ...(other.headers !== undefined && { headers: hidden(other.headers, '_2') }),
      },
    }),
  };
}

/** @returns a body with `${NAME}` in place of the values that are named like keys. */
const withoutKeysIn = (body: Body): Body =>
  withMembers(
    body,
    membersOf(body).flatMap(([name, value]) =>
      isSecretName(name) && value !== '' ? [[name, placeholder(name, String(value))] as const] : [],
    ),
  );

/** @returns a size as it is read: in a header, it has no parameter. */
function withoutParam({ param: _, ...size }: Size): Omit<Size, 'param'> {
  return size;
}

/** @returns a profile as YAML that `parseProfile` reads, without secrets. */
export const formatProfile = (profile: Profile): string =>
  Object.entries(withoutSecrets(profile))
    .map(([name, value]) => {
      if (name === 'sample') return stringify({ sample: value }, { lineWidth: 0 });
      const saved = name === 'size' && profile.size?.header !== undefined ? withoutParam(profile.size) : value;
      return `${name}: ${stringify(saved, { collectionStyle: 'flow', lineWidth: 0 })}`;
    })
    .join('');

/** @returns the names of the environment that a saved profile needs. */
export const namesIn = (saved: string): readonly string[] => [
  ...new Set([...saved.matchAll(/\$\{(\w+)\}/g)].map(([, name = '']) => name)),
];

function placeholder(name: string, value: string): string {
  const scheme = /^(?:Bearer|Basic|Token|Bot|SSWS) /i.exec(value)?.[0] ?? '';
  return `${scheme}\${${name.toUpperCase().replaceAll(/\W+/g, '_')}}`;
}

/** @returns a URL, or a path, without a user and a password. */
export function withoutUser(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || parsed.username + parsed.password === '') return url;
  [parsed.username, parsed.password] = ['', ''];
  return parsed.href;
}
